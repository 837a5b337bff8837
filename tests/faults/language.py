"""Sentences of two languages: facts that a page states, the claims built on them, and text around them."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """A sentence of a page (``excerpt``), what a finding says of it, and phrases of the sentence to quote."""

    title: str
    excerpt: str
    claim: str
    quote: str


_ACTORS = ["Operators", "Curators", "Hospital archives", "Regional offices", "Grid planners", "Port authorities"]
_VERBS = ["inspect", "replace", "catalogue", "publish", "encrypt", "recalibrate", "duplicate"]
_THINGS = ["tape", "sensor", "ledger", "manifest", "turbine", "logbook", "transformer", "meter reading", "cold store"]
_UNITS = ["days", "hours", "weeks", "months"]
_EVENTS = ["delivery", "the annual audit", "a failed transfer", "the first alarm", "decommissioning", "a power cut"]
_SYSTEMS = ["Halcyon", "Marlin", "Ostrava", "Pellucid", "Quarry", "Tamarind", "Verbena", "Wicket"]
_SETTINGS = ["lease timeout", "batch window", "grace period", "polling interval", "replication lag", "cache lifetime"]
_GROUPS = ["survey team", "audit office", "metering council", "coastal laboratory", "railway institute"]
_METRICS = ["recovery time", "error rate", "throughput", "moisture level", "response delay", "storage cost"]
_SITES = ["depots", "stations", "reservoirs", "clinics", "warehouses", "substations"]
_CONDITIONS = [
    "a supervisor signs the release", "the backup site answers", "the lock is held elsewhere",
    "the reading was taken by hand", "a second witness is present",
]  # fmt: skip
_ADJECTIVES = ["late", "incomplete", "unlabelled", "mislabelled", "damaged", "overdue", "archived"]
_REMARKS = [
    "Visitors ask about this more often than about anything else in the collection.",
    "Older editions of the handbook used a different wording, which confused new staff.",
    "A short history of the programme follows in the appendix, with photographs.",
    "Most of the correspondence on this question was lost in a move between buildings.",
    "Training takes place every spring, and places fill up quickly.",
    "The diagram beside this paragraph is drawn to scale.",
    "Readers in a hurry may skip ahead to the summary table.",
    "Thanks are due to the many volunteers who read early drafts of this page.",
    "Nothing in this paragraph applies to privately owned equipment.",
    "The committee did not reach agreement on the name of the form.",
]

_ZH_ACTORS = ["档案部门", "运维团队", "区域办公室", "港口管理局", "电网调度中心", "监测机构"]
_ZH_VERBS = ["检查", "登记", "更换", "复制", "公布", "校准"]
_ZH_THINGS = ["磁带", "传感器", "账册", "变压器", "日志", "冷藏箱", "仪表读数"]
_ZH_EVENTS = ["交付", "年度审计", "首次报警", "传输失败", "停电"]
_ZH_SYSTEMS = ["海棠系统", "云杉平台", "白鹭网关", "青石引擎", "流沙队列"]
_ZH_SETTINGS = ["租约超时", "轮询间隔", "宽限时间", "缓存寿命", "复制延迟"]
_ZH_REMARKS = [
    "参观者对这个问题的询问比对馆藏其他内容的询问更多。", "旧版手册采用了另一种措辞，新员工常常感到困惑。",
    "附录中有项目的简短历史和照片。", "每年春季举办培训，名额很快报满。", "旁边的示意图按比例绘制。",
    "时间紧张的读者可以直接跳到汇总表。", "委员会没有就表格名称达成一致意见。",
]  # fmt: skip


def _number(rng: random.Random) -> int:
    return rng.choice([rng.randint(13, 97), rng.randint(103, 989)])


def english(rng: random.Random) -> Fact:
    """One fact; numbers and names make it all but unique."""
    n, m, unit = _number(rng), _number(rng) + 1000, rng.choice(_UNITS)
    actor, verb, thing = rng.choice(_ACTORS), rng.choice(_VERBS), rng.choice(_THINGS)
    system, setting, event, condition = (rng.choice(rows) for rows in (_SYSTEMS, _SETTINGS, _EVENTS, _CONDITIONS))
    group, metric, sites, year = rng.choice(_GROUPS), rng.choice(_METRICS), rng.choice(_SITES), rng.randint(2011, 2024)
    kind = rng.randrange(8)
    if kind == 0:
        core = f"{actor} must {verb} every {thing} within {n} {unit} of {event}"
        return Fact(f"{actor} {verb} each {thing} in {n} {unit}", core + ".", f"{core}, as the page rules.", core)
    if kind == 1:
        core = f"{actor} do not {verb} a {thing} that is older than {n} {unit}"
        return Fact(
            f"{actor} do not {verb} a {thing} past {n} {unit}", f"{core}, even when {condition}.", core + ".", core
        )
    if kind == 2:
        core = f"The default {setting} of {system} is {n} {unit}"
        more = f"{core}, and a tenant can raise it to {m} {unit} on request."
        return Fact(f"{system} {setting} default of {n}", more, core + ".", core[4:])
    if kind == 3:
        core = f"In {year} the {group} measured a median {metric} of {n}.{rng.randint(1, 9)} {unit} across {m} {sites}"
        return Fact(f"Median {metric} across {m} {sites} in {year}", core + ".", core + ".", core[8:])
    if kind == 4:
        core = f"{system} retries a failed {thing} transfer {n} times unless {condition}"
        more = f"{core}, and only then reports the {thing} as lost."
        return Fact(f"{system} retries {thing} transfers {n} times", more, core + ".", core)
    if kind == 5:
        word = rng.choice(_ADJECTIVES)
        core = f"About {n % 90 + 8}% of the {thing} records in the {year} survey were {word}"
        more = f"{core}, compared with {m % 7 + 1}.{n % 10}% in {year - 2}."
        return Fact(f"{year} survey of {word} {thing} records", more, core + ".", core)
    if kind == 6:
        core = f"{system}'s tenants keep each {thing} for {n} {unit}"
        more = f'{core} \u2013 at the "owner\'s" cost, in about {m} {sites}.'
        return Fact(f"{system} tenants keep a {thing} {n} {unit}", more, core + ".", core)
    core = f"{system} never deletes a {thing} before {n} {unit} have passed since {event}"
    return Fact(f"{system} never deletes a {thing} before {n} {unit}", core + ".", core + ".", core)


def chinese(rng: random.Random) -> Fact:
    """One fact in Chinese."""
    n, m = _number(rng), _number(rng) + 1000
    actor, verb, thing, event = (rng.choice(rows) for rows in (_ZH_ACTORS, _ZH_VERBS, _ZH_THINGS, _ZH_EVENTS))
    system, setting, year = rng.choice(_ZH_SYSTEMS), rng.choice(_ZH_SETTINGS), rng.randint(2011, 2024)
    kind = rng.randrange(4)
    if kind == 0:
        core = f"{actor}必须在{event}后{n}天内{verb}全部{thing}"
        return Fact(f"{actor}须在{n}天内{verb}{thing}", core + "。", core + "。", core)
    if kind == 1:
        core = f"{system}不会{verb}存放超过{n}天的{thing}"
        return Fact(f"{system}不会{verb}超过{n}天的{thing}", f"{core}，也不接受人工恢复的申请。", core + "。", core)
    if kind == 2:
        core = f"{system}的默认{setting}为{n}秒"
        return Fact(f"{system}默认{setting}{n}秒", f"{core}，管理员可以把它调高到{m}秒。", core + "。", core)
    core = f"{year}年{actor}在{m}个站点测得的{thing}更换周期为{n}天"
    return Fact(f"{year}年{thing}更换周期{n}天", core + "。", core + "。", core)


def make_fact(rng: random.Random, language: str) -> Fact:
    """One fact in ``en`` or ``zh``."""
    return chinese(rng) if language == "zh" else english(rng)


def remark(rng: random.Random, language: str) -> str:
    """A sentence that states nothing of interest."""
    return rng.choice(_ZH_REMARKS if language == "zh" else _REMARKS)


def paragraph(rng: random.Random, language: str) -> str:
    """Some sentences of text, facts among them that nobody cites."""
    rows = [
        make_fact(rng, language).excerpt if rng.random() < 0.5 else remark(rng, language)
        for _ in range(rng.randint(3, 9))
    ]
    return ("" if language == "zh" else rng.choice([" ", " ", "\n"])).join(rows)


def page_text(rng: random.Random, language: str, title: str, facts: list[str], words: int) -> str:
    """The text of a page: paragraphs of some ``words`` in all, with the facts here and there."""
    paragraphs: list[str] = []
    while sum(len(row.split()) if language == "en" else len(row) // 2 for row in paragraphs) < words:
        paragraphs.append(paragraph(rng, language))
    for fact in facts:
        at = rng.randrange(len(paragraphs))
        own = [remark(rng, language), fact, remark(rng, language)]
        joined = ("" if language == "zh" else " ").join(own[rng.randint(0, 1) :])
        paragraphs.insert(at, joined)
    return f"{title}\n\n" + "\n\n".join(paragraphs)
