"""Lines are cut to the width with the marked part in sight, whatever characters they hold."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from evidence_lint.engine.locate import Locator
from evidence_lint.model.location import Location, Span
from evidence_lint_plugins.formats.frames import ELLIPSIS, cut, frame
from tests.plugins.formats import format_support as made


@given(
    st.text(st.sampled_from("ab 再\t\u0301\x1b\u202e\ud800é"), max_size=120),
    st.integers(0, 130),
    st.integers(0, 130),
    st.integers(8, 60),
)
def test_cut_fits_and_shows_the_start(line, start, end, width):
    made_cut = cut(line, start, end, width)
    cells = sum(cell_len(character) for character in made_cut.text)
    # The tab and the escapes are several cells wide at once, so nothing is ever wider than the width.
    assert cells <= width
    assert 0 <= made_cut.start < made_cut.end <= max(width, cells) + 1
    assert not set(made_cut.text) & set("\x1b\u202e\ud800\t")


@pytest.mark.parametrize("width", [20, 40, 80])
def test_marked_part_in_a_long_line(width):
    line = "x" * 500 + " NEEDLE " + "y" * 500
    start = line.index("NEEDLE")
    shown = cut(line, start, start + 6, width)
    assert shown.text[shown.start : shown.end] == "NEEDLE"
    assert shown.text.startswith(ELLIPSIS)
    assert shown.text.endswith(ELLIPSIS)
    assert len(shown.text) == width


def test_wide_and_combining_characters_keep_the_columns():
    line = "再試e\u0301行は三回"
    shown = cut(line, line.index("行"), line.index("三"), 80)
    assert (shown.start, shown.end) == (5, 9)
    assert shown.text == line


def test_marks_longer_than_the_width_show_their_start():
    shown = cut("a" * 10 + "b" * 400, 10, 410, 40)
    assert shown.text[shown.start] == "b"
    assert shown.end == 40


@pytest.mark.parametrize("character", ["a", "\u0301", "再", "\x00", "\t"])
def test_a_huge_line_is_cheap(character):
    line = character * 5_000_000
    begin = time.process_time()
    shown = cut(line, 4_000_000, 4_900_000, 100)
    assert time.process_time() - begin < 0.2
    assert len(shown.text) < 1000


def frames_of(tmp_path, report, start, end, width=60):
    locator = Locator(tmp_path)
    bundle = made.bundle(tmp_path, report=report)
    location = Location("report", Span(start, end))
    return frame(locator, bundle, location, locator.position(bundle, location), width)


def test_lines_of_a_span_over_several(tmp_path):
    report = "".join(f"line {number}\n" for number in range(1, 30))
    two = frames_of(tmp_path, report, report.index("line 3"), report.index("line 5"))
    assert [line.number for line in two] == [3, 4]
    assert all(line.barred for line in two)
    one = frames_of(tmp_path, report, report.index("line 3"), report.index("line 4"))
    assert [(line.number, line.underlined) for line in one] == [(3, True)]
    assert one[0].cut.end == 6
    many = frames_of(tmp_path, report, 0, len(report))
    assert [line.number for line in many] == [1, 2, 3, None, 29]
    assert many[3].cut.text == "… 25 more lines"


def test_empty_span_is_still_marked(tmp_path):
    [line] = frames_of(tmp_path, "abc\n", 3, 3)
    assert (line.cut.start, line.cut.end) == (3, 4)
    [empty] = frames_of(tmp_path, "", 0, 0)
    assert empty.cut.text == ""


def test_no_frame_for_a_file_as_a_whole(tmp_path):
    locator = Locator(tmp_path)
    bundle = made.bundle(tmp_path, content=None)
    for location in (Location("report"), Location("content", pointer="/0")):
        assert frame(locator, bundle, location, locator.position(bundle, location), 60) == []
