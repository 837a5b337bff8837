from __future__ import annotations

import gzip
import tracemalloc
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.sources.web.decode import BodyDecoder, DecodeError, coding_of

PAGE = b"<html><body>" + b"".join(b"<p>line %d of the page</p>" % n for n in range(400)) + b"</body></html>"


def raw_deflate(data: bytes) -> bytes:
    deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflater.compress(data) + deflater.flush()


def decode(
    coding: str, data: bytes, *, step: int = 1000, max_bytes: int = 1 << 20, max_ratio: float = 200
) -> BodyDecoder:
    decoder = BodyDecoder(coding, max_bytes=max_bytes, max_ratio=max_ratio)
    for start in range(0, len(data), step):
        decoder.feed(data[start : start + step])
    return decoder


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", "identity"),
        ("identity", "identity"),
        ("GZIP", "gzip"),
        (" x-gzip ", "gzip"),
        ("deflate", "deflate"),
        ("gzip, identity", "gzip"),
    ],
)
def test_coding_of(header: str, coding: str) -> None:
    assert coding_of(header) == coding


@pytest.mark.parametrize("header", ["br", "zstd", "gzip, gzip", "gzip, br", "compress", "x-foo"])
def test_other_and_double_codings_are_refused(header: str) -> None:
    with pytest.raises(DecodeError, match="not asked for"):
        coding_of(header)


@pytest.mark.parametrize("step", [1, 2, 511, 512, 513, 100_000])
@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("identity", PAGE),
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("gzip", gzip.compress(PAGE[:5000], mtime=0) + gzip.compress(PAGE[5000:], mtime=0)),
        ("gzip", gzip.compress(PAGE, mtime=0) + b"\0\0\0"),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", raw_deflate(PAGE)),
        ("gzip", PAGE),
        ("deflate", PAGE),
    ],
)
def test_body_survives_any_chunking(coding: str, data: bytes, step: int) -> None:
    decoder = decode(coding, data, step=step)
    assert decoder.finish() == PAGE
    assert not decoder.truncated
    assert bool(decoder.notes) == (data == PAGE and coding != "identity")


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize("body", [b"", b"x", b"ok", "déjà vu, 日本語".encode(), b"<p>" + "é".encode() * 400])
def test_plain_text_under_a_coding_is_kept_and_noted(coding: str, body: bytes) -> None:
    decoder = decode(coding, body, step=7)
    assert decoder.finish() == body
    assert bool(decoder.notes) is bool(body)


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(PAGE, mtime=0)[:-1],
        gzip.compress(PAGE, mtime=0)[:300],
        gzip.compress(PAGE, mtime=0)[:5],
        b"\x1f\x8b",
    ],
)
def test_truncated_gzip_is_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError, match="too early"):
        decode("gzip", data).finish()


def test_damaged_gzip_is_an_error() -> None:
    data = bytearray(gzip.compress(PAGE, mtime=0))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(DecodeError):
        decode("gzip", bytes(data)).finish()


@pytest.mark.parametrize("data", [b"\x00\x01\x02\x03binary", b"\xff\xfe\xff\xfe" * 20, b"BZh91AY&SY\x00"])
def test_binary_under_gzip_is_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode("gzip", data).finish()


@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate"])
def test_size_limit_counts_decoded_bytes(coding: str) -> None:
    data = {"identity": PAGE, "gzip": gzip.compress(PAGE, mtime=0), "deflate": zlib.compress(PAGE)}[coding]
    exact = decode(coding, data, max_bytes=len(PAGE))
    assert exact.finish() == PAGE
    assert not exact.truncated
    cut = decode(coding, data, max_bytes=len(PAGE) - 1)
    assert cut.finish() == PAGE[:-1]
    assert cut.truncated


def test_a_bomb_costs_no_more_than_the_limit() -> None:
    bomb = gzip.compress(b"\0" * (300 << 20), 9)
    assert len(bomb) < 400_000
    tracemalloc.start()
    decoder = decode("gzip", bomb, step=65536, max_bytes=5 << 20, max_ratio=1e9)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert decoder.truncated
    assert len(decoder.finish()) == 5 << 20
    assert peak < 30 << 20


def test_growth_beyond_the_ratio_is_refused() -> None:
    with pytest.raises(DecodeError, match="200 times"):
        decode("gzip", gzip.compress(b"\0" * (4 << 20), 9), step=512, max_bytes=5 << 20)


@given(st.binary(max_size=2000), st.integers(1, 300), st.sampled_from(["gzip", "deflate"]))
def test_round_trip_and_no_other_exception(data: bytes, step: int, coding: str) -> None:
    packed = gzip.compress(data, mtime=0) if coding == "gzip" else zlib.compress(data)
    assert decode(coding, packed, step=step).finish() == data
    with suppress(DecodeError):
        assert len(decode(coding, data, step=step, max_bytes=1000).finish()) <= 1000
