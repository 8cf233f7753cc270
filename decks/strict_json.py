"""JSON from strangers, read by the letter: what programs read in different ways is refused."""

import json
from typing import Any, NoReturn


def strict_json(text: str) -> object:
    """Return what a JSON text holds.

    Raises ValueError for what is no JSON, NaN and Infinity and a key that stands twice in an
    object among it; RecursionError for an endless nest.
    """
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("A key stands twice in an object.")
    return found
