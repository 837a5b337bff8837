"""Finding bundles in folders and trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evidence_lint.dialect import Candidate, LoadOptions
from evidence_lint.model.report import TITLES
from evidence_lint_plugins.nine_section.discovery import find_bundles
from evidence_lint_plugins.nine_section.layout import Layout, stem_of
from evidence_lint_plugins.nine_section.recognise import is_report

REPORT = "# T\n\n" + "\n".join(f"## {number}) {title}\n\nx\n" for number, title in enumerate(TITLES, start=1))
PLAIN = LoadOptions()


def write(folder: Path, *names: str, text: str = "{}") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(REPORT if name.endswith(".md") and text == "{}" else text)


def listed(path: Path, options: LoadOptions = PLAIN) -> list[tuple[str, str]]:
    """Bundle path and report of each bundle, relative to ``path``."""
    top = path if path.is_dir() else path.parent
    return [
        (os.path.relpath(found.path, top), os.path.relpath(found.main, top)) for found in find_bundles(path, options)
    ]


def files(candidate: Candidate) -> dict[str, str]:
    return {name: path.name for name, path in candidate.files.items()}


def test_a_folder_with_the_usual_names(tmp_path: Path) -> None:
    write(tmp_path, "report.md", "findings.json", "content.json", "research_plan.json", "validation.json")
    (found,) = find_bundles(tmp_path, PLAIN)
    assert (found.path, found.main) == (tmp_path, tmp_path / "report.md")
    assert files(found) == {
        "findings": "findings.json",
        "results": "results.json",
        "content": "content.json",
        "code_evidence": "code_evidence.json",
        "session": "research_plan.json",
    }


def test_session_goes_before_research_plan(tmp_path: Path) -> None:
    write(tmp_path, "report.md", "research_plan.json", "session.json")
    assert files(find_bundles(tmp_path, PLAIN)[0])["session"] == "session.json"


def test_report_md_is_a_report_whatever_it_says(tmp_path: Path) -> None:
    write(tmp_path, "report.md", text="nothing")
    assert listed(tmp_path) == [(".", "report.md")]


def test_other_markdown_is_a_report_by_its_headings(tmp_path: Path) -> None:
    write(tmp_path, "auth.md")
    write(tmp_path, "README.md", text="# Read me\n\n## Sources\n\n## Method\n")
    assert listed(tmp_path) == [(".", "auth.md")]


def test_a_tree_is_searched_in_order_and_without_the_folders_of_tools(tmp_path: Path) -> None:
    write(tmp_path, "b/report.md", "a/z/report.md", "a/report.md", "report.md")
    write(tmp_path, ".git/report.md", ".cache/report.md", "node_modules/x/report.md", "env/report.md")
    write(tmp_path, "env/pyvenv.cfg", text="home = /usr")
    (tmp_path / "c").symlink_to("b")
    (tmp_path / "loop").symlink_to(".")
    assert [found for found, _ in listed(tmp_path)] == [".", "a", "a/z", "b"]
    assert listed(tmp_path) == listed(tmp_path)


def test_excluded_paths_are_not_searched(tmp_path: Path) -> None:
    write(tmp_path, "docs/report.md", "docs/old/report.md", "drafts/report.md", "auth.md")
    options = LoadOptions(exclude=["drafts", "docs/old/**", "/auth.md"])
    assert listed(tmp_path, options) == [("docs", "docs/report.md")]


def test_reports_with_stems_have_their_own_records(tmp_path: Path) -> None:
    write(tmp_path, "auth.report.md", "auth.findings.json", "auth.results.json", "pay.report.md", "pay.findings.json")
    assert listed(tmp_path) == [("auth.report.md", "auth.report.md"), ("pay.report.md", "pay.report.md")]
    auth, pay = find_bundles(tmp_path, PLAIN)
    assert files(auth)["results"] == "auth.results.json"
    assert files(auth)["content"] == "auth.content.json", "what is missing is told under the stem"
    assert files(pay)["results"] == "pay.results.json"


def test_records_without_a_stem_are_shared(tmp_path: Path) -> None:
    write(tmp_path, "auth.md", "pay.md", "findings.json", "content.json")
    auth, pay = find_bundles(tmp_path, PLAIN)
    assert (auth.path, pay.path) == (tmp_path / "auth.md", tmp_path / "pay.md")
    assert auth.files == pay.files


def test_shared_repository_evidence_beside_findings_with_stems(tmp_path: Path) -> None:
    write(tmp_path, "auth.report.md", "auth.findings.json", "code_evidence.json")
    assert files(find_bundles(tmp_path, PLAIN)[0])["code_evidence"] == "code_evidence.json"


def test_a_report_takes_nothing_from_another_reports_set(tmp_path: Path) -> None:
    write(tmp_path, "report.md", "findings.json", "content.json", "auth.report.md", "auth.findings.json")
    auth, main = find_bundles(tmp_path, PLAIN)
    assert files(auth)["content"] == "auth.content.json"
    assert files(main)["content"] == "content.json"


def test_findings_beside_it_make_a_markdown_file_a_report(tmp_path: Path) -> None:
    write(tmp_path, "auth.md", text="# headings gone")
    write(tmp_path, "auth.findings.json")
    assert listed(tmp_path) == [(".", "auth.md")]


def test_records_without_a_report_are_a_bundle_whose_report_is_absent(tmp_path: Path) -> None:
    write(
        tmp_path, "a/findings.json", "b/x.findings.json", "b/x.results.json", "c/scan.findings.json", "d/content.json"
    )
    assert listed(tmp_path) == [("a", "a/report.md"), ("b", "b/x.report.md")]
    assert not find_bundles(tmp_path, PLAIN)[0].main.exists()


def test_a_named_file_is_a_report(tmp_path: Path) -> None:
    write(tmp_path, "notes.md", text="# Notes")
    assert listed(tmp_path / "notes.md") == [(".", "notes.md")]


def test_a_named_report_has_the_same_path_as_in_a_search(tmp_path: Path) -> None:
    write(tmp_path, "auth.md", "pay.md", "one/report.md")
    assert [found.path for found in find_bundles(tmp_path / "auth.md", PLAIN)] == [tmp_path / "auth.md"]
    assert [found.path for found in find_bundles(tmp_path / "one" / "report.md", PLAIN)] == [tmp_path / "one"]
    write(tmp_path, "notes.md", text="# Notes")
    assert [found.path for found in find_bundles(tmp_path / "notes.md", PLAIN)] == [tmp_path / "notes.md"]


def test_a_named_record_gives_the_bundles_that_use_it(tmp_path: Path) -> None:
    write(tmp_path, "auth.md", "pay.md", "pay.findings.json", "findings.json", "package.json")
    assert [found.main.name for found in find_bundles(tmp_path / "findings.json", PLAIN)] == ["auth.md"]
    assert [found.main.name for found in find_bundles(tmp_path / "pay.findings.json", PLAIN)] == ["pay.md"]
    assert find_bundles(tmp_path / "package.json", PLAIN) == []


@pytest.mark.parametrize("name", ["nothing.md", "a\0b", "x" * 5000])
def test_a_path_that_is_not_there_has_no_bundles(tmp_path: Path, name: str) -> None:
    assert find_bundles(tmp_path / name, PLAIN) == []


def test_configured_layout(tmp_path: Path) -> None:
    write(tmp_path, "auth/out/final.md", text="# x")
    write(tmp_path, "auth/evidence/findings.json", "auth/evidence/pages-2.json", "auth/evidence/pages-1.json")
    write(tmp_path, "auth/report.md", text="no longer a name")
    options = LoadOptions(
        layout={
            "report": ["out/final.md"],
            "findings": ["../evidence/findings.json"],
            "content": ["../evidence/pages-*.json"],
            "results": ["../evidence/{stem}-{x}.json"],
            "packet": ["of another dialect"],
        }
    )
    (found,) = find_bundles(tmp_path, options)
    assert found.main == tmp_path / "auth" / "out" / "final.md"
    assert found.files["findings"].samefile(tmp_path / "auth" / "evidence" / "findings.json")
    assert files(found)["content"] == "pages-1.json"
    assert files(found)["results"] == "final-{x}.json"


def test_names_are_no_patterns(tmp_path: Path) -> None:
    write(tmp_path, "a[1]{x}*.md", "a[1]{x}*.findings.json", "a1.findings.json")
    (found,) = find_bundles(tmp_path, LoadOptions(layout={"findings": ["{stem}.find*.json"]}))
    assert files(found)["findings"] == "a[1]{x}*.findings.json"


def test_links_to_a_report_are_no_second_report(tmp_path: Path) -> None:
    write(tmp_path, "v2.md")
    (tmp_path / "latest.md").symlink_to("v2.md")
    assert listed(tmp_path) == [(".", "v2.md")]
    (tmp_path / "report.md").symlink_to("v2.md")
    assert listed(tmp_path) == [(".", "report.md")]


def test_pipes_and_unreadable_files_are_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert find_bundles(tmp_path, PLAIN) == []
    assert "whether it is a report is unknown" in caplog.text


def test_stems() -> None:
    names = ["auth.report.md", "auth.md", "report.md", ".report.md", "a.b.markdown"]
    assert [stem_of(Path(name)) for name in names] == ["auth", "auth", "report", ".report", "a.b"]


def test_layout_without_patterns_for_an_artifact_still_says_what_is_missing(tmp_path: Path) -> None:
    layout = Layout.configured({"results": []})
    assert layout.artifacts(tmp_path / "report.md")["results"] == tmp_path / "results.json"


FIVE = [f"## {number}) {TITLES[number - 1]}" for number in (1, 2, 4, 8, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(FIVE),
        "\r\n".join(FIVE),
        "\ufeff" + "\n".join(FIVE),
        "\n".join(line + " ##  " for line in FIVE),
        "\n".join(line.replace(")", ".").replace("##", "   #") for line in FIVE),
        "\n".join(line.upper() for line in FIVE),
        "\n".join(line.removeprefix("## ").replace(")", "\\)") + "\n---" for line in FIVE),
        "```\nnever closed\n" + "\n".join(FIVE),
        "<!-- never closed\n" + "\n".join(FIVE),
        "````md\n```\n````\n" + "\n".join(FIVE),
    ],
)
def test_recognised(text: str) -> None:
    assert is_report(text.encode())
    assert is_report(text.encode("utf-16"))
    assert is_report(text.encode() + b"\n\xe9")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n".join(FIVE[:4]),
        "\n".join(FIVE[:4] + FIVE[:4]),
        "\n".join(line[5:] for line in FIVE),
        "\n".join("## " + line[5:] for line in FIVE),
        "```\n" + "\n".join(FIVE) + "\n```\n",
        "~~~~\n" + "\n".join(FIVE) + "\n~~~\n~~~~\n",
        "<!--\n" + "\n".join(FIVE) + "\n-->",
        "\n".join("- " + line for line in FIVE),
        "\n".join("    " + line for line in FIVE),
    ],
)
def test_not_recognised(text: str) -> None:
    assert not is_report(text.encode())


@pytest.mark.parametrize("part", ["<!--", "```\n", "## 1) \t ", "#", " ", "## 1) x # \n", "-->"])
def test_recognition_is_linear(part: str) -> None:
    bait = "\n".join(f"{title} x" for title in TITLES)
    assert not is_report((bait + "\n" + part * 200_000).encode())
