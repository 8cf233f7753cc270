"""Columns in a pasted list whose lines are divided by commas."""

from enum import StrEnum


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


def in_columns(text: str, columns: Columns) -> str:
    """Return a list whose commas divide columns as lines of “name; club; surname”."""
    found = []
    for line in text.splitlines():
        first, _comma, second = (part.strip() for part in line.partition(","))
        if not second:
            found.append(line)
        elif columns is Columns.CLUB:
            found.append(f"{first}; {second}")
        else:
            found.append(f"{second} {first}; ; {first}")
    return "\n".join(found)
