"""Edits of the report that change nothing that it says."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator

from tests.faults.draft import Draft, Files
from tests.faults.kinds import Change, harmless


def style(**values: object) -> Change:
    """Write the report in another style."""

    def change(draft: Draft) -> None:
        for name, value in values.items():
            setattr(draft.report.style, name, value)

    return change


def text(alter: Callable[[str], str]) -> Change:
    """Change the written report."""

    def change(draft: Draft) -> None:
        def apply(files: Files) -> None:
            files["report.md"] = alter(files["report.md"].decode()).encode()

        draft.raw.append(apply)

    return change


@harmless("paragraphs and bullets rewrapped")
def rewrapped(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for width in (30, 60, 79, 100):
        yield style(wrap=width)


@harmless("other bullets")
def bullets(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for mark in ("*", "+", "1.", "-  ", "*   ", "1)"):
        yield style(bullet=mark)


@harmless("other forms of several citations")
def cite_forms(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for form in ("spaced", "comma", "range"):
        yield style(cites=form)
    for space in ("", "  ", "\u00a0"):
        yield style(cite_space=space)


@harmless("setext headings")
def setext(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield style(setext=True)


@harmless("closing hashes, blanks around headings")
def closing(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield style(closing=True)
    yield text(lambda t: re.sub(r"(?m)^(## .*)$", r"\1 #####", t))
    yield text(lambda t: re.sub(r"(?m)^## ", "##   ", t))
    yield text(lambda t: re.sub(r"(?m)^## ", " ## ", t))
    yield text(lambda t: re.sub(r"(?m)^(#+ .*)$", r"\1   ", t))


@harmless("no code marks around values")
def plain_values(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield style(code_marks=False)


@harmless("blank lines")
def blank_lines(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield style(gap="\n\n\n\n")
    yield style(row_gap="\n\n")
    yield style(gap="\n")
    yield text(lambda t: t.rstrip("\n"))
    yield text(lambda t: t + "\n\n\n")
    yield text(lambda t: "\n\n" + t)


@harmless("line ends: CRLF")
def crlf(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield text(lambda t: t.replace("\n", "\r\n"))


@harmless("a byte order mark on the report")
def bom(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield text(lambda t: "\ufeff" + t)


@harmless("trailing blanks")
def trailing(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for blank in (" ", "  ", "\t", "    "):
        yield text(lambda t, blank=blank: t.replace("\n", blank + "\n"))


@harmless("Unicode NFD or NFC")
def normal_forms(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for form in ("NFD", "NFC"):
        yield text(lambda t, form=form: unicodedata.normalize(form, t))


@harmless("comments")
def comments(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for comment in ("<!-- a note [99] -->", "<!--\n## 10) Hidden\n\n[77] TODO\n-->"):
        yield text(lambda t, c=comment: f"{c}\n\n{t}")
        for number in range(1, 10):
            heading = draft.report.headings[number]
            yield text(lambda t, c=comment, h=heading: t.replace(h + "\n", f"{h}\n\n{c}\n", 1))


@harmless("front matter, a title, an opening")
def opening(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for words in ("---\ntitle: x\n---\n\n", "# A title\n\n", "# A title\n\nA direct answer stands here.\n\n"):
        yield text(lambda t, words=words: words + t[t.index("## 1)") :])


_INSERTS = {
    "a fence": "```md\n## 4) Key Findings\n\n- a [99]\n```",
    "a table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "a quotation of nothing cited": "> ## A heading in a block quote",
    "code spans": "The call `rows[7]` and `[99]` and `## x` are code.",
    "a link": "More stands in [the manual](https://docs.halcyon-systems.com/manual).",
    "an image and a rule": "![figure](figure.png)\n\n***",
}


@harmless("code, tables, links and quotes in section 5")
def inserts(draft: Draft, rng: random.Random) -> Iterator[Change]:
    at = draft.report.topics[0].title if draft.report.topics else None
    for words in _INSERTS.values():
        if at is not None:
            yield text(lambda t, w=words: t.replace(f"### {at}\n", f"### {at}\n\n{w}\n", 1))


@harmless("a subtopic with a contract word as its title")
def contract_word(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for word in ("Sources", "Method", "Key Findings of others", "Limitations"):

        def change(made: Draft, word: str = word) -> None:
            made.report.topics[0].title = word

        if draft.report.topics:
            yield change


@harmless("extra bullets among the fields")
def extra_bullets(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for section in (1, 2, 7):
        for row in (["Remark", "nothing of note"], ["Language", "English"], ["Tools", "`git`, `curl`"]):

            def change(made: Draft, section: int = section, row: list[str] = row) -> None:
                made.report.fields[section].insert(2, list(row))
                # Places in the list are no part of what is said.

            yield change


@harmless("labels in another case, bold, or with a full-width colon")
def labels(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def altered(alter: Callable[[str], str]) -> Change:
        def change(made: Draft) -> None:
            for rows in made.report.fields.values():
                for row in rows:
                    row[0] = alter(row[0])

        return change

    yield altered(str.lower)
    yield altered(str.upper)
    yield altered(lambda label: f"**{label}**")
    yield altered(lambda label: label.replace(" ", "  "))


@harmless("fields in another order")
def field_order(draft: Draft, rng: random.Random) -> Iterator[Change]:
    seed = rng.random()

    def change(made: Draft) -> None:
        for rows in made.report.fields.values():
            random.Random(seed).shuffle(rows)

    yield change


@harmless("remarks after counts")
def remarks(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for remark in (" (observed)", " — counted from the files", "; see the records"):

        def change(made: Draft, remark: str = remark) -> None:
            for row in made.report.fields[2]:
                if row[1].isdigit():
                    row[1] += remark

        yield change


@harmless("citations and index renumbered together")
def renumbered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for _ in range(3):
        order = list(range(len(draft.report.entries)))
        rng.shuffle(order)

        def change(made: Draft, order: list[int] = order) -> None:
            entries = [made.report.entries[at] for at in order]
            mapped = {entry.number: number for number, entry in enumerate(entries, start=1)}
            for entry in entries:
                entry.number = mapped[entry.number]
            made.report.entries = entries
            for one in made.report.passages():
                one.cites = [mapped[number] for number in one.cites]

        yield change


@harmless("findings of the report in another order")
def finding_order(draft: Draft, rng: random.Random) -> Iterator[Change]:
    seed = rng.random()
    yield lambda made: random.Random(seed).shuffle(made.report.findings)
    yield lambda made: made.report.findings.reverse()


@harmless("citations of a finding in another order, or twice")
def cite_order(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in range(len(draft.report.findings)):

        def reverse(made: Draft, at: int = at) -> None:
            made.report.findings[at].cites.reverse()

        def twice(made: Draft, at: int = at) -> None:
            made.report.findings[at].cites.append(made.report.findings[at].cites[0])

        yield from (reverse, twice)


@harmless("marks, blanks and final punctuation of titles")
def titles(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        for title in (
            finding.title + ".",
            finding.title.replace(" ", "  ", 1),
            f"*{finding.title}*",
            f" {finding.title}",
        ):

            def change(made: Draft, at: int = at, title: str = title) -> None:
                made.report.findings[at].title = title.strip() if title.startswith(" ") else title

            yield change


@harmless("labels of findings in another case")
def finding_labels(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for alter in (str.lower, str.upper):

        def change(made: Draft, alter: Callable[[str], str] = alter) -> None:
            for finding in made.report.findings:
                finding.label = alter(finding.label)

        yield change


@harmless("index as a list, with blank lines, or wrapped")
def index_forms(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for mark in ("- ", "* ", "  "):
        yield style(entry_bullet=mark)

    def spaced(made: Draft) -> None:
        made.report.bodies[8] = "\n\n".join(made.report.body(8).split("\n[")).replace("\n\n", "\n\n[")

    if not any(entry.kind == "code" for entry in draft.report.entries):
        yield spaced


@harmless("shorter or upper-case ids and equal URLs in the index")
def index_fields(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in enumerate(draft.report.entries):
        commit = entry.shown.get("commit", "")
        forms = [commit[:7], commit[:12], commit.upper()] if len(commit) == 40 else []
        url = entry.shown.get("url", "")
        host = url.split("/")[2] if url else ""
        urls = [url + "#part", url.replace(host, host.upper()), url.replace(host, host + ":443")] if url else []
        changes = [{"commit": form} for form in forms] + [{"url": other} for other in urls]
        if entry.kind == "code":
            changes += [{"path": f"./{entry.shown['path']}"}, {"path": entry.shown["path"].replace("/", "//", 1)}]
            changes += [{"excerpt": entry.shown["excerpt"].split("\n")[0]}]
        for values in changes:

            def change(made: Draft, at: int = at, values: dict[str, str] = values) -> None:
                made.report.entries[at].shown.update(values)

            yield change


@harmless("quotation marks of another script")
def quotation_marks(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        for opener, closer in ("«»", "„“", "「」", "“”"):
            other = re.sub(r'"([^"]+)"|“([^”]+)”', lambda m, o=opener, c=closer: o + (m[1] or m[2]) + c, finding.text)

            def change(made: Draft, at: int = at, other: str = other) -> None:
                made.report.findings[at].text = other.replace("'", "’")

            yield change
