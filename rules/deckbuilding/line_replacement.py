"""Replacement of one line of a written list; everything else stays as written."""

import re

from rules.deckbuilding.lines import LINE_END
from rules.errors import RuleError
from rules.names import tidy

LINES = re.compile(f"({LINE_END.pattern})")
"""Splits a text into its lines and, between them, their ends."""


def replace_line(text: str, line: int, was: str, becomes: str) -> str:
    """Return the list with another text on one line (from 1).

    Raises RuleError ``line_changed`` if the line is not what it ``was``, apart from white space.
    """
    parts = LINES.split(text)
    at = 2 * (line - 1)
    if line < 1 or at >= len(parts) or tidy(parts[at]) != tidy(was):
        raise line_changed(line)
    mark = "\ufeff" if line == 1 and text.startswith("\ufeff") else ""
    parts[at] = mark + tidy(becomes)
    return "".join(parts)


def line_changed(line: int) -> RuleError:
    """Return the refusal to change a line that is another one by now."""
    return RuleError(
        "line_changed",
        "Line %(line)s holds another card by now. Nothing was changed: check the list again.",
        line=line,
    )
