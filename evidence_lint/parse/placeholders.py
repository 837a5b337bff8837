"""Statements of absence: rows that say that there is nothing to say (chapter 1, "Placeholders are not claims").

A recogniser of words, not of meaning. It asks that *every* sentence of the row is about the evidence itself
(``No finding had verified evidence.``), never about the world (``No CVSS field exists in the schema.``), carries no
number or URL, and does not go on with a ``but``. What it cannot tell: a sentence about evidence that is meant as a
claim (``No source was retrieved by the crawler.``). Callers apply it only to a sole row without citation and label, and
rules only where the records hold no usable row; that keeps the rest of its errors harmless.
"""

from __future__ import annotations

import re

_LONGEST = 400
_WORDS = re.compile(
    r"(?:none|n/?a|nil|nothing|empty|unknown|not applicable|none yet|-+|—+|–+|无|暂无|没有|不适用|未评估|無)",
    re.IGNORECASE,
)
_MATTER = (
    r"(?:findings?|statements?|evidence|sources?|records?|claims?|rows?|entr(?:y|ies)|debates?|disagreements?|conflicts?"
    r"|contradictions?|contradictory|consensus|agreements?|analys[ie]s|sections?|subtopics?|material|results?|units?|items?"
    r"|positions?|citations?|counter-?evidence|viewpoints?|documents?|receipts?)"
)
_STATE = (
    r"(?:verified|unverified|captured|collected|recorded|documented|assessed|retrieved|listed|supported|supporting|found"
    r"|gathered|produced|identified|available|at hand|published|established|obtained|reported|cited|present|usable"
    r"|extracted|observed|evaluated|surfaced|noted|attached|provided|evidence|evidenced|confirmed)"
)
_ABSENT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"none\s+(?:\w+\s+){{0,3}}?{_STATE}\b",
        rf"(?:no|zero)\s+(?:[\w/-]+,?\s+){{0,5}}?{_MATTER}\b(?!\s+(?:of|that|for|which|who)\b).*\b{_STATE}\b",
        rf"(?:no|zero)\s+(?:{_STATE}|usable|competing|opposing|conflicting)\s+(?:[\w/-]+\s+){{0,3}}?{_MATTER}\b[^,;:]{{0,60}}",
        rf"nothing\s+(?:\w+\s+){{0,3}}?{_STATE}\b",
        rf"neither\s+(?:\w+\s+){{0,6}}{_STATE}\b",
        rf"(?:not|never)\s+(?:\w+\s+){{0,2}}?(?:applicable|performed|determined|{_STATE})\b",
        r"(?:quick|standard|deep)\s+mode\b.*\bnot\b.*",
        r"(?:this|the)\s+(?:sub)?section\s+(?:is|was|has been)\s+(?:intentionally\s+)?(?:left\s+)?(?:empty|blank)\b",
        r"(?:尚|暂)?(?:未|没有|沒有|无|無)(?:能)?(?:\w{0,8})(?:证据|證據|来源|來源|发现|發現|陈述|记录|記錄|收集|捕获|评估|検索|检索|获得|争议|分歧|支持|核实|验证)",
    )
)
_PREFIX = re.compile(
    r"(?:(?:quick|standard|deep)\s+mode|not (?:assessed|applicable)|n/?a|none|blocked|note|结果|备注)\s*[:：—–-]\s*",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"(?:see|refer to|details?(?: are)? in)\b.{0,80}\b(?:section|findings?|gaps?|limitations|above|below)\b"
    r"|section\s+(?:\w+|\d+)\s+(?:names|lists|says|states|tells|explains|documents)\b.{0,80}"
    r"|(?:see|参见|详见)",
    re.IGNORECASE,
)
_SUBTOPIC_POINTER = re.compile(
    r"(?:the\s+)?key\s+findings\b.{0,60}"
    r"\b(?:carry|carries|contain|hold|cover|give|state|are|form|make up|present)\b.{0,60}"
    r"|(?:see|refer to)\s+(?:the\s+)?key\s+findings\b.{0,60}"
    r"|(?:all|the (?:whole|entire|full|complete))\s+analysis\b.{0,60}\bkey\s+findings\b.{0,40}",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:but|however|although|though|yet|except|nevertheless|still|instead|therefore)\b|但|然而|不过", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?;。！？；])\s*")
_PLACES = re.compile(r"\b(?:section|chapter)\s+\d\b|\bT[1-5]\b|\(?§\s*\d\)?", re.IGNORECASE)


def states_absence(text: str) -> bool:
    """Whether every sentence of ``text`` says that evidence, findings or statements are absent."""
    return _every(text, subtopic=False)


def defers_analysis(text: str) -> bool:
    """Whether a subtopic says only that there is no analysis, or that the key findings are all of it."""
    return _every(text, subtopic=True)


def _every(text: str, *, subtopic: bool) -> bool:
    plain = " ".join(text.split()).strip("*_`()[] ")
    if not plain or len(plain) > _LONGEST or "://" in plain or _TURN.search(plain):
        return False
    if any(char.isdigit() for char in _PLACES.sub("", plain)):
        return False
    sentences = [part.strip(" .!?;。！？；") for part in _SENTENCE.split(plain)]
    judged = [_judge(part, subtopic=subtopic) for part in sentences if part]
    return bool(judged) and all(judged) and any(kind == "absent" for kind in judged)


def _judge(sentence: str, *, subtopic: bool) -> str:
    prefix = _PREFIX.match(sentence)
    body = sentence[prefix.end() :] if prefix else sentence
    for candidate in (sentence, body):
        if _WORDS.fullmatch(candidate) or any(pattern.match(candidate) for pattern in _ABSENT):
            return "absent"
    if subtopic and _SUBTOPIC_POINTER.fullmatch(sentence):
        return "absent"
    if _POINTER.match(sentence):
        return "pointer"
    return ""
