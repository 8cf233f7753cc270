"""Readers of JSON from outside, which refuse what does not fit by its path.

A reader is a function that returns what a value says, or raises :class:`WrongValue`. Readers of
parts make readers of wholes, and each adds its own step to the path of an error that passes it::

    SIZES = list_of(Whole(1, 99), most=10)       # "sizes[3]: Enter a whole number from 1 …"

    def read_zone(value: object) -> Zone:
        given = JsonObjectReader(value, ("name", "sizes"))  # an object that has no other keys
        name, sizes = given.read("name", name_text(80)), given.optional("sizes", SIZES, ())
        return Zone(name=name, sizes=sizes)

    zones = read_document("bad_zones", list_of(read_zone), data)
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain
from math import isfinite
from typing import TypeVar

from rules.errors import BadInput
from rules.names import clean_line, name_key
from rules.wording import Sentence

Item = TypeVar("Item")
Usual = TypeVar("Usual")
Reader = Callable[[object], Item]

LARGE = 2_147_483_647
"""The largest number of a column."""
LONGEST_STEP = 80
"""Characters of a key in a path."""
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
NUMBER = re.compile(r"[0-9]{1,9}(?:/[0-9]{1,9}|\.[0-9]{1,9})?")


class WrongValue(BadInput):
    """A JSON value was rejected: ``problem`` says why, ``path`` where: ``zones[0].min``.

    ``at`` is the path within the value that the reader was given, "" for the value itself.
    """

    def __init__(self, problem: str | Sentence, *, at: str = "", **values: object) -> None:
        self.problem = Sentence(problem, values) if isinstance(problem, str) else problem
        self.path = at
        super().__init__("bad_value", "%(path)s: %(problem)s", path=at, problem=self.problem)

    def inside(self, step: str) -> "WrongValue":
        """Return the same error as seen from the object or list that holds the value."""
        dot = "." if step and self.path and not self.path.startswith("[") else ""
        return WrongValue(self.problem, at=f"{step}{dot}{self.path}")


def read_document(
    code: str, reader: Reader[Item], value: object, *, at: str = "", also_as: str | None = None
) -> Item:
    """Return what a reader makes of a JSON document, or of its part at the path ``at``.

    Raises BadInput with the ``code``, ``path`` ("$" for the document itself) and ``problem``;
    ``also_as`` is a second name for the path in the error.
    """
    try:
        return reader(value)
    except WrongValue as wrong:
        path = wrong.inside(at).path or "$"
        named = {also_as: path} if also_as else {}
        raise BadInput(
            code, "%(path)s: %(problem)s", path=path, problem=wrong.problem, **named
        ) from None


def wrong_type_error(expected: str) -> WrongValue:
    """Return the WrongValue for a value not of the ``expected`` JSON type."""
    return WrongValue("This must be of type %(type)s.", type=expected)


def too_low_error(least: int) -> WrongValue:
    """Return the WrongValue for a number below ``least``, or for too few items."""
    return WrongValue("Enter at least %(least)s.", least=least)


def too_high_error(most: int) -> WrongValue:
    """Return the WrongValue for a number above ``most``, or for too many items."""
    return WrongValue("Enter at most %(most)s.", most=most)


def path_step(key: object) -> str:
    """Return a JSON key as part of an error's path, shortened."""
    return str(key)[:LONGEST_STEP].encode(errors="replace").decode()


class _Needed:
    """The default of a field that must be there."""


NEEDED = _Needed()


class JsonObjectReader:
    """The fields of a JSON object, for reading one after the other.

    Raises WrongValue for a value that is no object, and for keys outside ``known`` if given.
    """

    __slots__ = ("values",)

    def __init__(self, value: object, known: Collection[str] | None = None) -> None:
        if not isinstance(value, dict):
            raise wrong_type_error("object")
        self.values: Mapping[str, object] = value
        if known is None:
            return
        for key in value:
            if key not in known:
                raise WrongValue(
                    "Unknown field. Use one of: %(known)s.", at=path_step(key), known=tuple(known)
                )

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def read(self, key: str, reader: Reader[Item], usual: Usual | _Needed = NEEDED) -> Item | Usual:
        """Return what a field says, ``usual`` without it. Raises WrongValue."""
        if key in self.values:
            try:
                return reader(self.values[key])
            except WrongValue as wrong:
                raise wrong.inside(path_step(key)) from None
        if isinstance(usual, _Needed):
            raise WrongValue("This field is required.", at=key)
        return usual

    def optional(self, key: str, reader: Reader[Item], usual: Usual) -> Item | Usual:
        """Return what a field says, ``usual`` without it or for null. Raises WrongValue."""
        return usual if self.values.get(key) is None else self.read(key, reader)


# --- Single values -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A reader of a whole number from ``least`` to ``most``; raises WrongValue."""

    least: int = 0
    most: int = LARGE

    def __call__(self, value: object) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            raise WrongValue(
                "Enter a whole number from %(least)s to %(most)s.",
                least=self.least,
                most=self.most,
            )
        return value


def fraction(most: int, parts: Collection[int]) -> Reader[Fraction]:
    """Return a reader of a fraction from 0 to ``most``: ``2``, ``"1/2"``, ``"0.5"``.

    ``parts`` are the denominators that it may have.
    """

    def read(value: object) -> Fraction:
        number = Fraction(-1)
        if type(value) is int:
            number = Fraction(value)
        elif isinstance(value, str) and NUMBER.fullmatch(value):
            whole_part, _slash, divisor = value.partition("/")
            number = Fraction(whole_part) / int(divisor or 1) if divisor != "0" else number
        if not 0 <= number <= most or number.denominator not in parts:
            raise WrongValue(
                "Enter a number from 0 to %(most)s, such as 1/2.",
                most=most,
            )
        return number

    return read


def boolean(value: object) -> bool:
    """Return the value if it is a boolean; raises WrongValue."""
    if not isinstance(value, bool):
        raise wrong_type_error("boolean")
    return value


def text(most: int | None = None, least: int = 0, *, printable: bool = False) -> Reader[str]:
    """Return a reader of a storable text of ``least`` to ``most`` characters.

    ``printable``: control characters are rejected too.
    """

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise wrong_type_error("string")
        if UNSTORABLE.search(value) or (printable and CONTROLS.search(value)):
            raise WrongValue("The text has invalid characters.")
        if len(value) < least:
            raise WrongValue("This field is required.")
        if most is not None and len(value) > most:
            raise WrongValue("Write at most %(most)s characters.", most=most)
        return value

    return read


def name_text(longest: int) -> Reader[str]:
    """Return a reader of a name on one line, with at least one letter or digit.

    ``longest`` is the maximum number of characters. White space is collapsed.
    """

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise wrong_type_error("string")
        tidied = clean_line(value)
        if not name_key(tidied) or not any(map(str.isalnum, tidied)):
            raise WrongValue("This field is required.")
        if len(tidied) > longest:
            raise WrongValue("Write at most %(most)s characters.", most=longest)
        return tidied

    return read


def one_of(known: Iterable[str]) -> Reader[str]:
    """Return a reader of a text that must be one of the known ones."""
    texts = tuple(map(str, known))

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in texts:
            raise WrongValue("Use one of: %(known)s.", known=texts)
        return value

    return read


# --- Values of values ----------------------------------------------------------------------
def nullable(reader: Reader[Item]) -> Reader[Item | None]:
    """Return a reader of null, or of what the other reader accepts."""
    return lambda value: None if value is None else reader(value)


def any_of(*readers: Reader[Item]) -> Reader[Item]:
    """Return a reader that tries several readers in turn.

    If all fail, the error is that of the last one.
    """

    def read(value: object) -> Item:
        for reader in readers[:-1]:
            try:
                return reader(value)
            except WrongValue:
                continue
        return readers[-1](value)

    return read


def list_of(
    reader: Reader[Item], most: int | None = None, *, least: int = 0
) -> Reader[tuple[Item, ...]]:
    """Return a reader of a list of ``least`` to ``most`` items, each read by ``reader``."""

    def read(value: object) -> tuple[Item, ...]:
        if not isinstance(value, list):
            raise wrong_type_error("array")
        if len(value) < least:
            raise too_low_error(least)
        if most is not None and len(value) > most:
            raise too_high_error(most)
        items: list[Item] = []
        try:
            for item in value:
                items.append(reader(item))  # noqa: PERF401 - their number leads to a wrong one
        except WrongValue as wrong:
            raise wrong.inside(f"[{len(items)}]") from None
        return tuple(items)

    return read


def unique_list(
    reader: Reader[tuple[Item, ...]],
    key: Callable[[Item], object] = lambda item: item,
    *,
    at: str = "",
) -> Reader[tuple[Item, ...]]:
    """Return a reader of a list whose items must differ by ``key``.

    ``reader`` reads the list; ``at`` is the path of the key in an item, for the error.
    """

    def read(value: object) -> tuple[Item, ...]:
        items = reader(value)
        seen: set[object] = set()
        for index, item in enumerate(items):
            if (own := key(item)) in seen:
                raise WrongValue("Use each value only once.", at=at).inside(f"[{index}]")
            seen.add(own)
        return items

    return read


ANY_TEXT = text()


def mapping_of(reader: Reader[Item], keys: Reader[str] = ANY_TEXT) -> Reader[dict[str, Item]]:
    """Return a reader of an object with any keys that ``keys`` accepts, as a dict.

    Each value is read by ``reader``.
    """

    def read(value: object) -> dict[str, Item]:
        found: dict[str, Item] = {}
        for key, item in JsonObjectReader(value).values.items():
            try:
                found[keys(key)] = reader(item)
            except WrongValue as wrong:
                raise wrong.inside(path_step(key)) from None
        return found

    return read


DEEPEST = 32
"""Levels; no document that Girone reads has half as many."""
_OPENING, _CLOSING = b"[{", b"]}"
_STEPS = [(sign in _OPENING) - (sign in _CLOSING) for sign in range(256)]
_OTHERS = bytes(sign for sign in range(256) if sign not in _OPENING + _CLOSING + b'"')


class TooDeepError(ValueError):
    """The JSON is nested too deeply."""


def check_depth(content: bytes, deepest: int = DEEPEST) -> None:
    """Raise TooDeepError for UTF-8 JSON nested more than ``deepest`` levels.

    Takes time and memory in proportion to the content.
    """
    signs = content.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
    # Two quotes side by side are an empty text, or the end of one and the start of the next.
    outside = signs.replace(b'""', b"").split(b'"')[::2]
    brackets = chain.from_iterable(outside)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > deepest:
        raise TooDeepError("The JSON is nested too deeply.")


DEEPEST_VALUE = 20
"""Levels of JSON without a shape of its own."""
PLACEHOLDER = re.compile(r"%%|%\(\w+\)s")
TEMPLATE = text(1000, 1)


def any_json(value: object, levels: int = DEEPEST_VALUE) -> object:
    """Return any JSON value if it can be stored: limited nesting, finite numbers.

    ``levels`` is the nesting allowed. Raises WrongValue.
    """
    if levels == 0:
        raise WrongValue("The JSON is nested too deeply.")
    if isinstance(value, str):
        ANY_TEXT(value)
    elif isinstance(value, list):
        list_of(partial(any_json, levels=levels - 1))(value)
    elif isinstance(value, dict):
        mapping_of(partial(any_json, levels=levels - 1))(value)
    elif isinstance(value, float) and not isfinite(value):
        raise wrong_type_error("number")
    return value


VALUES = mapping_of(any_json)


def read_sentence(value: object) -> Sentence:
    """Return a stored message: a template and a value for each of its placeholders.

    Values that are messages themselves stay as they are stored. Raises WrongValue.
    """
    given = JsonObjectReader(value, ("template", "values"))
    template, values = given.read("template", TEMPLATE), given.read("values", VALUES)
    if "%" in PLACEHOLDER.sub("", template):
        raise WrongValue("The text has invalid characters.", at="template")
    try:
        template % values
    except (KeyError, TypeError, ValueError):
        raise WrongValue("This field is required.", at="values") from None
    given.read("values", mapping_of(_check_inner))
    return Sentence(template, values)


def _check_inner(value: object) -> None:
    if isinstance(value, list):
        list_of(_check_sentence)(value)
    _check_sentence(value)


def _check_sentence(value: object) -> None:
    if isinstance(value, dict):
        read_sentence(value)
