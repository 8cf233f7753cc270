"""Whole numbers as spreadsheets write them: 1, 1.0, 1,0, １."""

import re

_WHOLE = re.compile(r"\+?(\d{1,15})(?:[.,](0*))?")
_THOUSANDS = 3


def whole_number(text: str) -> int | None:
    """Return the number of a cell, from 0; None if it holds no whole number.

    The decimals, behind a point or a comma, may be zeros. Digits are those of any script. ``1.000``
    and ``1,000`` are a thousand in some languages and one in others: None.
    """
    found = _WHOLE.fullmatch(text.strip())
    if found is None or len(found[2] or "") == _THOUSANDS:
        return None
    return int(found[1])
