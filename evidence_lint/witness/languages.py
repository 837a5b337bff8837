"""Word tables by language: negations, exceptions and conditions, stop words, and words that spaces turn round.

Everything here is data in normal form (see ``normalize``), so that a language is added by adding a row. Code that
reads the tables must work for a language that has none: a missing row weakens a screen, it never breaks one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
CJK = HAN + HIRAGANA + KATAKANA + HANGUL
"""Body of a regular-expression class: scripts in which chapter 4 counts six characters as enough."""

UNSPACED = CJK + "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
"""Scripts that write no space between words (or, as Hangul, glue particles to them): no edge is inside a word."""

HAN_NUMERALS = "〇零一二三四五六七八九十百千万亿兆萬億"


@dataclass(frozen=True, slots=True)
class Language:
    """What one language uses to deny, except or condition a statement.

    Words are whole words where the script has spaces; where it has none they match as text. *leads* are the words
    that may stand between a denying word and the excerpt it governs (``not be |permitted``); *auxiliaries* those
    that may stand between an excerpt and a denying word after it (``the data |is not kept``); *openers* condition an
    excerpt only from before it (``whether |the data is kept``). *harmless* are phrases that hold a denying word
    without denying anything (``not only``).
    """

    negations: tuple[str, ...]
    exceptions: tuple[str, ...]
    conditions: tuple[str, ...]
    leads: tuple[str, ...] = ()
    auxiliaries: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    stop_words: tuple[str, ...] = ()
    spaced: bool = True


_ENGLISH_STOP = _words(
    """
    a an the and or but if of at by for with about against between into through during before after above
    below to from up down in out on off over under again then once here there when where why how all any
    both each few more most other some such no nor not only own same so than too very can will just should
    now is am are was were be been being have has had having do does did doing would could may might must
    shall i me my we our you your he him his she her it its they them their what which who whom this that
    these those as also there's it's don't doesn't isn't
    """
)

LANGUAGES: dict[str, Language] = {
    "en": Language(
        negations=_phrases(
            """
            not, never, no, cannot, neither, nor, none, nobody, nothing, hardly, scarcely, barely,
            no longer, fails to, fail to, failed to, unable to, refuses to, refused to, rather than,
            instead of, far from, ain't, don't, doesn't, didn't, isn't, aren't, wasn't, weren't,
            won't, wouldn't, can't, couldn't, shouldn't, mustn't, hasn't, haven't, hadn't, needn't,
            false that, untrue that, no evidence that, denies that, denied that, myth that, doubtful
            that, unlikely to, unlikely that, prohibited from, forbidden to, prevented from
            """
        ),
        exceptions=_phrases(
            """
            unless, except, except for, except when, except where, except if, except that,
            excepting, excluding, other than, apart from, aside from, save for, with the exception
            of, but only, until, but not
            """
        ),
        conditions=_phrases(
            """
            if, only if, only when, only where, only for, provided, provided that, providing that,
            without, as long as, so long as, on condition that, assuming, assuming that, in case,
            subject to, on the condition that
            """
        ),
        leads=_phrases(
            """
            be, been, being, to, yet, currently, necessarily, always, generally, fully, a, an, the,
            any, have, even, ever, normally, usually, typically, in, it, by, of, that
            """
        ),
        auxiliaries=_phrases(
            """
            is, are, was, were, be, been, will, shall, may, might, can, could, must, should, would,
            do, does, did, has, have, had, but, and, it
            """
        ),
        openers=("whether", "even if", "as if", "suppose", "supposing"),
        harmless=_phrases(
            """
            not only, not just, not merely, not least, not to mention, no doubt, no matter, nothing
            but, none other than, whether or not, if not, if any, if so, if applicable, why not, or
            not, until now, if necessary, if needed, no later than, no sooner, without doubt, not
            unlike, no wonder
            """
        ),
        stop_words=tuple(_ENGLISH_STOP),
    ),
    "de": Language(
        negations=_phrases(
            """
            nicht, kein, keine, keinen, keiner, keinem, keines, nie, niemals, nichts, weder,
            niemand, nicht mehr
            """
        ),
        exceptions=_phrases(
            """
            außer, ausgenommen, es sei denn, sofern nicht, mit ausnahme von, bis auf
            """
        ),
        conditions=_phrases(
            """
            wenn, nur wenn, falls, sofern, ohne, vorausgesetzt, solange, soweit
            """
        ),
        leads=_phrases(
            """
            zu, immer, unbedingt, ein, eine, der, die, das, mehr, dazu
            """
        ),
        harmless=("nicht nur", "nicht zuletzt", "nichts anderes als"),
        stop_words=tuple(
            _words(
                """
    der die das den dem des ein eine einen einem einer eines und oder aber wenn ist sind war waren wird
    werden hat haben in im an am auf aus bei mit nach von vom zu zum zur für über unter als auch nicht nur
    noch so wie es er sie wir ihr ich man sich dass daß diese dieser dieses durch um kann
    """
            )
        ),
    ),
    "fr": Language(
        negations=_phrases(
            """
            ne, pas, jamais, aucun, aucune, rien, ni, n'est pas, personne ne
            """
        ),
        exceptions=_phrases(
            """
            sauf, excepté, hormis, à moins que, à moins de, à l'exception de
            """
        ),
        conditions=_phrases(
            """
            si, seulement si, sans, pourvu que, à condition que, à condition de, tant que
            """
        ),
        leads=_phrases(
            """
            être, de, d', le, la, les, un, une, plus, pas
            """
        ),
        harmless=("pas seulement", "rien de moins"),
        stop_words=tuple(
            _words(
                """
    le la les un une des du de et ou mais si est sont était été être avoir a ont dans en au aux sur sous par
    pour avec sans ce cette ces cet il elle ils elles on nous vous je tu qui que quoi dont où ne pas plus se
    son sa ses leur leurs comme
    """
            )
        ),
    ),
    "es": Language(
        negations=_phrases(
            """
            no, nunca, jamás, ningún, ninguna, ninguno, nada, tampoco, ni
            """
        ),
        exceptions=_phrases(
            """
            salvo, excepto, a menos que, a excepción de, a no ser que, sino
            """
        ),
        conditions=_phrases(
            """
            si, solo si, sólo si, sin, siempre que, con tal de que, mientras
            """
        ),
        leads=_phrases(
            """
            se, ser, el, la, los, las, un, una, está, es
            """
        ),
        harmless=("no solo", "no sólo", "no obstante", "nada más que"),
        stop_words=tuple(
            _words(
                """
    el la los las un una unos unas y o pero si es son era fue ser ha han haber de del a al en con por para
    sin sobre este esta estos estas ese esa eso lo le les se su sus que quien como cuando donde no más muy
    ya también
    """
            )
        ),
    ),
    "zh": Language(
        negations=_phrases(
            """
            不, 没有, 没, 未, 无, 無, 非, 勿, 别, 並非, 并非, 不得, 不能, 不会, 禁止, 从未, 尚未,
            未能, 無法, 无法, 绝不, 不再, 沒有, 拒绝,
            而不是, 而非
            """
        ),
        exceptions=_phrases(
            """
            除非, 除了, 除外, 但不包括, 不包括, 例外, 否则, 否則, 直到
            """
        ),
        conditions=_phrases(
            """
            如果, 若, 假如, 只有, 仅当, 僅當, 只要, 前提是, 条件是, 倘若, 仅在, 除此之外
            """
        ),
        leads=_phrases(
            """
            会, 能, 被, 再, 可, 要, 应, 得, 對, 对, 在
            """
        ),
        harmless=_phrases(
            """
            不仅, 不但, 不过, 不同, 不少, 不断, 不久, 不论, 不管, 不只, 不光, 不止, 不僅, 不過,
            不斷, 不論, 无论, 無論, 未来, 未來, 非常, 别人,
            别的, 无线, 無線, 非洲, 若干, 是不是, 不得不, 差不多, 没准, 不可避免, 特别, 级别, 类别,
            区别, 性别, 个别, 分别, 识别, 除非常
            """
        ),
        stop_words=tuple(
            _words(
                """
    的 了 是 在 和 与 及 或 也 就 都 而 着 吗 呢 吧 啊 这 那 其 之 以 为 于 被 把 对 从 到 我 你 他 她 它 们 个 一 有
    """
            )
        ),
        spaced=False,
    ),
    "ja": Language(
        negations=_phrases(
            """
            ない, ません, なかった, ず, ぬ, なく, ありません
            """
        ),
        exceptions=("を除き", "を除いて", "以外", "場合を除", "ただし"),
        conditions=_phrases(
            """
            もし, 場合に限り, 場合のみ, に限り, 限り, であれば
            """
        ),
        stop_words=tuple(
            _words(
                """
    の は が を に で と も や から まで より へ です ます した する いる ある この その あの
    """
            )
        ),
        spaced=False,
    ),
    "ko": Language(
        negations=_phrases(
            """
            지 않, 지 못, 지 아니, 수 없, 안, 못
            """
        ),
        exceptions=("제외하고", "을 제외", "를 제외", "외에는"),
        conditions=("만약", "경우에만", "경우에 한하여", "하는 한"),
        stop_words=_words(
            """
    은 는 이 가 을 를 의 에 와 과 도 로 으로 에서 그리고 또는
    """
        ),
        spaced=False,
    ),
}

STOP_WORDS = frozenset(word for language in LANGUAGES.values() for word in language.stop_words)

REVERSED_BY_A_SPACE = frozenset(
    _words(
        """
    notable notably notary notation noted notes nothing notice noticed notices noticeable notify notified
    notion notions nowhere nobody noone nonetheless nevertheless notwithstanding atypical atypically
    apolitical amoral asymmetric asymmetrical asymmetry asynchronous asynchronously asocial asexual atonal
    ahistorical acyclic aperiodic inability inaccurate inaccurately inaction inactive inadequate
    inadmissible inalienable inapplicable inappropriate inattentive inaudible incapable incoherent
    incomplete incompletely inconclusive inconsistent inconsistently incorrect incorrectly incredible
    incurable indecent indefinite indefinitely independent independently indirect indirectly indiscriminate
    indispensable ineffective inefficient ineligible inequality inequitable inexact inexpensive infinite
    inflexible informal informally infrequent infrequently inhuman inhumane innumerable inoperable
    inoperative inorganic insane insecure insensitive inseparable insignificant insignificantly insoluble
    insolvent instability insufficient insufficiently intolerable intolerant invalid invalidate invalidated
    invaluable invariable invariably invariant invisible involuntary invulnerable indifferent indifference
    injustice without undo undone unlike unfair disable disabled disallow disallowed discontinue dislike
    disagree unable unless
    """
    )
)
"""Words that say something else, often the contrary, once a space is put into them or taken out (not able)."""

BOUND_NEGATIVES = ("not", "non", "no", "un", "dis", "in", "im", "ir", "il", "never", "without", "anti")
"""Beginnings of a word that turn round what follows: a word may not be entered after one."""

SCALES = re.compile(
    r"\s*(?:percent|per cent|percentage points?|hundred|thousand|million|billion|trillion|millionen|milliarden|"
    r"millions|milliards?|millones|mil|%|‰|[万萬亿億兆千百])(?!\w)|\s*[万萬亿億兆]"
)
"""What multiplies a number that stands before it."""
