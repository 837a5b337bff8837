"""What the examples of this family share."""

from __future__ import annotations

from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_TEXT, BASE_URL

REVIEW: dict[str, JSON] = {
    "stance": "supports",
    "rationale": "The quoted sentence states the rule.",
    "reviewed_by": "A. Reader",
    "derived_numbers": False,
}
"""A complete attestation."""


def finding(text: str = "", excerpt: str = "", review: JSON = None, **fields: JSON) -> dict[str, JSON]:
    """The base finding with another statement, another excerpt, or an attestation."""
    made: dict[str, JSON] = {**BASE_FINDING, **fields}
    if text:
        made["analysis"] = text
    if excerpt:
        made["evidence"] = [{"kind": "web", "url": BASE_URL, "excerpt": excerpt}]
    if review is not None:
        made["support_review"] = review
    return made


def page(sentence: str) -> list[JSON]:
    """The base page with one more sentence."""
    return [{**BASE_PAGE, "content": f"{BASE_TEXT}\n\n{sentence}"}]
