"""Style sheets as phones of some years ago get them."""

import re
from pathlib import Path

import pytest

from config.sheets import compile_css

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sorted(
    path
    for folder in ("config", "decks", "tournaments")
    for path in (ROOT / folder).rglob("static/**/*.css")
)
PIECE = re.compile(r"([^{};]*)([{}])")


def nested(style: str) -> list[str]:
    """Return the selectors of rules that stand inside other rules, not inside at-rules alone."""
    found, around = [], []
    for selector, sign in PIECE.findall(style):
        if sign == "}":
            around.pop()
            continue
        if any(around):
            found.append(selector)
        around.append(not selector.strip().startswith("@"))
    return found


def test_what_is_nested_is_found() -> None:
    assert nested("@media print { .a { p { color: red; } &:hover { margin: 0 } } }") == [
        *(" p ", " &:hover ")
    ]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_no_phone_is_given_rules_inside_rules(path: Path) -> None:
    assert nested(compile_css(path.read_text(encoding="utf-8"))) == []
