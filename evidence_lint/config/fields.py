"""Types of configuration values: strict, as TOML writes them, frozen once read."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import BeforeValidator, ConfigDict, Field

MODEL_CONFIG = ConfigDict(
    strict=True,
    frozen=True,
    extra="forbid",
    alias_generator=lambda name: name.replace("_", "-"),
    populate_by_name=False,
)
"""Keys are written in kebab case, values are never converted, and a key that nothing answers to is an error."""

SeverityWord: TypeAlias = Literal["error", "warning", "info", "off"]
Profile: TypeAlias = Literal["default", "strict"]
FailOn: TypeAlias = Literal["error", "warning", "never"]
Network: TypeAlias = "IPv4Network | IPv6Network"

_SIZE = re.compile(r"(?P<number>[0-9]{1,12})\s*(?P<unit>B|KB|MB|GB|KiB|MiB|GiB)")
_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))+")


def frozen_list(value: object) -> object:
    """Turn a TOML array into the tuple that the models hold."""
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value


def _pattern_or_list(value: object) -> object:
    return (value,) if isinstance(value, str) else frozen_list(value)


def _size(value: object) -> object:
    if not isinstance(value, str):
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        raise ValueError(f'a number of bytes or a text such as "32 MiB" is expected, not {value!r}')
    return int(match["number"]) * _UNITS[match["unit"]]


def _network(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return ip_network(value)
    except ValueError as error:
        raise ValueError(f'a network such as "10.0.0.0/8" is expected: {error}') from error


def _host(value: object) -> object:
    if not isinstance(value, str):
        return value
    host = value.strip().rstrip(".").lower()
    if not _HOST.fullmatch(host):
        raise ValueError(
            f'a host name with at least one dot is expected, such as "docs.example.org" (no scheme, path or wildcard;'
            f" international names as xn--…), not {value!r}"
        )
    return host


def _relative(value: object) -> object:
    """Patterns and files are named from the configuration's folder, wherever the policy is read from."""
    if isinstance(value, str) and (not value.strip() or "\0" in value or value.startswith("/")):
        raise ValueError(f"a path relative to the configuration file is expected, not {value!r}")
    return value


Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=1000)]
Path_: TypeAlias = Annotated[str, BeforeValidator(_relative), Field(max_length=1000)]
Selectors: TypeAlias = Annotated[tuple[Text, ...], BeforeValidator(frozen_list)]
Paths: TypeAlias = Annotated[tuple[Path_, ...], BeforeValidator(frozen_list)]
Patterns: TypeAlias = Annotated[tuple[Path_, ...], BeforeValidator(_pattern_or_list)]
Networks: TypeAlias = Annotated[
    tuple[Annotated[IPv4Network | IPv6Network, BeforeValidator(_network)], ...], BeforeValidator(frozen_list)
]
Bytes: TypeAlias = Annotated[int, BeforeValidator(_size), Field(gt=0, le=2**40)]
Count: TypeAlias = Annotated[int, Field(gt=0, le=1_000_000)]
Natural: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]
Host: TypeAlias = Annotated[str, BeforeValidator(_host), Field(max_length=253)]
