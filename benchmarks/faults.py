"""Fault injection: how many single faults are found, and how many harmless edits raise an alarm.

    python benchmarks/faults.py --seed 1 --rounds 20            # print the table
    python benchmarks/faults.py --seed 1 --rounds 20 --write    # and put it into docs/fault-injection.md

A round makes one repository and a clean bundle of each kind, and applies every kind of fault and of harmless edit at
``--places`` places of each. Exit status 1 when a fault is missed, an edit raises an alarm or a clean bundle fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.faults.suite import Tallies, Tally, run_round  # noqa: E402 - the suite lies beside the package

PAGE = ROOT / "docs" / "fault-injection.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--places", type=int, default=2, help="places of each kind in each bundle (default: 2)")
    parser.add_argument("--only", default="", help="kinds whose name holds this text")
    parser.add_argument("--jobs", type=int, default=1, help="rounds at a time (default: 1)")
    parser.add_argument("--write", action="store_true", help="update docs/fault-injection.md")
    options = parser.parse_args()
    started = time.monotonic()
    seeds = [f"{options.seed}-{number}" for number in range(options.rounds)]
    tallies = Tallies()
    with ProcessPoolExecutor(options.jobs) as pool:
        one = partial(run_round, per_kind=options.places, only=options.only)
        for number, found in enumerate(pool.map(one, seeds), start=1):
            tallies.add(found)
            print(f"round {number} of {options.rounds}", file=sys.stderr)
    made = table(tallies)
    print(made)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    wrong = report_faults(tallies)
    if options.write:
        write(made, options.seed, options.rounds, options.places)
    return 1 if wrong else 0


def table(tallies: Tallies) -> str:
    """The table as Markdown."""
    faults = [row for row in tallies.faults.items() if row[1].applied]
    edits = [row for row in tallies.harmless.items() if row[1].applied]
    applied, found = (sum(getattr(row, name) for _, row in faults) for name in ("applied", "hits"))
    lines = [
        f"{len(faults)} kinds of faults, {applied} applied, {found} found: recall {_percent(found, applied)}. "
        f"{len(edits)} kinds of harmless edits, {sum(row.applied for _, row in edits)} applied, "
        f"{sum(row.hits for _, row in edits)} false alarms. {tallies.clean.applied} clean bundles, "
        f"{tallies.clean.hits} false alarms.",
        "",
        "| fault | applied | found | recall |",
        "|---|--:|--:|--:|",
        *(f"| {name} | {row.applied} | {row.hits} | {_percent(row.hits, row.applied)} |" for name, row in faults),
        "",
        "| harmless edit | applied | false alarms |",
        "|---|--:|--:|",
        *(f"| {name} | {row.applied} | {row.hits} |" for name, row in edits),
    ]
    return "\n".join(lines)


def _percent(part: int, whole: int) -> str:
    """A share, never rounded up to 100 %."""
    return f"{part * 1000 // max(whole, 1) / 10:g} %"


def report_faults(tallies: Tallies) -> bool:
    """Show what was missed or raised an alarm; whether there was any."""
    rows: list[tuple[str, Tally]] = [("a clean bundle", tallies.clean)]
    rows += [(name, row) for name, row in tallies.faults.items() if row.hits < row.applied]
    rows += [(name, row) for name, row in tallies.harmless.items() if row.hits]
    for name, row in rows:
        for sample in row.samples:
            print(f"{name}: {sample}", file=sys.stderr)
    return any(row.samples for _, row in rows)


def write(made: str, seed: int, rounds: int, places: int) -> None:
    """Put the table between the marks of the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    command = f"`python benchmarks/faults.py --seed {seed} --rounds {rounds} --places {places} --write`"
    PAGE.write_text(f"{before}{BEGIN}\nMade by {command}.\n\n{made}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
