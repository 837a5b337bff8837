"""From which folder of the checkout the records' paths count (chapters 2 and 5).

The declared root is a name from another machine and is never opened. It may name a sub-directory of the author's work
tree; then every path, pinned or not, counts from that folder. What it names is told by its last components: a folder
of the checkout that is called so is a candidate, and the candidate at which the most records stand is taken, the top
before any other. That decides nothing in a fabricator's favour: the lines must stand in the file either way.
"""

from __future__ import annotations

from collections.abc import Sequence

from evidence_lint.errors import SourceError
from evidence_lint.model.records import Records
from evidence_lint.model.repository import EntryKind, Resolution
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.witness.checkout import Checkout, Refused
from evidence_lint.witness.code_claims import CodeClaim, read_code_claim
from evidence_lint.witness.paths import path_bytes, read_path

_DEEPEST = 6
_RECORDS_TRIED = 200


def base_folder(records: Records, repository: RepositorySource) -> str:
    """The folder below the top of the checkout, "" for the top itself."""
    candidates = _candidates(records.root or "", repository)
    if len(candidates) == 1:
        return candidates[0]
    claims = [read_code_claim(row) for row in records.code[:_RECORDS_TRIED]]
    usable = [claim for claim in claims if not claim.faults]
    best, most = "", -1
    for base in candidates:
        count = _standing(Checkout(repository, base), usable, records)
        if count > most:
            best, most = base, count
    return best


def _candidates(root: str, repository: RepositorySource) -> Sequence[str]:
    top = repository.root
    if top is not None and root.rstrip("/") == str(top):
        return ("",)
    names = [name for name in root.replace("\\", "/").split("/") if name not in ("", ".")]
    try:
        head = repository.head()
        if head is None:
            return ("",)
        folders = [
            folder
            for depth in range(1, min(len(names), _DEEPEST) + 1)
            if isinstance(folder := read_path("/".join(names[-depth:])), str)
            and (entry := repository.entry(head, path_bytes(folder) or b"")) is not None
            and entry.kind is EntryKind.DIRECTORY
        ]
    except SourceError:
        return ("",)
    return ("", *folders)


def _standing(checkout: Checkout, claims: Sequence[CodeClaim], records: Records) -> int:
    """How many code records hold, and how many tested paths are files, if paths count from this folder."""
    return sum(_holds(checkout, claim) for claim in claims) + _tested_files(checkout, records)


def _holds(checkout: Checkout, claim: CodeClaim) -> bool:
    if claim.pinned:
        commit = checkout.resolve(claim.commit)
        file = commit if isinstance(commit, Refused) else checkout.committed(commit, claim.path)
    else:
        file = checkout.worktree(claim.path)
    return not isinstance(file, Refused) and file.lines.holds(claim.line, claim.excerpt)


def _tested_files(checkout: Checkout, records: Records) -> int:
    count = 0
    for row in records.receipts[:_RECORDS_TRIED]:
        raw = row.raw if isinstance(row.raw, dict) else {}
        repository, paths = raw.get("repository"), raw.get("tested_paths")
        digits = repository.get("head_commit") if isinstance(repository, dict) else None
        if not isinstance(digits, str) or not isinstance(paths, list):
            continue
        try:
            found = checkout.repository.resolve(digits)
            if found.state is not Resolution.OK or found.oid is None:
                continue
            names = [path for given in paths[:_RECORDS_TRIED] if isinstance(path := read_path(given), str)]
            kinds = [checkout.kind(found.oid, path) for path in names]
        except SourceError:
            continue
        count += sum(kind in (EntryKind.FILE, EntryKind.EXECUTABLE) for kind in kinds)
    return count
