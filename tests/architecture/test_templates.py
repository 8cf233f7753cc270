"""Templates can be read and compared line by line: ``make lint`` looks at the indentation too."""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LONGEST = 120


def too_long(path: Path) -> list[str]:
    """Return the places of the lines above ``LONGEST`` characters."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for number, line in enumerate(lines, 1)
        if len(line) > LONGEST
    ]


def test_no_line_of_a_template_is_too_long() -> None:
    paths = sorted(TEMPLATES.rglob("*.html"))
    assert len(paths) > 100
    assert [place for path in paths for place in too_long(path)] == []
