"""Text that is in a page and that its readers do not see (WEB113)."""

from __future__ import annotations

import pytest

from evidence_lint_plugins.extractors.html import extract_html

HIDDEN = [
    "<p hidden>SECRET",
    "<p hidden='hidden'>SECRET",
    "<p style='display:none'>SECRET",
    "<p style='DISPLAY : None !important'>SECRET",
    "<p style='color:red;/* x */display:none'>SECRET",
    "<p style='visibility:hidden'>SECRET",
    "<p style='visibility:collapse'><b>SECRET</b>",
    "<p style='opacity:0'>SECRET",
    "<p style='opacity:0.0'>SECRET",
    "<p style='font-size:0'>SECRET",
    "<p style='font-size:0px'><b>SECRET</b>",
    "<p style='text-indent:-9999px'>SECRET",
    "<p style='position:absolute;left:-10000px'>SECRET",
    "<p style='position:fixed;top:-999em'>SECRET",
    "<p style='position:absolute;clip:rect(0,0,0,0)'>SECRET",
    "<p style='position:absolute;clip:rect(1px 1px 1px 1px)'>SECRET",
    "<p style='clip-path:inset(50%)'>SECRET",
    "<p style='width:1px;height:1px;overflow:hidden'>SECRET",
    "<p style='height:0;overflow:hidden'>SECRET",
    "<p style='max-height:0;overflow:hidden'>SECRET",
    "<p style='transform:scale(0)'>SECRET",
    "<p style='position:relative;left:-5000px'>SECRET",
    "<p style='margin-left:-5000px'>SECRET",
    "<p style='content-visibility:hidden'>SECRET",
    "<p style='color:#fff;background:#ffffff'>SECRET",
    "<div style='background-color:white'><p style='color:rgb(255, 255, 255)'>SECRET</div>",
    "<table bgcolor=white><tr><td><font color=white>SECRET</font></table>",
    "<div class=x style='background-color:white;color:white'><p class=y><b>SECRET</div>",
    "<p style='color:transparent'>SECRET",
    "<p style='color:rgba(0,0,0,0)'>SECRET",
    "<style>.h{display:none}</style><p class='a h'>SECRET",
    "<style>#h{visibility:hidden}</style><p id=h>SECRET",
    "<style>p.h, q{display:none}</style><p class=h>SECRET",
    "<style>.a .h{display:none}</style><div class=a><p class=h>SECRET</div>",
    "<style>.h{display:block}.h{display:none}</style><p class=h>SECRET",
    "<style>.h{display:none!important}.h{display:block}</style><p class=h style='display:block'>SECRET",
    "<style>/* .x{ */.h{display:none}/* } */</style><p class=h>SECRET",
    "<style>@media screen{.h{display:none}}</style><p class=h>SECRET",
    "<style>.t{display:none}.t.on{display:block}</style><p class=t>SECRET",
    "<input type=hidden value=SECRET>",
    "<!-- SECRET -->",
    "<script>var a='SECRET'</script>",
    '<script type="application/ld+json">{"a":"SECR\\u0045T"}</script>',
    "<template><p>SECRET</template>",
    "<noscript><p>SECRET</noscript>",
    "<dialog>SECRET</dialog>",
    "<datalist><option>SECRET</datalist>",
    "<img alt=SECRET>",
    "<p title=SECRET>x",
    "<input placeholder=SECRET>",
    "<meta name=description content=SECRET>",
    "<video>SECRET</video>",
    "<svg><desc>SECRET</desc></svg>",
    "<math><annotation>SECRET</annotation></math>",
]


@pytest.mark.parametrize("markup", HIDDEN)
def test_hidden(markup: str) -> None:
    page = extract_html(f"<body><p>before</p>{markup}</p></body>")
    assert "SECRET" not in page.text
    assert "SECRET" in page.hidden_text
    assert "before" in page.text


SEEN = [
    "<p hidden=until-found>SEEN",
    "<p aria-hidden=true>SEEN",
    "<p style='opacity:0.5'>SEEN",
    "<p style='font-size:90%'>SEEN",
    "<p style='text-indent:-2em'>SEEN",
    "<p style='position:relative;left:-3px'>SEEN",
    "<p style='color:white'>SEEN",  # the background is not known
    "<p style='color:white;background:navy'>SEEN",
    "<p style='color:transparent;-webkit-background-clip:text;background:red'>SEEN",
    "<p style='overflow:hidden;height:30px'>SEEN",
    "<p style='overflow:hidden;height:0;padding-bottom:50%'>SEEN",
    "<p style='margin-left:-20px'>SEEN",
    "<p style='opacity:0;transition:opacity 1s'>SEEN",  # about to be faded in
    "<p style='visibility:hidden'>x<b style='visibility:visible'>SEEN</b>",
    "<p style='font-size:0'>x<b style='font-size:16px'>SEEN</b>",
    "<p style='display:none;display:block'>SEEN",
    "<style>.m{display:none}@media (min-width:600px){.m{display:block}}</style><p class=m>SEEN",
    "<style>@media (max-width:600px){.m{display:none}}</style><p class=m>SEEN",
    "<style>@media print{.m{display:none}}</style><p class=m>SEEN",
    "<style media=print>.m{display:none}</style><p class=m>SEEN",
    "<style>@media (max-width:9px){.m{position:absolute;left:-9999px}}</style><p class=m>SEEN",
    "<style>.m{display:none}.m:hover{display:block}</style><p class=m>SEEN",
    "<style>.m{display:none}.m:target{display:block}</style><p class=m id=x>SEEN",
    "<style>.js .m{display:none}</style><p class=m>SEEN",
    "<style>.m::before{display:none}</style><p class=m>SEEN",
    "<style>.m{display:none}</style><p class=m style='display:block'>SEEN",
    "<style>.m{display:none}#m{display:block}</style><p class=m id=m>SEEN",
    "<style>.m{display:none}</style><p class=M>SEEN</p><p class=mm>SEEN",
    "<style>@supports (x:y){.m{display:none}}@font-face{display:none}</style><p class=m>SEEN",
    "<style>@import 'x'; .n{display:none}</style><p class=m>SEEN",
    "<style>.m{display:none</style><p>SEEN",
    "<style>}}}.n{{{</style><p class=m>SEEN",
    "<dialog open>SEEN</dialog>",
    "<noscript><style>.m{display:none}</style></noscript><p class=m>SEEN",
    # A style sheet elsewhere may have put another ground behind these.
    "<style>body{background:#fff}a{color:#fff}</style><ul class=dark><li><a>SEEN",
    "<div style='background:white'><p class=dark><b style='color:white'>SEEN",
    "<div style='background:white;color:white'><p style='color:black'>SEEN",
    "<div style='background:white;color:white'><p style='background:black'>SEEN",
]


@pytest.mark.parametrize("markup", SEEN)
def test_seen(markup: str) -> None:
    page = extract_html(f"<!doctype html><body>{markup}")
    assert "SEEN" in page.text
    assert "SEEN" not in page.hidden_text


def test_hidden_inline_text_leaves_the_sentence_whole() -> None:
    page = extract_html("<p>the lessor is <span hidden>not </span>permitted to end it")
    assert page.text == "the lessor is permitted to end it"
    assert page.hidden_text == "not"


def test_a_page_that_waits_for_its_script_is_not_hidden() -> None:
    page = extract_html("<style>body{opacity:0}</style><html style='visibility:hidden'><body>words")
    assert page.text == "words"


def test_styles_are_no_text_at_all() -> None:
    page = extract_html("<style>.a::after{content:'words'}</style>")
    assert (page.text, page.hidden_text) == ("", "")


def test_styles_end_at_the_border_of_a_shadow_root() -> None:
    inside = "<template shadowrootmode=open><style>.a{display:none}</style><p class=a>in<p class=b>seen</template>"
    page = extract_html(f"<style>.b{{display:none}}</style><div>{inside}</div><p class=a>out<p class=b>gone")
    assert page.text.split() == ["seen", "out"]
    assert page.hidden_text.split() == ["in", "gone"]


def test_many_documents_within_a_page_are_read_and_too_deep_ones_told() -> None:
    root = "<div><template shadowrootmode=open><p>shadow</template></div>"
    assert extract_html(root * 1000).text.split() == ["shadow"] * 1000
    deep = extract_html("<div><template shadowrootmode=open>x" * 60)
    assert deep.text.split() == ["x"] * 50
    assert deep.problem is not None
    assert "too deeply" in deep.problem
