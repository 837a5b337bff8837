"""The pytest plug-in: receipts of test runs (chapter 5), and reports as tests (chapter 10).

Every pytest run where evidence-lint is installed imports this file, so it imports nothing else: without one of its
options a run is as it would be without evidence-lint. PYTEST_DONT_REWRITE
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("evidence-lint", "evidence-lint: research evidence")
    group.addoption(
        "--evidence-receipt",
        metavar="FILE",
        default=None,
        help="Write a host test receipt of this run to FILE (JSON), which must not exist yet.",
    )
    group.addoption(
        "--evidence-covers",
        metavar="ID",
        action="append",
        default=None,
        help="A finding or code record that the run is evidence for (repeatable, commas).",
    )
    group.addoption("--evidence-id", metavar="ID", default="test-1", help="The receipt's id (default: test-1).")
    group.addoption(
        "--evidence-lint",
        action="store_true",
        default=False,
        help="Collect research reports, each check of evidence-lint as a test.",
    )
    group.addoption(
        "--evidence-lint-offline",
        action="store_true",
        default=False,
        help="Use no network: a High that only a live capture could earn then fails.",
    )
    group.addoption(
        "--evidence-lint-repo",
        metavar="DIR",
        default=None,
        help="The checkout that repository records speak about (default: the work tree around each report).",
    )
    parser.addini("evidence_lint", "Collect research reports, as --evidence-lint does.", type="bool", default=False)
    parser.addini("evidence_lint_offline", "Use no network for them.", type="bool", default=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, None, None]:
    """Begin a receipt before anything of the tested repository is imported."""
    options = early_config.known_args_namespace
    if getattr(options, "evidence_receipt", None):
        # Lazy: only a run that is recorded pays for the recorder.
        from evidence_lint.recording import recorder  # noqa: PLC0415

        if _is_worker():
            early_config.pluginmanager.register(recorder.WorkerFiles(), "evidence_lint_worker")
        else:
            recorder.begin(early_config, options)
    return (yield)


def _is_worker() -> bool:
    """Whether this is a worker of xdist, and no run of its own that a test in one has started."""
    return "PYTEST_XDIST_WORKER" in os.environ and sys.argv[:1] == ["-c"]


def pytest_configure(config: pytest.Config) -> None:
    """Collect reports, if asked to."""
    if config.getoption("evidence_lint") or config.getini("evidence_lint"):
        from evidence_lint.pytest_reports import ReportCollection  # noqa: PLC0415

        config.pluginmanager.register(ReportCollection(config), "evidence_lint_reports")
