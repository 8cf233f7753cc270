"""Readers of any JSON that can be stored, and of sentences as they are stored."""

import re
from functools import partial
from math import isfinite

from rules.json_reader import ANY_TEXT, Fields, WrongValue, by_key, list_of, text
from rules.wording import Sentence

DEEPEST_VALUE = 20
"""Levels of JSON without a shape of its own."""
PLACEHOLDER = re.compile(r"%%|%\(\w+\)s")
TEMPLATE = text(1000, 1)


def any_json(value: object, levels: int = DEEPEST_VALUE) -> object:
    """Return JSON that can be stored and read: of some levels, with finite numbers."""
    if levels == 0:
        raise WrongValue("This is too deeply nested.")
    if isinstance(value, str):
        ANY_TEXT(value)
    elif isinstance(value, list):
        list_of(partial(any_json, levels=levels - 1))(value)
    elif isinstance(value, dict):
        by_key(partial(any_json, levels=levels - 1))(value)
    elif isinstance(value, float) and not isfinite(value):
        raise WrongValue("This must be a finite number.")
    return value


VALUES = by_key(any_json)


def read_sentence(value: object) -> Sentence:
    """Return a stored sentence: a template and a value for each of its placeholders.

    Values that are sentences themselves stay as they are stored.
    """
    given = Fields(value, ("template", "values"))
    template, values = given.read("template", TEMPLATE), given.read("values", VALUES)
    if "%" in PLACEHOLDER.sub("", template):
        raise WrongValue(
            "This must be a sentence with placeholders for whole values.", at="template"
        )
    try:
        template % values
    except (KeyError, TypeError, ValueError):
        raise WrongValue(
            "This must be a value for each placeholder of the sentence.", at="values"
        ) from None
    given.read("values", by_key(_check_inner))
    return Sentence(template, values)


def _check_inner(value: object) -> None:
    if isinstance(value, list):
        list_of(_check_sentence)(value)
    _check_sentence(value)


def _check_sentence(value: object) -> None:
    if isinstance(value, dict):
        read_sentence(value)
