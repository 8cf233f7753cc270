"""Answers to what is asked about a list while it is edited, as the buttons beside it send them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from decks.files.strict_json import strict_json
from decks.readers.base import heading_of
from decks.rulebook import DeckRules
from rules.deckbuilding.line_replacement import replace_line
from rules.deckbuilding.name_replacement import replace_name
from rules.deckbuilding.parts import NO_CARDS, name_parts, without_parts
from rules.deckbuilding.settling import with_ones
from rules.deckbuilding.text import parse
from rules.errors import BadInput

CHOSEN = "chosen"
"""The parts are as in the fields beside the button, one for each."""
JOINED = "joined"
"""The parts are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The value of the button pressed, and the zones chosen for the parts."""

    order: str
    chosen: Sequence[str] = ()


def value_for_name(line: int, old: str, new: str) -> str:
    """Return the value of the button that replaces a card's name on a line."""
    return json.dumps([line, old, new], ensure_ascii=False)


def value_for_line(line: int, was: str, becomes: str) -> str:
    """Return the value of the button that replaces a line."""
    return json.dumps({"line": line, "was": was, "becomes": becomes}, ensure_ascii=False)


def value_for_ones() -> str:
    """Return the value of the button that writes 1 before each line without a number."""
    return json.dumps({"ones": True})


def value_for_parts(parts: str | Sequence[str]) -> str:
    """Return the value of the button that names a list's parts: their zones, CHOSEN or JOINED."""
    return json.dumps({"parts": parts}, ensure_ascii=False)


def mended(text: str, answer: Answer, rules: DeckRules) -> str:
    """Return the text of a list after the change that the pressed button stands for.

    Raises BadInput ``bad_request`` for an order that no button sends, RuleError ``line_changed``
    and ``name_unwritable`` where the list is another one by now.
    """
    try:
        order = strict_json(answer.order)
    except ValueError:
        raise _unknown_order_error() from None
    match order:
        case [int() as line, str() as old, str() as new]:
            return replace_name(text, _number(line), old, new)
        case {"line": int() as line, "was": str() as was, "becomes": str() as becomes}:
            return replace_line(text, _number(line), was, becomes)
        case {"ones": True}:
            return with_ones(text, parse(text, rules.format, rules.catalogue))
        case {"parts": parts}:
            return _with_parts(text, parts, answer, rules)
    raise _unknown_order_error()


def _number(line: int) -> int:
    if isinstance(line, bool):
        raise _unknown_order_error()
    return line


def _with_parts(text: str, parts: Any, answer: Answer, rules: DeckRules) -> str:
    shape = rules.format
    deck = parse(text, shape, rules.catalogue)
    if parts == JOINED:
        return without_parts(text, deck, shape)
    zones = list(answer.chosen) if parts == CHOSEN else parts
    if not isinstance(zones, list) or not {*map(str, zones)} <= {*shape.zone_keys, NO_CARDS}:
        raise _unknown_order_error()
    return name_parts(text, deck, zones, lambda zone: heading_of(zone, shape))


def _unknown_order_error() -> BadInput:
    return BadInput("bad_request", "There is no such step. Nothing was changed.")
