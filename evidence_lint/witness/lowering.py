"""Whether words speak of something lowered, left out, failed or missing, and do not deny it (chapter 3).

A screen over free text. It decides whether a disclosure is one, so no denial may satisfy it (``No downgrade``,
``nothing was omitted``); a clause that is neither clearly one nor the other tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST = 4000
_CLAUSE = re.compile(
    r"[.!?;:,)(\]\[。！？；：，、（）](?=\s|$|[^\x00-\x7f])|[。！？；：，、（）()\[\]|]|\s[—–-]{1,3}\s|—|\n"
    r"|\b(?:because|since|but|so|hence|therefore|thus|although|though|whereas|while|yet|however|which|and(?=\s+(?:is|was|are"
    r"|were|has|have|had|could|can|cannot|must|will|did|does|do|so|therefore|stays?|remains?|it|its|the|this|that)\b))\b"
    r"|因此|所以|并且|而且|于是|從而|从而|因而|但是|但|故|而",
    re.IGNORECASE,
)
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://\S+", re.IGNORECASE)
_HARMLESS = re.compile(
    r"\bnot (?:only|just|least|merely|to mention)\b|\bno (?:\d|later|sooner|fewer)|不仅|不但", re.IGNORECASE
)

_LOWER = (
    r"\bdowngrad\w*|\bdemot\w+|\bdowngegrad\w*|\blower(?:ed|s|ing)\b|\breduced\b|\bcapped\b|\bweaken\w*|\bqualified\b"
    r"|\b(?:held|kept|limited|cut|set|rated|remains?|stays?|stands?|stated|reported|earns?|earned|supports?|is|was)"
    r"\s+(?:only\s+|back\s+|down\s+|just\s+)?(?:at\s+|to\s+|as\s+)?(?:only\s+|just\s+|merely\s+)?(?:medium|low)\b"
    r"|\b(?:only|just|merely|at most|at best|no more than|instead)\s+(?:at\s+)?(?:medium|low)\b"
    r"|\b(?:medium|low)\s+(?:only|at (?:most|best))\b"
    r"|\bhigh\b(?:(?!\bnot\b|n['’]t|\bnever\b|\bno\b)[^.;]){0,30}?(?:→|->|⇒|\bto\b|\bbecame\b|\bbecomes\b)\s*(?:only\s+)?(?:medium|low)\b"
    r"|\bbelow (?:high|medium|what)\b|\b(?:medium|low)\b[^.;]{0,30}\b(?:instead of|rather than|in place of)\b"
    r"|降级|降級|下调|下調|降低|降为|降為|調低|调低|格下げ|引き下げ|하향|강등"
    r"|\bherab\w+|\bherunter\w+|\brétrograd\w+|\babaiss\w+|\brebajad\w+|\bdegradad\w+|\brebaixad\w+"
)
_LACK = (
    r"\bomi(?:t|ss)\w*|\bexclu\w+|\bdropped\b|\bdropp\w+|\bleft out\b|\bleaves? out\b"
    r"|\bremov\w+|\bwithheld\b|\bwithdrawn\b"
    r"|\bdiscard\w+|\bunverif\w+|\bunsupport\w+|\bunusable\b|\bunavailable\b|\bunconfirmed\b|\bunproven\b|\bunpinned\b"
    r"|\bunreachable\b|\binaccessible\b|\bunreadable\b|\bunable\b|\bunanswered\b|\bunresolved\b|\bmissing\b|\babsent\b|\babsence\b"
    r"|\black(?:s|ed|ing)?\b|\bfail\w*|\binsufficient\w*|\binconclusive\b|\bincomplete\b|\bimpossible\b|\bstale\b|\bgone\b"
    r"|\bblocked\b|\btimed out\b|\btime-?outs?\b|\berrors?\b|\bHTTP [45]\d\d\b|\bpaywall\w*|\btruncated\b|\bexhaust\w*"
    r"|\bdirty\b|\bpending\b|\bretracted\b|\bcut off\b|\brefused\b|\bmismatch\w*"
    r"|无法|無法|未能|不足|缺|省略|遗漏|遺漏|删除|刪除|剔除|排除|略去|失败|失敗|未经|未經"
    r"|除外|省い|未確認|欠け|ません|できな|なかった|見つから|제외|생략|없|않|못|미확인|부족"
    r"|\bausgelassen|\bweggelassen|\bfehl\w+|\bomitid\w+|\bfalta\w*|\bmanqu\w+"
)
_NOT = (
    r"\bnot\b|\bno\b|n['’]t\b|\bnever\b|\bcannot\b|\bnone\b|\bnothing\b|\bnobody\b|\bwithout\b|\bneither\b|\bnor\b|\bnon\b|\bnil\b|\bzero\b"
    r"|\bfree of\b|\bhardly\b|未|无|無|没有|沒有|没|沒|不|非"
    r"|\bnicht\b|\bkein\w*|\bohne\b|\bpas\b|\baucun\w*|\bsans\b|\bsin\b|\bning[uú]n\w*|\bnão\b|\bnenhum\w*|\bsem\b"
)
_FINE = (
    r"\b(?:problems?|issues?|doubts?|doubted|faults?|gaps?|limitations?|concerns?|reservations?|exceptions?|defects?|caveats?"
    r"|weakness\w*|objections?|complaints?|need|needs|needed|necessary|required|questions?|questioned|disput\w+|difficult\w*"
    r"|trouble|changes?|changed|differences?|hesitation|worr\w+|better|clearer|stronger"
    r"|to (?:add|report|note|say|tell|disclose"
    r"|declare|document|mention)|applicable|applies|apply|contradict\w*|wrong|bad|amiss)\b|问题|問題|疑问|疑問|异议|需|必要|影响|例外"
)
_REACH = 8
"""How many words after a negation it still denies."""
_REACH_HAN = 6
"""And how many ideographs."""
_VALUE = (
    r"(?:none|no|nil|zero|0|n/?a|not applicable|nothing|not (?:needed|required|necessary|applied)|-+|—|无|無|没有|否)"
)

_TOKEN = re.compile(
    rf"(?P<lower>{_LOWER})|(?P<lack>{_LACK})|(?P<fine>{_FINE})|(?P<no>{_NOT})|(?P<word>[a-zA-Z0-9_]+?(?=n['’]t\b)|[a-zA-Z0-9_]+|[^\W_])",
    re.IGNORECASE,
)
_NO_NEED = re.compile(
    rf"\b(?:is|are|was|were)\s+(?:un(?:necessary|needed|founded|warranted)|{_VALUE}\W*$)|[=＝]\s*{_VALUE}\W*$",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\W*(?:none|nothing|no \w+)(?:\s+(?:documented|known|identified|recorded|observed|planned|noted|else|here))?\W*",
    re.IGNORECASE,
)
_SAYS_NONE = re.compile(
    rf"[^\n]{{1,120}}?\s*(?:[:：=]|\s[—–-]{{1,2}}\s)\s*{_VALUE}(?:\s+(?:at all|known|documented|identified|planned"
    r"|recorded|found|observed|needed|applied|made|required|necessary))?\W*$",
    re.IGNORECASE,
)
_ABOUT_CONFIDENCE = re.compile(r"\b(?:high|medium|low|confidence|label)\b|置信|信心|可信", re.IGNORECASE)
_EMPTY_VALUE = re.compile(
    rf"\W*(?:{_VALUE}|none (?:needed|required|necessary|applied|made|at all)"
    r"|no (?:downgrades?|changes?|need|reason)(?: \w+){0,3}"
    r"|unnecessary|does not apply|nowhere|never)?\W*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[;。；])|(?<=[.!?])\s|\n")


def clauses(text: str) -> Sequence[str]:
    """A text cut into clauses: a negation in one says nothing about the next."""
    return [part.strip() for part in _CLAUSE.split(text[:_LONGEST]) if part and part.strip()]


def lowers(text: str) -> bool:
    """Whether some clause says, undenied, that something was lowered."""
    return any("lower" in _affirmed(clause) for clause in _told(text))


def lacks(text: str) -> bool:
    """Whether some clause says, undenied, that something was lowered, left out, failed, or is not there."""
    return any(_affirmed(clause) for clause in _told(text))


def lowers_confidence(text: str) -> bool:
    """Whether some sentence says, undenied, that a confidence was lowered."""
    return any(_ABOUT_CONFIDENCE.search(sentence) and lowers(sentence) for sentence in _SENTENCE.split(text[:_LONGEST]))


def is_reason(value: str) -> bool:
    """Whether what follows ``Downgrade:`` is a reason: not empty, and not a denial such as ``none``."""
    parts = re.split(r"[.;,(（。；，]", value[:_LONGEST])
    return not _EMPTY_VALUE.fullmatch(parts[0]) or any(lowers(part) for part in parts[1:])


def _told(text: str) -> Sequence[str]:
    """The clauses of the sentences that do more than say ``label: none``."""
    sentences = [
        part
        for part in _SENTENCE.split(_URL.sub(" ", text[:_LONGEST]))
        if part.strip() and not _SAYS_NONE.fullmatch(part.strip())
    ]
    return [clause for sentence in sentences for clause in clauses(sentence)]


def _affirmed(clause: str) -> frozenset[str]:
    """Which of ``lower`` and ``lack`` a clause says and does not deny.

    A negation denies what follows within its reach; one that has nothing of that kind to deny tells a lack itself.
    """
    plain = _HARMLESS.sub(" ", clause)
    if _NOTHING.fullmatch(plain) or _NO_NEED.search(plain):
        return frozenset()
    found: set[str] = set()
    reach, open_no = 0.0, False
    for token in _TOKEN.finditer(plain):
        kind = str(token.lastgroup)
        if kind == "no":
            reach, open_no = float(_REACH), open_no or reach <= 0
        elif kind != "word" and reach > 0:
            open_no = False
        elif kind in ("lower", "lack"):
            found.add(kind)
        # An ideograph is less than a word.
        reach -= _REACH / _REACH_HAN if "\u3400" <= token[0] <= "\u9fff" else 1.0
    if open_no:
        found.add("lack")
    return frozenset(found)
