"""Words that numbers are written with or measured in: data for :mod:`evidence_lint.witness.numbers`."""

from __future__ import annotations

from decimal import Decimal

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve"
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

CARDINALS: dict[str, int] = {
    **{word: value for value, word in enumerate(f"{_SMALL} {_TEENS}".split())},
    **{word: 20 + 10 * place for place, word in enumerate(_TENS.split())},
}
ORDINALS: dict[str, int] = {word: value for value, word in enumerate(_ORDINALS.split(), start=1)}

SCALES: dict[str, int] = {
    "hundred": 2, "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "mio": 6, "billion": 9, "billions": 9,
    "bn": 9, "mrd": 9, "trillion": 12, "trillions": 12, "lakh": 5, "crore": 7, "millionen": 6, "milliarden": 9,
    "tausend": 3, "milliarde": 9, "billionen": 12, "mille": 3, "milliard": 9,
    "milliards": 9, "mil": 3, "millón": 6, "millones": 6, "millardo": 9, "millardos": 9, "mil millones": 9,
    "milhão": 6, "milhões": 6, "mil milhões": 9, "bilhão": 9, "bilhões": 9, "bilião": 12, "biliões": 12,
    "trilhão": 12, "trilhões": 12, "mila": 3, "milione": 6, "milioni": 6, "miliardo": 9, "miliardi": 9,
    "百": 2, "千": 3, "万": 4, "萬": 4, "百万": 6, "千万": 7, "亿": 8, "億": 8, "兆": 12,
    "万亿": 12, "萬億": 12, "十万": 5, "十亿": 9, "百亿": 10, "千亿": 11, "만": 4, "억": 8, "조": 12,
}  # fmt: skip
"""Powers of ten that a word after a number stands for."""

LETTER_SCALES: dict[str, tuple[Decimal, ...]] = {
    "k": (Decimal(1000), Decimal(1024)),
    "K": (Decimal(1000), Decimal(1024)),
    # A lone M or B may also be metres, minutes or bytes.
    "m": (Decimal(1), Decimal(10**6)),
    "M": (Decimal(1), Decimal(10**6), Decimal(1024**2)),
    "b": (Decimal(1), Decimal(10**9)),
    "B": (Decimal(1), Decimal(10**9)),
}
"""What a letter glued to a number may multiply it by."""

_TIME = {
    "nanosecond": ("ns nanosecond nanoseconds", "1e-9"),
    "microsecond": ("µs μs us microsecond microseconds", "1e-6"),
    "millisecond": ("ms msec millisecond milliseconds 毫秒", "0.001"),
    "second": ("s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒", "1"),
    "minute": ("min mins minute minutes minuten minuto minutos 分钟 分鐘", "60"),
    "hour": ("h hr hrs hour hours hourly stunde stunden heure heures hora horas 小时 小時 時間", "3600"),
    "day": ("d day days daily tag tage tagen jour jours día días 天 日間", "86400"),
    "week": ("wk wks week weeks weekly woche wochen semaine semaines semana semanas 周 週間", "604800"),
}
_CALENDAR = {
    "month": ("month months monthly monat monate monaten mois mes meses 个月 個月 か月 ヶ月", "1"),
    "year": ("yr yrs year years yearly annual jahr jahre jahren an ans année années año años 年间 年間", "12"),
}
_DATA = {
    "bit": ("bit bits", "0.125"),
    "byte": ("byte bytes 字节", "1"),
    "kilobyte": ("kb kilobyte kilobytes", "1e3"),
    "kibibyte": ("kib kibibyte kibibytes", "1024"),
    "megabyte": ("mb megabyte megabytes", "1e6"),
    "mebibyte": ("mib mebibyte mebibytes", "1048576"),
    "gigabyte": ("gb gigabyte gigabytes", "1e9"),
    "gibibyte": ("gib gibibyte gibibytes", "1073741824"),
    "terabyte": ("tb terabyte terabytes", "1e12"),
}
_OTHERS = {
    "percent": "% ％ ٪ percent per-cent percentage pct pp prozent procent 百分点",
    "permille": "‰ permille",
    "dollar": "$ usd dollar dollars us$ 美元",
    "euro": "€ eur euro euros 欧元",
    "pound": "£ gbp",
    "yuan": "¥ cny rmb jpy yen yuan 元",
    "metre": "metre metres meter meters",
    "kilometre": "km kilometre kilometres kilometer kilometers",
    "millimetre": "mm millimetre millimetres millimeter millimeters",
    "centimetre": "cm centimetre centimetres centimeter centimeters",
    "mile": "mile miles",
    "kilogram": "kg kilogram kilograms",
    "gram": "gram grams",
    "celsius": "°c celsius",
    "fahrenheit": "°f fahrenheit",
    "hertz": "hz hertz",
    "kilohertz": "khz",
    "megahertz": "mhz",
    "gigahertz": "ghz",
    "pixel": "px pixel pixels",
    "watt": "watt watts",
    "kilowatt": "kw kilowatt kilowatts",
    "token": "token tokens",
    "times": "x × times-as",
}


def _table() -> tuple[dict[str, str], dict[str, tuple[str, Decimal]]]:
    words: dict[str, str] = {}
    sizes: dict[str, tuple[str, Decimal]] = {}
    for dimension, group in (("time", _TIME), ("calendar", _CALENDAR), ("data", _DATA)):
        for unit, (spellings, factor) in group.items():
            words.update(dict.fromkeys(spellings.split(), unit))
            sizes[unit] = (dimension, Decimal(factor))
    for unit, spellings in _OTHERS.items():
        words.update(dict.fromkeys(spellings.split(), unit))
    return words, sizes


UNITS, SIZES = _table()
"""Unit words in lower case with the unit that they mean; units that convert, with their dimension and factor."""

_MONTH_NAMES = (
    "January Jan Januar Jänner janvier enero", "February Feb Februar février febrero", "March Mar März mars marzo",
    "April Apr avril abril", "May Mai mai mayo", "June Jun Juni juin junio", "July Jul Juli juillet julio",
    "August Aug août agosto", "September Sep Sept septembre septiembre", "October Oct Oktober Okt octobre octubre",
    "November Nov novembre noviembre", "December Dec Dezember Dez décembre diciembre",
)  # fmt: skip
MONTHS: dict[str, int] = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
"""Names of months with the case that they are written in: ``may`` is a verb."""
