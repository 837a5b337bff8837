"""Word tables of the polarity screen by language: what denies, what turns round, what divides clauses (chapter 3).

Everything is data in normal form (see ``normalize``); a language is added by adding a row. A text in a language
without a row is never screened, since a screen that guesses would accuse honest reports.
"""

from __future__ import annotations

from dataclasses import dataclass


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class PolarityWords:
    """What one language uses to deny a clause, and what a reader needs to find the clause.

    *denials* deny their clause; several in one clause deny once (``neither … nor``). *flips* each turn their clause
    round, so that one inside a denial asserts (``does not fail to``). *local* ones turn round only what follows
    (``without``). *harmless* phrases hold a denying word and deny nothing; one that holds a word of the other text
    is none (``not exceed`` against ``exceeds``). *clouds* make a clause undecidable unless the other text has the
    same word (``beyond``, ``except``, ``removed``); *conditional_clouds* do so where the other text has one of
    *conditions*. *partial* denials, and those of a *universal* word, agree with a *some* word. *restrictions* are
    ``only`` and its like. *opposites* begin with ``un`` or ``in`` and deny their own base.

    *openers* begin a clause; *soft_openers* end what a denial reaches to the left; *joins* may begin one, and
    *contrasts* do; *ellipses* and *replacements* (``instead of``) deny a clause that borrows its verb; *hypotheses*
    begin one that asserts nothing; *prepositions* open a phrase that a comma ends; *modifiers* with
    *modifier_end* close behind them deny a noun alone; *helpers* are verbs that begin a
    clause without a subject; *pronouns* stand for the subject of the clause before; *finite* words show that a clause
    has a verb of its own; *determiners* may follow a verb. *fillers* carry no content beyond the stop words.
    """

    denials: tuple[str, ...]
    flips: tuple[str, ...] = ()
    local: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    clouds: tuple[str, ...] = ()
    conditional_clouds: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    soft_openers: tuple[str, ...] = ()
    joins: frozenset[str] = frozenset()
    contrasts: frozenset[str] = frozenset()
    ellipses: tuple[str, ...] = ()
    replacements: tuple[str, ...] = ()
    prepositions: frozenset[str] = frozenset()
    modifiers: tuple[str, ...] = ()
    modifier_end: str = ""
    hypotheses: tuple[str, ...] = ()
    helpers: frozenset[str] = frozenset()
    universal: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    finite: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()
    opposites: frozenset[str] = frozenset()
    spaced: bool = True


ENGLISH = PolarityWords(
    denials=_phrases(
        """
        not, no, never, cannot, neither, nor, none, nobody, nothing, nowhere, hardly, scarcely, barely,
        no longer, not any longer, not anymore, no one, in no way, by no means, under no circumstances, at no time,
        at no point, on no account, in no case, none of, ain't, zero
        """
    ),
    flips=_phrases(
        """
        fails to, fail to, failed to, failing to, failure to, unable to, inability to, incapable of, refuses to,
        refuse to, refused to, lacks, lack, lacked, declines to, declined to,
        prohibits, prohibit, prohibited, prohibiting, forbids, forbid, forbidden, forbidding, disallows, disallow,
        disallowed, bans, ban, banned, denies that, denied that, false that, untrue that, incorrect that, not true that,
        no evidence that, myth that, neglects to, neglected to, impossible to
        """
    ),
    local=_phrases(
        """
        without, with no, at no, of no, for no, by no, to no, from no, in no, on no,
        free of, lacking, that lack, that lacks, that lacked, that has no, that have no
        """
    ),
    harmless=_phrases(
        """
        not only, not just, not merely, not simply, not solely, not least, not to mention, no doubt, no matter,
        nothing but, none other than, whether or not, if not, why not, or not, no sooner, without doubt,
        without question, not unlike, no wonder, not unusual, not uncommon, last but not least, not to say,
        no more than, no less than, no fewer than, no later than, no earlier than, no greater than, no longer than,
        no higher than, no lower than, no shorter than, not more than, not less than, not fewer than, not later than,
        not greater than, not exceed, cannot exceed, not exceeding, not exceeded, not surprisingly, needless to say,
        no problem,
        no other than, if no, if nothing, nothing less than, not until, could not be more, can not only, cannot only
        """
    ),
    clouds=_phrases(
        """
        except, except for, excepting, excluding, other than, apart from, aside from, save for, with the exception of,
        whether, beyond, longer than, more than, later than, greater than, outside, outside of, but only,
        removed, removes, remove, removal, dropped, drops, discontinued, discontinues, disabled, disables,
        excluded, excludes, omitted, omits, absent, missing, rejected, rejects, optional, obsolete, retired,
        instead, false, unlike, anymore, few, rarely, seldom, little, off, ignored, ignores
        """
    ),
    conditional_clouds=("unless", "until"),
    conditions=_phrases(
        """
        if, when, whenever, once, unless, until, after, only, before, where, provided, as long as, in case, with
        """
    ),
    partial=_phrases(
        """
        not all, not every, not always, not necessarily, not each, not everyone, not everything, not entirely,
        not fully, not completely, not universally, not both, not yet
        """
    ),
    some=_phrases(
        """
        some, several, certain, most, many, sometimes, usually, often, may, might, part, partly, partially, few,
        typically, generally, mostly, optionally, nearly, almost
        """
    ),
    restrictions=("only", "solely", "exclusively", "limited to", "restricted to"),
    openers=_phrases(
        """
        if, when, whenever, because, although, though, even though, even if, while, whereas, unless, which, who,
        whom, whose, where, wherever, since, so that, as long as, provided that, in case, given that, until, once,
        even when, except when, except that, however, therefore, thus, despite, whilst, so
        """
    ),
    soft_openers=("that",),
    joins=_words("and or nor so yet , then"),
    contrasts=_words("but"),
    ellipses=("not", "never", "no longer", "no"),
    replacements=("rather than", "instead of", "as opposed to", "in lieu of", "in place of"),
    prepositions=_words("on in for with at under by during after before since from unlike to within as through"),
    hypotheses=("if", "when", "whenever", "unless", "in case", "once", "whether", "until", "even if", "as long as"),
    helpers=_words(
        """
        is are was were has have had does do did can could will would shall should may might must cannot isn't aren't
        wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't wouldn't shouldn't mustn't
        """
    ),
    universal=_words("all every each always both everything everyone"),
    pronouns=_words("it they he she this these those"),
    finite=_words(
        """
        is are was were be am has have had does do did can could will would shall should may might must cannot
        isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't wouldn't shan't
        shouldn't mustn't mightn't needn't it's that's there's they're we're you're it'll
        it they we you he she there i
        """
    ),
    determiners=_words(
        """
        a an the its their his her our your my all any every each only no this that these those it them us you
        both some many one two three
        """
    ),
    fillers=_words(
        """
        also always still currently already yet ever even any all every each permanently today now please must
        one ones thing things way etc get got getting like well much quite rather really simply just
        been being having doing will would shall should may might can could that which
        """
    ),
    opposites=_words(
        """
        unsupported unavailable unencrypted undocumented unaffected unauthorized unauthenticated unchanged unused
        unnecessary unreliable unrestricted unverified unlimited unlicensed unsafe unsigned unstable unknown unaware
        unmodified unprotected uncompressed unaltered uncommon unfinished uninstalled unpatched untested untrusted
        invalid impossible incompatible inconsistent incomplete incorrect insecure insufficient invisible immutable
        ineffective inaccurate inactive inaccessible irreversible irrelevant illegal unsuitable unable
        """
    ),
)

CHINESE = PolarityWords(
    spaced=False,
    denials=_phrases(
        """
        不, 没有, 没, 沒有, 沒, 未, 未能, 尚未, 未经过, 从未, 從未, 并未, 並未, 无法, 無法, 无需, 無需, 无须, 無須,
        无权, 无人, 毫无, 毫無, 并无, 並無, 均无, 暂无, 无任何, 無任何, 尚无, 从无, 无此, 不存在, 并非, 並非, 绝非,
        决非, 不是, 不得, 不能, 不会, 不會, 不可, 不再, 从不, 從不, 绝不, 決不, 决不, 永不, 并不, 並不, 毫不, 勿, 请勿,
        切勿, 不准, 不许, 不必, 不用, 不需要, 不应, 不该, 不支持, 从来不, 也不, 都不, 均不, 概不, 难以, 並沒有, 并没有
        """
    ),
    flips=_phrases(
        """
        禁止, 严禁, 嚴禁, 拒绝, 拒絕, 缺乏, 缺少, 否认, 否認, 杜绝, 杜絕, 避免, 防止, 阻止, 禁用, 停止
        """
    ),
    replacements=("而不是", "而非"),
    prepositions=frozenset("在对按自从"),
    modifiers=("未", "无", "無", "不"),
    modifier_end="的",
    hypotheses=("如果", "若", "假如", "倘若", "当", "除非"),
    local=("而不", "而没有"),
    harmless=_phrases(
        """
        不仅, 不但, 不过, 不同, 不少, 不断, 不久, 不论, 不管, 不只, 不光, 不止, 不僅, 不過, 不斷, 不論, 不单,
        无论, 無論, 未来, 未來, 无线, 無線, 若干, 是不是, 能不能, 有没有, 会不会, 可不可以, 是否, 差不多, 没准,
        不可避免, 不妨, 不便, 不良, 不等, 不动产, 不锈钢, 不愧, 不禁, 不由得, 不料, 不时, 不惜, 不外乎, 不外,
        不超过, 不少于, 不低于, 不高于, 不大于, 不小于, 不多于, 不晚于, 不早于, 不超過, 不低於, 不高於, 不少於,
        不多不少, 未满, 未成年, 未知, 未经授权, 未经允许, 未经许可, 未经同意, 未经批准, 未经通知,
        沉没, 淹没, 没收, 没落, 出没, 埋没, 不得已, 不一会, 不乏, 不失为, 不亚于, 不仅仅, 无非, 了不起,
        不相上下, 不可或缺, 不得不, 不能不, 不可不, 无不, 無不, 无一不, 未尝不, 并非不, 不是不, 不会不, 没有不,
        不例外, 不对称, 不定期, 不等式, 不变量, 不可变, 不平等, 不一而足, 不约而同
        """
    ),
    clouds=_phrases(
        """
        受限, 受到限制, 限制,
        除了, 除外, 除非, 例外, 以外, 之外, 超过, 超過, 移除, 删除, 取消, 废弃, 弃用, 下线, 可选, 排除, 忽略
        """
    ),
    conditional_clouds=("未经", "除非", "没有", "未获", "未得到"),
    conditions=(
        "需要",
        "须",
        "須",
        "需经",
        "需得",
        "必须",
        "方可",
        "才能",
        "才可",
        "同意后",
        "授权后",
        "批准后",
        "许可后",
    ),
    partial=("并非所有", "不是所有", "并非全部", "不是每", "不一定", "未必", "并不总", "不总是", "不完全", "并非每"),
    some=("部分", "有些", "一些", "某些", "大多", "多数", "通常", "可能", "有时", "往往", "一般"),
    restrictions=("只", "仅", "僅", "只有", "仅限", "唯一"),
    openers=_phrases(
        """
        如果, 若, 假如, 当, 因为, 由于, 虽然, 尽管, 但是, 但, 然而, 因此, 所以, 否则, 而且, 并且, 同时, 不过
        """
    ),
    fillers=frozenset(
        "的了是在和与及或也就都而着吗呢吧啊这那其之以为于被把对从到它们个一有会将可能要该应已曾仍还均所让使得很地等且并则向给由中上经"
    ),
)

POLARITY_WORDS: dict[str, PolarityWords] = {"en": ENGLISH, "zh": CHINESE}
