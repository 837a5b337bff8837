"""The sources of a run, made from the command line's options; nothing is imported or opened before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.errors import SourceError, Unavailable
from evidence_lint.model.capture import Capture, CaptureLimits, Extraction, Extractor
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.sources.ports import CaptureSource, NoCaptures, Sources, no_repository

KeepBody: TypeAlias = Callable[[str, bytes, str], None]


class Repositories:
    """Opens each checkout once. Close it with the stack that it was given."""

    def __init__(self, given: Path | None, stack: ExitStack) -> None:
        self._given = given
        self._stack = stack
        self._opened: dict[Path, RepositorySource] = {}

    def __call__(self, folder: Path) -> RepositorySource:
        """Return the checkout that was given, else the work tree around ``folder``."""
        from evidence_lint.sources.git import GitRepository, discover  # noqa: PLC0415 - GitPython only when asked for

        try:
            root = self._given if self._given is not None else discover(folder)
            if root is None:
                return no_repository(folder)
            if root not in self._opened:
                self._opened[root] = self._stack.enter_context(GitRepository.open(root))
        except SourceError as problem:
            raise Unavailable("no-checkout", str(problem)) from problem
        return self._opened[root]


class LiveCaptures:
    """Fetches pages through the egress gate, each distinct page once in a run."""

    def __init__(
        self,
        limits: CaptureLimits,
        allow_networks: Sequence[str],
        extractors: Mapping[str, Extractor],
        most_pages: int | None = None,
    ) -> None:
        """``most_pages`` is how many pages may be asked for in all (``limits.pages``), None for any number."""
        self._limits = limits
        self._most_pages = most_pages
        self._allow = tuple(allow_networks)
        self._extractors = extractors
        self._made: dict[str, Capture] = {}

    @property
    def made(self) -> Collection[Capture]:
        """Every capture of the run, in the order of their making."""
        return self._made.values()

    def get(self, urls: Collection[str], /, *, keep: KeepBody | None = None) -> Mapping[str, Capture]:
        """Return a capture for each URL, fetching the pages that were not fetched before.

        ``keep`` is called with URL, body and media type of every body that is read, from worker threads one at a time.
        Raises :class:`Unavailable`, and fetches nothing, when that would be more pages than the run may ask for.
        """
        from evidence_lint.sources.web.capture import capture_pages  # noqa: PLC0415 - httpx only when asked for

        missing = sorted({_page(url) for url in urls} - self._made.keys())
        if self._most_pages is not None and len(self._made) + len(missing) > self._most_pages:
            raise Unavailable(
                "page-limit",
                f"this run may fetch {self._most_pages} pages in all (limits.pages), and has fetched "
                f"{len(self._made)} of them; the {len(missing)} that are needed here were not fetched",
            )
        if missing:
            self._made.update(
                capture_pages(
                    missing,
                    extract=by_media_type(self._extractors, keep),
                    limits=self._limits,
                    allow_networks=self._allow,
                )
            )
        return {url: self._made[_page(url)].for_url(url) for url in urls}


def _page(url: str) -> str:
    """A URL without its fragment, which no server ever sees."""
    return url.partition("#")[0]


def by_media_type(extractors: Mapping[str, Extractor], keep: KeepBody | None = None) -> Extractor:
    """Make one extractor of many: the one of a body's media type, or else the one of ``*/*``."""
    lock = Lock()

    def extract(body: bytes, media_type: str, charset: str | None, url: str) -> Extraction:
        if keep is not None:
            with lock:
                keep(url, body, media_type)
        chosen = extractors.get(media_type.lower()) or extractors.get("*/*")
        if chosen is None:
            return Extraction(
                "", problem=f"nothing here reads {media_type or 'a body of no media type'}", unsupported=True
            )
        return chosen(body, media_type, charset, url)

    return extract


def extractors_of(catalogue: Catalogue) -> Mapping[str, Extractor]:
    """The text extractors of all plug-ins by media type; of two for one type that of the later plug-in counts."""
    found: dict[str, Extractor] = {}
    # pluggy calls the plug-in that was registered last first.
    for rows in reversed(catalogue.manager.hook.evidence_lint_extractors()):
        found.update({media_type.lower(): extractor for media_type, extractor in rows or ()})
    return found


def make_sources(
    stack: ExitStack,
    catalogue: Catalogue,
    *,
    repo: Path | None,
    offline: bool,
    limits: CaptureLimits,
    allow_networks: Sequence[str],
    most_pages: int | None = None,
) -> tuple[Sources, LiveCaptures]:
    """Make the sources of a run, and the store of what it captures."""
    captures = LiveCaptures(limits, allow_networks, extractors_of(catalogue), most_pages)
    return Sources(Repositories(repo, stack), NoCaptures() if offline else captures), captures


def worker_sources(repo: Path | None, stack: ExitStack, captures: CaptureSource) -> Sources:
    """Make the sources of a worker process, which opens repositories of its own and fetches through its parent."""
    return Sources(Repositories(repo, stack), captures)
