"""Code facts from Git blobs: 10,000 records against `git show` per fact and against raw `git cat-file --batch`.

The repository is made from the packages installed here (a thousand files or more), so the files are real. In one run:

- `witness`: `examine_code` on all records, as a check makes it (resolve, read, compare, reachability, changes since);
- `cat-file`: the same blobs, one request a fact, through one raw `git cat-file --batch`;
- `git show`: one process a fact, on a sample, scaled up.

    python benchmarks/code_facts.py [--facts 10000] [--runs 5]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

from evidence_lint.model.records import CodeRecord, Records, Row
from evidence_lint.sources.git import GitRepository
from evidence_lint.witness.claims import read_claims
from evidence_lint.witness.repository import examine_code

ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Bench",
    "GIT_AUTHOR_EMAIL": "bench@example.org",
    "GIT_COMMITTER_NAME": "Bench",
    "GIT_COMMITTER_EMAIL": "bench@example.org",
}


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, env=ENVIRONMENT, capture_output=True, check=True)
    return done.stdout.decode()


def make_repository(root: Path) -> tuple[str, list[Path]]:
    """Copy installed Python files into a repository of one commit."""
    packages = Path(sysconfig.get_paths()["purelib"])
    files: list[Path] = []
    for source in sorted(packages.rglob("*.py")):
        data = source.read_bytes()
        if 200 < len(data) < 200_000 and b"\r" not in data and data.isascii():
            target = root / source.relative_to(packages)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            files.append(source.relative_to(packages))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "packages")
    return git(root, "rev-parse", "HEAD").strip(), files


def make_records(root: Path, commit: str, files: list[Path], count: int) -> list[Row[CodeRecord]]:
    chance = random.Random(1)
    rows: list[Row[CodeRecord]] = []
    while len(rows) < count:
        path = chance.choice(files)
        lines = (root / path).read_text().split("\n")
        line = chance.randrange(len(lines))
        if not lines[line].strip():
            continue
        number = len(rows) + 1
        raw = {
            "id": f"code-{number}", "kind": "code", "path": path.as_posix(), "line": line + 1,
            "excerpt": lines[line], "commit": commit, "snapshot": "commit",
        }  # fmt: skip
        rows.append(Row("code_evidence", f"/evidence/{number - 1}", number, raw, CodeRecord.model_validate(raw)))
    return rows


def by_witness(root: Path, records: Records) -> int:
    with GitRepository.open(root) as repository:
        return sum(evidence.verified for evidence in examine_code(records, read_claims(records), repository))


def by_cat_file(root: Path, records: Records) -> int:
    """One request a fact and one answer at a time, as anybody would write it first."""
    command = ["git", "cat-file", "--batch"]
    with subprocess.Popen(command, cwd=root, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        good = 0
        for row in records.code:
            assert row.value is not None
            process.stdin.write(f"{row.value.commit}:{row.value.path}\n".encode())
            process.stdin.flush()
            size = int(process.stdout.readline().split()[2])
            data = process.stdout.read(size + 1)
            good += data.decode().split("\n")[int(str(row.value.line)) - 1] == row.value.excerpt
        process.stdin.close()
    return good


def by_git_show(root: Path, records: Records, sample: int) -> float:
    """Seconds that one `git show` a fact takes for all facts, scaled up from a sample."""
    begin = time.perf_counter()
    for row in records.code[:sample]:
        assert row.value is not None
        text = git(root, "show", f"{row.value.commit}:{row.value.path}")
        assert text.split("\n")[int(str(row.value.line)) - 1] == row.value.excerpt
    return (time.perf_counter() - begin) * len(records.code) / sample


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        commit, files = make_repository(root)
        records = Records(code=tuple(make_records(root, commit, files, options.facts)), root="/srv/author")
        print(f"{options.facts} facts over {len(files)} files")
        ratios: list[float] = []
        for number in range(options.runs + 1):
            begin = time.perf_counter()
            assert by_witness(root, records) == options.facts
            mine = time.perf_counter() - begin
            begin = time.perf_counter()
            assert by_cat_file(root, records) == options.facts
            raw = time.perf_counter() - begin
            print(
                f"{'warm-up' if not number else f'run {number}'}: witness {mine:.2f} s, cat-file {raw:.2f} s, "
                f"{mine / raw:.2f}x"
            )
            if number:
                ratios.append(mine / raw)
        shown = by_git_show(root, records, min(200, options.facts))
        print(
            f"git show, one process a fact: {shown:.0f} s (scaled from 200), {shown / mine:.0f}x as long as the witness"
        )
        print(f"median ratio to raw cat-file: {statistics.median(ratios):.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
