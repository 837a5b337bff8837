"""``--format html``: one page that needs nothing else, with no network access and a policy that forbids any.

Everything from reports and pages goes through Jinja's autoescaping; only this package's own style and script are put in
as they stand, and the page's content security policy names them by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from evidence_lint.model.result import FormatOptions, RunResult
from evidence_lint.version import __version__
from evidence_lint_plugins.formats.characters import visible
from evidence_lint_plugins.formats.html_views import bundle_views
from evidence_lint_plugins.formats.rows import counted, counts_words

_ASSETS = files("evidence_lint_plugins.formats") / "page"


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the page."""
    style, script = _asset("page.css"), _asset("page.js")
    environment = Environment(
        loader=BaseLoader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    bundles = bundle_views(run, options)
    return environment.from_string(_asset("page.html.j2")).render(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        style=Markup(style),  # noqa: S704 - this package's own file
        script=Markup(script),  # noqa: S704 - this package's own file
        version=__version__,
        run=run,
        bundles=bundles,
        counts=list(counts_words(run.counts)),
        ran=f"{counted(run.counts.ran, 'check')} ran on {counted(len(run.bundles), 'bundle')}",
        rules=sorted({(row.code, row.name) for bundle in bundles for row in bundle.verdicts}),
        outcomes=[kind for kind in _KINDS if any(row.kind == kind for b in bundles for row in b.verdicts)],
        confidences=[level for level in _LEVELS if any(f.effective == level for b in bundles for f in b.findings)],
    )


_KINDS = ("errored", "error", "warning", "info", "suppressed", "skipped", "passed")
_LEVELS = ("high", "medium", "low", "undecided", "unusable")


def _finalize(value: object) -> object:
    """Make text visible before it is escaped, so that no value can be forgotten."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
