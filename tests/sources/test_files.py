"""Reading artifacts: bounded, confined to the bundle, and never an exception."""

from __future__ import annotations

import codecs
import os
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.artifact import Artifact, FaultKind, Medium
from evidence_lint.sources.files import confinement, medium_of, read_artifact, read_text, worktree_top


def message(artifact: Artifact) -> str:
    assert artifact.text is None
    assert artifact.present
    assert not artifact.usable
    (fault,) = artifact.faults
    assert fault.kind is FaultKind.UNREADABLE
    return fault.message


def test_text_is_kept_with_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_bytes("a\r\nb\rc\nü\u2028".encode())
    artifact = read_artifact("report", path)
    assert artifact.text == "a\r\nb\rc\nü\u2028"
    assert artifact.medium is Medium.MARKDOWN
    assert not artifact.bom
    assert artifact.usable


def test_byte_order_mark_is_removed_and_told(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_bytes(codecs.BOM_UTF8 + b"# x\n")
    artifact = read_artifact("report", path)
    assert (artifact.text, artifact.bom) == ("# x\n", True)


def test_missing_file_is_absent_without_a_fault(tmp_path: Path) -> None:
    artifact = read_artifact("findings", tmp_path / "findings.json")
    assert (artifact.present, artifact.faults, artifact.text) == (False, (), None)
    below_a_file = tmp_path / "x"
    below_a_file.write_text("")
    assert not read_artifact("findings", below_a_file / "findings.json").present


def test_size_limit_counts_bytes_and_names_both_sizes(tmp_path: Path) -> None:
    path = tmp_path / "content.json"
    path.write_bytes(b"x" * 2048)
    assert read_artifact("content", path, limit=2048).usable
    assert message(read_artifact("content", path, limit=2047)) == (
        "content.json is 2 KiB long, over the limit of 1.999 KiB for one file"
    )


def test_a_file_of_unknown_size_is_cut_off_at_the_limit() -> None:
    proc = Path("/proc/self/status")
    if not proc.exists():
        pytest.skip("no /proc")
    refused = message(read_artifact("content", proc, limit=10, within=Path("/")))
    assert refused == "status is longer than the limit of 10 bytes for one file"


def test_folder_pipe_socket_and_device_are_refused_without_being_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.fspath(tmp_path / "socket.json"))
    listener.close()
    assert message(read_artifact("x", tmp_path / "folder.json")) == "folder.json is a folder, not a regular file"
    assert message(read_artifact("x", tmp_path / "pipe.json")) == "pipe.json is a named pipe, not a regular file"
    assert message(read_artifact("x", tmp_path / "socket.json")) == "socket.json is a socket, not a regular file"
    zero = read_artifact("x", Path("/dev/zero"), within=Path("/"))
    assert message(zero) == "zero is a device, not a regular file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_permission_denied_is_told(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    path.write_text("{}")
    path.chmod(0)
    assert "permission denied" in message(read_artifact("findings", path))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (codecs.BOM_UTF16_LE + "ab".encode("utf-16-le"), "byte order mark of UTF-16 (little-endian)"),
        (codecs.BOM_UTF16_BE + "ab".encode("utf-16-be"), "byte order mark of UTF-16 (big-endian)"),
        (codecs.BOM_UTF32_LE + "ab".encode("utf-32-le"), "byte order mark of UTF-32 (little-endian)"),
        (codecs.BOM_UTF32_BE + "ab\U0001f600".encode("utf-32-be"), "byte order mark of UTF-32 (big-endian)"),
        (b"abc\xe9d", "is not UTF-8 at byte 4 (0xe9)"),
        (codecs.BOM_UTF8 + b"abc\xe9d", "is not UTF-8 at byte 7 (0xe9)"),
        (b"\xed\xa0\x80", "is not UTF-8 at byte 1 (0xed)"),
        (("Надёжность хранилища проверена в июле. " * 20).encode("cp1251"), "it looks like cp1251"),
    ],
)
def test_other_encodings_are_told_with_place_and_likely_name(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "report.md"
    path.write_bytes(data)
    assert said in message(read_artifact("report", path))


def test_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "v2.md").write_text("two")
    (tmp_path / "report.md").symlink_to("v2.md")
    assert read_artifact("report", tmp_path / "report.md").text == "two"


def test_link_out_of_the_folder_is_refused_and_its_target_not_shown(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password")
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    (bundle / "content.json").symlink_to(secret)
    refused = message(read_artifact("content", bundle / "content.json"))
    assert refused == (
        "content.json is a symbolic link that leads out of the bundle's folder and its Git work tree, and is not read"
    )


def test_link_through_a_linked_folder_and_dotted_path_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}")
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    (bundle / "records").symlink_to(tmp_path)
    assert "out of the bundle's folder" in message(
        read_artifact("content", bundle / "records" / "secret.json", within=bundle)
    )
    assert "out of the bundle's folder" in message(
        read_artifact("content", bundle / ".." / "secret.json", within=bundle)
    )


def test_link_within_one_work_tree_is_followed_but_not_into_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "shared.json").write_text("[]")
    bundle = tmp_path / "docs" / "auth"
    bundle.mkdir(parents=True)
    (bundle / "content.json").symlink_to("../../shared.json")
    (bundle / "results.json").symlink_to("../../.git/config")
    assert read_artifact("content", bundle / "content.json").text == "[]"
    assert "into a .git folder" in message(read_artifact("results", bundle / "results.json"))
    assert worktree_top(bundle) == tmp_path.resolve() == confinement(bundle)


def test_broken_and_circular_links_are_faults(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to("nowhere.json")
    (tmp_path / "b.json").symlink_to("b.json")
    assert message(read_artifact("a", tmp_path / "a.json")) == (
        "a.json is a symbolic link to a file that does not exist"
    )
    assert message(read_artifact("b", tmp_path / "b.json")) == "b.json is a symbolic link that leads back to itself"


@pytest.mark.parametrize("name", ["a\0b.json", "x" * 5000, "\ud800.json"])
def test_impossible_names_never_raise(tmp_path: Path, name: str) -> None:
    assert "a name" in message(read_artifact("x", tmp_path / name))


def test_a_bundle_named_through_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "report.md").write_text("x")
    (tmp_path / "link").symlink_to("real")
    assert read_artifact("report", tmp_path / "link" / "report.md").text == "x"


def test_swapped_file_is_not_followed(tmp_path: Path) -> None:
    # A link that is put in place between the look and the opening changes nothing: the name is resolved first.
    (tmp_path / "content.json").write_text("honest")
    (tmp_path / "outside").mkdir()
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    (tmp_path / "secret").write_text("secret")
    path = bundle / "content.json"
    stop = threading.Event()

    def swap() -> None:
        turn = 0
        while not stop.is_set():
            temporary = bundle / f"t{turn % 2}"
            temporary.unlink(missing_ok=True)
            if turn % 2:
                temporary.symlink_to(tmp_path / "secret")
            else:
                temporary.write_text("honest")
            temporary.replace(path)
            turn += 1

    path.write_text("honest")
    thread = threading.Thread(target=swap)
    thread.start()
    try:
        texts = {read_artifact("content", path).text for _ in range(300)}
    finally:
        stop.set()
        thread.join()
    assert "secret" not in texts


def test_media_by_name() -> None:
    assert [medium_of(Path(name)) for name in ("a.MD", "a.json", "a.jsonl", "a.ndjson", "a")] == [
        Medium.MARKDOWN,
        Medium.JSON,
        Medium.JSONL,
        Medium.JSONL,
        Medium.TEXT,
    ]


@given(data=st.binary(max_size=64))
def test_any_bytes_give_an_artifact(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(data)
    artifact = read_artifact("x", path)
    if artifact.text is None:
        assert artifact.faults
    else:
        mark = codecs.BOM_UTF8 if artifact.bom else b""
        assert mark + artifact.text.encode() == data


def test_read_text_gives_nothing_for_a_missing_file(tmp_path: Path) -> None:
    assert read_text(tmp_path / "x") is None
