"""Statements of absence: rows that say that there is nothing to say (chapter 1, "Placeholders are not claims").

A recogniser of words, not of meaning. It asks that *every* sentence of the row is about the evidence itself
(``No finding had verified evidence.``), never about the world (``No CVSS field exists in the schema.``), carries no
number or URL, and does not go on with a ``but``. What it cannot tell: a sentence about evidence that is meant as a
claim (``No source was retrieved by the crawler.``). Callers apply it only to a sole row without citation and label, and
rules only where the records hold no usable row; that keeps the rest of its errors harmless.
"""

from __future__ import annotations

import re

from evidence_lint.parse.absence_words import CLOSED, absent_in_other_languages, words_of

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
        rf"(?:no|zero)\s+(?:[\w/-]+,?\s+){{0,5}}?{_MATTER}\b(?!\s+(?:of|that|for|which|who)\b)[^:;—–]*?\b{_STATE}\b",
        rf"(?:no|zero)\s+(?:{_STATE}|usable|competing|opposing|conflicting)\s+(?:[\w/-]+\s+){{0,3}}?{_MATTER}\b",
        rf"nothing\s+(?:\w+\s+){{0,3}}?{_STATE}\b",
        rf"neither\s+(?:\w+\s+){{0,6}}{_STATE}\b",
        rf"(?:not|never)\s+(?:\w+\s+){{0,2}}?(?:applicable|performed|determined|{_STATE})\b",
        r"(?:quick|standard|deep)\s+mode\b[^:;—–]{0,80}?\b(?:not|no|without|skip\w*)\b",
        r"(?:this|the)\s+(?:sub)?section\s+(?:is|was|has been)\s+(?:intentionally\s+)?(?:left\s+)?(?:empty|blank)\b",
        r"(?:(?:with|given|as there is|since there is|there is)\s+)?"
        r"(?:only\s+|just\s+|but\s+)?(?:a|one)(?:\s+single)?\s+"
        r"(?:source|finding|document|page|record|statement)(?:\s+(?:here|at hand|alone))?,?\s+(?:so\s+)?there\s+is\s+"
        r"nothing\s+to\s+(?:agree|disagree|compare|debate|contrast|contradict|weigh|reconcile)\b",
        r"there\s+is\s+nothing\s+to\s+(?:agree|disagree|compare|debate|contrast|contradict|reconcile)\b",
    )
)
_PREPOSITION = re.compile(
    r"(?:for|on|about|of|in|within|by|from|to|against|between|among|across|at|beyond|regarding|concerning|with|during"
    r"|under|as to)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:that|which|who|whether|is|are|was|were|be|been|must|will|shall|can|cannot|could|should|would|may|does|do|did|has"
    r"|have|had|never|always|fact|facts|truth|obvious\w*|plain|clear\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_ASSERTED = re.compile(
    r"\b(?:facts?|truth|obvious\w*|plain(?:ly)?|clear(?:ly)?|certain(?:ly)?|undeniabl\w*)\b", re.IGNORECASE
)
_PARTS = re.compile(r"\s*[,:;：；，()—–]\s*|\s+-+\s+")
_LEAD = re.compile(r"(?:and|or|nor|so|hence|thus|while|because|since|as)\s+", re.IGNORECASE)
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
_ABOUT_REPORT = re.compile(
    r"\b(?:findings?|sections?|chapters?|evidence|sources?|records?|recorded|confidence|labels?|labelled|downgrad\w*|reports?|excerpts?"
    r"|citations?|cited|claims?|statements?|omitted|omission|unverified|verified|verif\w+|retriev\w+|captur\w+|above|below|bullets?"
    r"|strongest|weakest|ordered|order|pages? (?:failed|could)|fetch\w*|live run|T[1-5]|tiers?|index)\b"
    r"|结论|发现|证据|来源|置信|本节|上述|以上|验证|核实|章节|引用"
    r"|Befund|Ergebnis|Abschnitt|Beleg|Quelle|Aussage|constat|résultat|section|preuve|confiance|hallazgo|sección|evidencia|fuente"
    r"|confianza|achado|seção|evidência|fonte|confiança|所見|証拠|出典|信頼|결과|증거|출처|신뢰|вывод|раздел|источник|доказательств",
    re.IGNORECASE,
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


def speaks_of_report(text: str) -> bool:
    """Whether every sentence speaks of the report and its evidence, as a lead-in or a closing remark does."""
    plain = " ".join(text.split())
    sentences = [part for part in _SENTENCE.split(plain) if re.search(r"\w", part)]
    return all(_ABOUT_REPORT.search(part) or states_absence(part) for part in sentences)


def _judge(sentence: str, *, subtopic: bool) -> str:
    prefix = _PREFIX.match(sentence)
    body = sentence[prefix.end() :] if prefix else sentence
    if any(_is_absence(candidate) for candidate in (sentence, body)):
        return "absent"
    if subtopic and _SUBTOPIC_POINTER.fullmatch(sentence):
        return "absent"
    if _POINTER.match(sentence):
        return "pointer"
    return ""


def _is_absence(sentence: str) -> bool:
    if _WORDS.fullmatch(sentence) or absent_in_other_languages(sentence):
        return True
    for pattern in _ABSENT:
        match = pattern.match(sentence)
        if match and not _ASSERTED.search(sentence) and _harmless(sentence[match.end() :]):
            return True
    return False


def _harmless(tail: str) -> bool:
    """Whether what follows a statement of absence asserts nothing: it names the topic, or speaks of evidence alone."""
    return all(_harmless_part(part, first=place == 0) for place, part in enumerate(_PARTS.split(tail)))


def _harmless_part(part: str, *, first: bool) -> bool:
    words = words_of(part)
    if all(word in CLOSED for word in words):
        return True
    if (first or _PREPOSITION.match(part)) and _names_topic(part):
        return True
    plain = _LEAD.sub("", part, count=1)
    return bool(_POINTER.match(plain)) or any(pattern.match(plain) for pattern in _ABSENT)


def _names_topic(part: str) -> bool:
    """Evidence words that end in a prepositional phrase without a verb of its own: *for session timeouts*."""
    words = part.split()
    place = next((at for at, word in enumerate(words) if word.strip("\"'“”").lower() not in CLOSED), len(words))
    before = words[:place]
    anchor = next((at for at in range(len(before) - 1, -1, -1) if _PREPOSITION.fullmatch(before[at])), None)
    return anchor is not None and len(words) - anchor <= 12 and not _CLAUSE.search(" ".join(words[anchor:]))
