"""Values of JSON from outside: what does not fit is refused with its path."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from rules.deckbuilding.adjustable import MOST
from rules.errors import BadInput
from rules.names import name_key, tidy
from rules.wording import Sentence
from rules.wording import gettext_noop as _

LONGEST = 80
"""Characters of a name."""
LONGEST_NUMBER = 9
Item = TypeVar("Item")


def invalid(path: str, problem: str, **values: object) -> BadInput:
    """Return the error ``invalid_rules`` for the value at a path such as ``zones[0].min``."""
    return BadInput(
        "invalid_rules",
        "%(path)s: %(problem)s",
        path=path or "$",
        problem=Sentence(problem, values),
    )


def an_object(value: object, path: str, known: Sequence[str]) -> Mapping[str, object]:
    """Return a JSON object that has no other keys than these; {} for null."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise invalid(path, _("This must be an object."))
    for key in value:
        if key not in known:
            raise invalid(
                f"{path}.{key}".lstrip("."),
                _("Nothing has this name here. Known: %(known)s."),
                known=tuple(known),
            )
    return value


def each(
    value: object, path: str, most: int, read: Callable[[object, str], Item]
) -> tuple[Item, ...]:
    """Return the items of a list, none for null, each read with its path."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise invalid(path, _("This must be a list."))
    if len(value) > most:
        raise invalid(path, _("There can be at most %(most)s."), most=most)
    return tuple(read(item, f"{path}[{at}]") for at, item in enumerate(value))


def a_name(value: object, path: str) -> str:
    """Return a name on one line, with a letter or digit in it."""
    name = tidy(value) if isinstance(value, str) else ""
    if not name_key(name) or not any(map(str.isalnum, name)) or len(name) > LONGEST:
        raise invalid(path, _("A name has 1 to %(most)s characters."), most=LONGEST)
    return name


def a_number(value: object, path: str, least: int = 0, most: int = MOST) -> int:
    """Return a whole number within the two bounds; raises BadInput ``invalid_rules``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise invalid(
            path,
            _("This must be a whole number from %(least)s to %(most)s."),
            least=least,
            most=most,
        )
    return value


def limits(fields: Mapping[str, object], path: str) -> tuple[int, int | None]:
    """Return ``min`` and ``max`` of an object; without ``max`` there is no limit."""
    least = a_number(fields.get("min", 0), f"{path}.min")
    given = fields.get("max")
    most = None if given is None else a_number(given, f"{path}.max")
    if most is not None and most < least:
        raise invalid(f"{path}.max", _("The most is below the least: %(least)s."), least=least)
    return least, most


def a_flag(value: object, path: str, usual: bool) -> bool:
    """Return a boolean; raises BadInput ``invalid_rules`` for any other value."""
    if value is None:
        return usual
    if not isinstance(value, bool):
        raise invalid(path, _("This must be true or false."))
    return value


def one_of(value: object, path: str, known: Sequence[str]) -> str:
    """Return a text that is one of the allowed ones; raises BadInput ``invalid_rules``."""
    if not isinstance(value, str) or value not in known:
        raise invalid(path, _("This must be one of: %(known)s."), known=tuple(known))
    return value


def a_fraction(value: object, path: str, *, parts: int, most: int) -> Fraction:
    """Return a whole number, or a fraction as text with at most so many parts: ``"1/2"``."""
    number = Fraction(-1)
    if isinstance(value, int) and not isinstance(value, bool):
        number = Fraction(value)
    elif isinstance(value, str) and len(value) <= LONGEST_NUMBER and "e" not in value.lower():
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            number = Fraction(-1)
    if not 0 <= number <= most or number.denominator > parts:
        raise invalid(
            path,
            _("This must be a number from 0 to %(most)s, whole or a fraction such as “1/2”."),
            most=most,
        )
    return number
