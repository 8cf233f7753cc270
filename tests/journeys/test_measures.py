"""The measures of accessibility and of letters: what they find, and what they let pass."""

from typing import Any

import pytest

from tests.journeys.letters import PHONE, SIDEWAYS, letter_problems

pytestmark = pytest.mark.browser
STYLE = """<style>
  body { margin: 8px; font: 1rem/1.5 sans-serif; }
  .narrow { width: 2rem; overflow-wrap: anywhere; } .wide { width: 12rem; }
  .hero { height: 11rem; } .high { height: 25rem; } a { display: inline-block; }
  p a { display: inline; } .tall { line-height: 3rem; } .gone { clip-path: inset(50%); }
  .card { position: relative; height: 3rem; } .card a::after {
    content: ""; position: absolute; inset: 0; }
</style>"""
FOUND = {
    '<div class="narrow">Giocatore</div>': ["split: Giocatore", "split at 200 %: Giocatore"],
    '<div class="wide">Words</div>': ["scrolls sideways"],
    '<div class="hero high"></div><p>Words</p>': ["begins at 8"],
    '<p><b class="my-table high" style="display:block">7</b></p>': ["out of sight"],
    '<a href="/">Go</a>': ["too small"],
    '<input type="checkbox">': ["too small"],
    '<div class="tile" style="height: 40px; width: 60px">Words</div>': ["too small"],
}
PASSING = (
    '<div class="narrow gone">Giocatore</div>',
    '<div class="narrow">Meisterschaftsqualifikationsfinalrunde</div>',
    '<div class="hero"></div><p>Words</p>',
    '<div class="hero high"><ol class="steps"><li>First</li></ol></div><p>Words</p>',
    '<div class="high tabs"></div>',
    '<p>Words <a href="/">lead</a> on.</p>',
    '<a href="/" class="tall">Lead</a>',
    '<div class="card"><a href="/">Lead</a></div>',
    '<label class="tall" style="display:block"><input type="checkbox"> Words</label>',
)


@pytest.fixture
def problems_of(open_page: Any) -> Any:
    """Return a function that lists the problems of some HTML."""
    page = open_page()
    page.set_viewport_size({"width": PHONE, "height": 740})

    def found(part: str) -> list[str]:
        page.set_content(f"{STYLE}<body><main>{part}</main></body>")
        return list(letter_problems(page, SIDEWAYS, public=True))

    return found


def test_what_does_not_fit_is_found(problems_of: Any) -> None:
    wrong = {
        part: found
        for part, expected in FOUND.items()
        if len(found := problems_of(part)) != len(expected)
        or not all(words in said for words, said in zip(expected, found, strict=True))
    }
    assert wrong == {}


def test_what_fits_is_let_pass(problems_of: Any) -> None:
    assert {part: found for part in PASSING if (found := problems_of(part))} == {}


PAGE = """<!doctype html><html lang="en"><head><title>Page</title></head>
<body style="background:#fff;color:#000"><main><h1>Page</h1>{}</main></body></html>"""
GRADIENT = '<p style="background:linear-gradient(90deg, {}, {});color:#fff">Words</p>'
DRAWING = """<svg viewBox="0 0 90 30" width="180" height="60" role="img" aria-label="A">
<rect width="90" height="30" fill="{}"/><text x="20" y="20" fill="#fff">Words</text></svg>"""


@pytest.mark.deep
@pytest.mark.parametrize(
    ("part", "found"),
    [
        (GRADIENT.format("#123", "#024"), "a gradient"),
        (DRAWING.format("#123"), ""),
        (DRAWING.format("#bbb"), "contrast 1.92"),
        ('<a href="/" aria-haspopup="true" aria-expanded="true" aria-controls="no">A</a>', "sure"),
    ],
)
def test_what_axe_leaves_open_is_measured_or_found(
    open_page: Any, axe_finds: Any, part: str, found: str
) -> None:
    page = open_page()
    page.set_content(PAGE.format(part))
    places = [place for _rule, where in axe_finds(page) for place in where]
    assert [found in place for place in places] == ([True] if found else []), places
