"""What a test runner's own summary line says: whether any test passed, and whether any failed.

Only lines that have the shape of a runner's summary are read; prose about tests says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_READ = 20_000
_LONGEST_LINE = 300

_COUNT = r"\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed)"
_PYTEST = re.compile(rf"=*\s*({_COUNT}(?:, {_COUNT})*)(?: in [\d.]+ ?s(?:econds)?)?(?: \([\d:]+\))?\s*=*")
_PART = re.compile(r"(\d+) (\w+)")
_NOTHING = re.compile(
    r"=*\s*(?:no tests ran(?: in [\d.]+s)?|no tests collected.*|collected 0 items.*|"
    r"ran 0 tests(?: in [\d.]+s)?(?:[.;,]? ok)?|"
    r"no test files|.*\[no test files\]|.*\[no tests to run\]|testing: warning: no tests to run|"
    r"0 tests(?: run| ran| passed| executed)?|no tests found.*|no test is available in .*|no test matches .*|"
    r"total tests: 0|0 passing.*|tests:\s+0 total)\.?\s*=*",
    re.IGNORECASE,
)
_CARGO = re.compile(r"test result: (\w+)\. (\d+) passed; (\d+) failed;.*")
_SUREFIRE = re.compile(r"(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+).*")
_JEST = re.compile(r"Tests:\s+((?:\d+ \w+, )*)(\d+) total")
_RAN = re.compile(r"Ran (\d+) tests?(?: in [\d.]+s)?")
_UNITTEST_SKIPPED = re.compile(r"OK \((?:.*, )?skipped=(\d+)(?:, .*)?\)")
_DOTNET = re.compile(r"(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), .*")
_GO_OK = re.compile(r"ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*")
_FAILED = re.compile(
    r"FAIL(?:ED)?:? +(?:[\w./-]+\.py::\S+|test\S*(?: \([\w.]+\))?)(?: - .*)?"
    r"|not ok \d+(?! .*# (?:TODO|SKIP)).*|test \S+ \.\.\. FAILED|[1-9]\d* failing"
    r"|(?:there (?:was|were) )?[1-9]\d* (?:of \d+ )?(?:tests? (?:have |has )?failed"
    r"|(?:test )?failures?)(?: out of \d+.*)?\.?"
    r"|FAILED \((?:failures|errors)=\d+.*\)|--- FAIL: .*|FAIL(?:\s+\S+\s+[\d.]+s)?"
)

_NONE_PASSED = "no test passed"
_SOME_FAILED = "a test failed"


def read_summary(text: str) -> str:
    """What in the summary contradicts a passed run, as the end of a sentence; "" when nothing does."""
    counts = list(_counts(text[:_READ]))
    if any(failed for _, failed in counts):
        return _SOME_FAILED
    if counts and not any(passed for passed, _ in counts):
        return _NONE_PASSED
    return ""


def _counts(text: str) -> Iterator[tuple[int, int]]:
    """Passed and failed tests, for each line that tells them."""
    ran: int | None = None
    for line in (line.strip() for line in text.splitlines() if len(line) <= _LONGEST_LINE):
        if _NOTHING.fullmatch(line):
            yield 0, 0
        elif _GO_OK.fullmatch(line):
            yield 1, 0
        elif _FAILED.fullmatch(line):
            yield 0, 1
        elif found := _PYTEST.fullmatch(line):
            yield from _pytest(found[1])
        elif found := _CARGO.fullmatch(line):
            yield int(found[2]), int(found[3])
        elif found := _SUREFIRE.fullmatch(line):
            total, failures, errors, skipped = (int(group) for group in found.groups())
            yield total - failures - errors - skipped, failures + errors
        elif found := _JEST.fullmatch(line):
            told = {word: int(number) for number, word in _PART.findall(found[1])}
            yield told.get("passed", 0), told.get("failed", 0)
        elif found := _DOTNET.fullmatch(line):
            yield int(found[2]), int(found[1])
        elif found := _RAN.fullmatch(line):
            ran = int(found[1])
            if not ran:
                yield 0, 0
        elif ran and (found := _UNITTEST_SKIPPED.fullmatch(line)):
            yield ran - int(found[1]), 0


def _pytest(line: str) -> Iterator[tuple[int, int]]:
    told = {word.rstrip("s") if word.startswith("error") else word: int(n) for n, word in _PART.findall(line)}
    if told.keys() - {"warning", "warnings", "subtests"}:
        yield told.get("passed", 0) + told.get("xpassed", 0), told.get("failed", 0) + told.get("error", 0)
