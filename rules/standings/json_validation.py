"""Validation of untrusted JSON; every error names the path of the offending value."""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from rules.errors import BadInput
from rules.wording import Sentence
from rules.wording import gettext_noop as _

LARGEST = 999_999
"""The largest number accepted anywhere; keeps sums and pages readable."""

Item = TypeVar("Item")


def read(text: str | bytes) -> object:
    """Parse JSON in UTF-8; raises BadInput ``invalid_json``."""
    try:
        # A byte order mark, as some editors write it, is no reason to refuse a file.
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        value: object = json.loads(decoded)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            "invalid_json", "This is not JSON in UTF-8: %(reason)s.", path="", reason=str(error)
        ) from None
    return value


def wrong(path: str, problem: str, **values: object) -> BadInput:
    """Return the error for the value at a path such as ``matches[3].score[1]``."""
    return BadInput(
        "invalid_results",
        "%(path)s: %(problem)s",
        path=path or "$",
        problem=Sentence(problem, values),
    )


def as_object(value: object, path: str) -> Mapping[str, object]:
    """Return the value as an object; raises BadInput for any other type."""
    if not isinstance(value, dict):
        raise wrong(path, _("This must be an object."))
    return value


def as_list(value: object, path: str) -> Sequence[object]:
    """Return the value as a list; raises BadInput for any other type."""
    if not isinstance(value, list):
        raise wrong(path, _("This must be a list."))
    return value


def limit(holder: Mapping[str, object], key: str, most: int) -> None:
    """Raise BadInput if the list under a key is longer than allowed."""
    value = holder.get(key)
    if isinstance(value, list) and len(value) > most:
        raise wrong(key, _("There can be at most %(most)s."), most=most)


def required(holder: Mapping[str, object], key: str, path: str) -> object:
    """Return the value under a key; raises BadInput if it is missing."""
    if key not in holder:
        raise wrong(f"{path}.{key}".lstrip("."), _("This is missing."))
    return holder[key]


def each(
    holder: Mapping[str, object], key: str, read_item: Callable[[object, str], Item]
) -> tuple[Item, ...]:
    """Return every item of an optional list, read by ``read_item``."""
    value = holder.get(key)
    items = () if value is None else as_list(value, key)
    return tuple(read_item(item, f"{key}[{index}]") for index, item in enumerate(items))


def each_once(
    holder: Mapping[str, object], key: str, read_item: Callable[[object, str], Item]
) -> tuple[Item, ...]:
    """Return every item of an optional list; raises BadInput for one that is there twice."""
    items = each(holder, key, read_item)
    seen: set[Item] = set()
    for index, item in enumerate(items):
        if item in seen:
            raise wrong(f"{key}[{index}]", _("This is in the list already."))
        seen.add(item)
    return items


def whole(value: object, path: str, most: int = LARGEST) -> int:
    """Return the value; raises BadInput unless it is an integer from 0 to ``most``."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise wrong(path, _("This must be a whole number from 0 to %(most)s."), most=most)
    return value


def halves(value: object, path: str) -> Fraction:
    """Return a whole number, or a number of halves as text (``"1/2"``)."""
    if not isinstance(value, str):
        return Fraction(whole(value, path))
    number, of, two = value.partition("/")
    if not (number.isascii() and number.isdecimal() and (of, two) in (("", ""), ("/", "2"))):
        raise wrong(path, _("This must be a whole number, or halves such as “1/2”."))
    return Fraction(whole(int(number[:9]), path), 2 if of else 1)


def wholes(value: object, path: str, length: int, most: int = LARGEST) -> tuple[int, ...]:
    """Return ``length`` integers from 0 to ``most``; raises BadInput for anything else."""
    items = as_list(value, path)
    if len(items) != length:
        raise wrong(path, _("This must hold %(length)s numbers."), length=length)
    return tuple(whole(item, f"{path}[{index}]", most) for index, item in enumerate(items))


def is_text(text: str) -> bool:
    """Return whether a text can be encoded: JSON can contain lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
