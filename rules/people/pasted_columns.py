"""Columns in a pasted list whose lines are divided by commas."""

from enum import StrEnum

from rules.people.person_names import without_numbering


class Columns(StrEnum):
    """Meaning of the comma in the lines of a pasted list: "name, club" or "surname, name"."""

    CLUB = "club"
    SURNAME = "surname"


def columns_offered(text: str) -> tuple[Columns, ...]:
    """Return how a list can be read in columns: () unless one comma repeats over most lines.

    A line without one is a player without club. A semicolon or a tab already divides; a single
    line proves nothing.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or any(";" in line or "\t" in line for line in lines):
        return ()
    parts = [[part.strip() for part in line.split(",")] for line in lines]
    divided = [each for each in parts if len(each) > 1]
    repeats = len(divided) > 1 and 2 * len(divided) > len(lines)
    return tuple(Columns) if repeats and all(len(e) == 2 and all(e) for e in divided) else ()


def split_at_comma(text: str) -> list[tuple[int, tuple[str, str]]]:
    """Return the two cells of each line of a list whose commas divide columns, with its number.

    A line without a comma has an empty second cell. Numbers before the lines are taken off.
    """
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    plain = without_numbering([line for _at, line in lines])
    parts = (line.partition(",") for line in plain)
    return [
        (at, (one.strip(), two.strip()))
        for (at, _l), (one, _c, two) in zip(lines, parts, strict=True)
    ]
