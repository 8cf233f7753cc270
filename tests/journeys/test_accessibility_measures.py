"""The measures behind all checks of accessibility: what they find, and what they let pass."""

from typing import Any

import pytest

pytestmark = pytest.mark.browser
PAGE = """<!doctype html><html lang="en"><head><title>Page</title></head>
<body style="background:#fff;color:#000"><main><h1>Page</h1>{}</main></body></html>"""
GRADIENT = '<p style="background:linear-gradient(90deg, {}, {});color:#fff">Words</p>'
DRAWING = """<svg viewBox="0 0 90 30" width="180" height="60" role="img" aria-label="A">
<rect width="90" height="30" fill="{}"/><text x="20" y="20" fill="#fff">Words</text></svg>"""


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
