"""Style sheets say sizes in the steps of one scale (``config/static/girone/head.css``)."""

import re
from pathlib import Path

SHEETS = sorted(
    str(sheet) for app in ("config", "decks", "tournaments") for sheet in Path(app).rglob("*.css")
)

DECLARED = re.compile(
    r"(?<![-\w])(?P<name>font-size|(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?"
    r"|border(?:-[a-z-]+)?-radius|box-shadow): ?(?P<value>[^;}]+)"
)
STEP = r"var\(--(?:[tsr][1-8]|gap|shadow|raised)\)"
SAID = re.compile(rf"(?:{STEP}|calc\(-1 \* {STEP}\)|0|-?1px|auto|inherit|none|!important|\s)+")

EXCEPTIONS = {
    ("screen.css", r"var\(--u\)|em\b"): "the hall's screen is one picture of 1920 × 1080, scaled",
    ("sheet.css", r"mm\b|pt\b"): "a sheet of paper is measured in millimetres and points",
    ("bracket.css", r"em\b|%|--reach|pt$"): "a bracket's boxes and lines grow with its letters",
    ("public.css", r"50% / \d"): "a line begins in the middle of its column",
    ("hero.css", r"36\.5rem"): "a bar as wide as the window holds a column",
    ("hero.css", r"--tap"): "room for the button that lies over the words",
    (
        "girone.css",
        r"12mm|87\.5%|-1rem 0",
    ): "printed pages, and colour up to a card's edge",
    ("bracket.css", r"8mm"): "the margin of a printed bracket",
    ("public.css", r"px\b"): "letters of a drawing are in the drawing's units",
    ("standings.css", r"12px"): "letters of a drawing are in the drawing's units",
}
"""Which sheet may say which values otherwise, and why: ten at most."""


def outside(sheet: str) -> list[str]:
    """Declarations of a sheet which say a size outside the scale."""
    name = sheet.rsplit("/", 1)[1]
    words = re.sub(r"/\*.*?\*/", "", Path(sheet).read_text(), flags=re.DOTALL)
    found = []
    for declared in DECLARED.finditer(words):
        value = declared["value"].strip()
        if SAID.fullmatch(value) or (declared["name"] == "box-shadow" and "inset" in value):
            continue
        if any(name == file and re.search(values, value) for file, values in EXCEPTIONS):
            continue
        found.append(f"{name}: {declared[0]}")
    return found


def test_sizes_are_steps_of_the_scale():
    assert len(EXCEPTIONS) <= 10
    assert [said for sheet in SHEETS for said in outside(sheet)] == []


def test_exceptions_are_used():
    used = {
        (file, values)
        for file, values in EXCEPTIONS
        for sheet in SHEETS
        if sheet.endswith(f"/{file}") and re.search(values, Path(sheet).read_text())
    }
    assert used == set(EXCEPTIONS)
