"""Strict parsing of untrusted JSON: ambiguous documents are refused."""

import json
from typing import Any, NoReturn

from rules.json_depth import check_depth


def strict_json(text: str) -> object:
    """Return the value of a JSON text.

    Raises ValueError for invalid JSON, NaN, Infinity and duplicate keys; TooDeepError for
    excessive nesting.
    """
    check_depth(text.encode(errors="replace"))
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_refuse_duplicate_keys)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number.")


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("A key stands twice in an object.")
    return found
