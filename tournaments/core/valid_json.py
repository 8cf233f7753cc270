"""Kinds of JSON that a column may hold, called as those of ``core.valid_values`` are."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.errors import RuleError
from tournaments.core.valid_values import Kind, Text, Whole, Wrong, YesNo

ANY_TEXT = Text()
A_LIST = _("This must be a list.")
DEEPEST = 20
"""Levels of JSON without a shape of its own."""
PLACEHOLDER = re.compile(r"%%|%\(\w+\)s")


@dataclass(frozen=True, slots=True)
class Seeded:
    """A player's number, and their seed or null."""

    def __call__(self, value: Any) -> None:
        if type(value) is not list or len(value) != 2:
            raise Wrong(_("This must be a player's number with a seed or null."))
        Whole(1)(value[0])
        Maybe(Whole(1))(value[1])


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one kind."""

    kind: Kind
    most: int | None = None
    least: int = 0

    def __call__(self, value: Any) -> None:
        if type(value) is not list or not self.least <= len(value):
            raise Wrong(_("This must be a list that is not empty.") if self.least else A_LIST)
        if self.most is not None and len(value) > self.most:
            raise Wrong(_("This must be a list of at most %(most)s.") % {"most": self.most})
        for at, item in enumerate(value):
            try:
                self.kind(item)
            except Wrong as wrong:
                raise wrong.inside(f"[{at}]") from None


@dataclass(frozen=True, slots=True)
class AnObject:
    """Validator of any JSON object."""

    def __call__(self, value: Any) -> None:
        if type(value) is not dict:
            raise Wrong(_("This must be an object."))


@dataclass(frozen=True, slots=True)
class ByName:
    """Validator of a JSON object with any names, whose values are of one kind."""

    kind: Kind
    names: Kind = ANY_TEXT

    def __call__(self, value: Any) -> None:
        AnObject()(value)
        for name, item in value.items():
            try:
                self.names(name)
                self.kind(item)
            except Wrong as wrong:
                raise wrong.inside(f".{name[:40]}") from None


@dataclass(frozen=True, slots=True)
class Record:
    """An object with these names and no others; ``optional`` ones may be missing."""

    required: Mapping[str, Kind]
    optional: Mapping[str, Kind] = field(default_factory=dict)

    def __call__(self, value: Any) -> None:
        AnObject()(value)
        missing = [name for name in self.required if name not in value]
        if missing:
            raise Wrong(_("This is missing."), f".{missing[0]}")
        for name, item in value.items():
            kind = self.required.get(name) or self.optional.get(name)
            if kind is None:
                raise Wrong(_("Nothing here has this name."), f".{name[:40]}")
            try:
                kind(item)
            except Wrong as wrong:
                raise wrong.inside(f".{name}") from None


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value of a kind, or null."""

    kind: Kind

    def __call__(self, value: Any) -> None:
        if value is not None:
            self.kind(value)


@dataclass(frozen=True, slots=True)
class Either:
    """A value of one of several kinds; errors are those of the last kind."""

    kinds: tuple[Kind, ...]

    def __call__(self, value: Any) -> None:
        for kind in self.kinds[:-1]:
            try:
                return kind(value)
            except Wrong:
                continue
        return self.kinds[-1](value)


@dataclass(frozen=True, slots=True)
class Passing:
    """Validator of a value of a kind that a function of the rules accepts without an error."""

    kind: Kind
    accepts: Callable[[Any], object]

    def __call__(self, value: Any) -> None:
        self.kind(value)
        try:
            self.accepts(value)
        except RuleError as refused:
            raise Wrong(_("This is not possible: %(why)s") % {"why": explain(refused)}) from None
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            raise Wrong(_("This is not possible.")) from None


@dataclass(frozen=True, slots=True)
class Json:
    """Any JSON that can be stored and read: of some levels, with finite numbers."""

    deepest: int = DEEPEST

    def __call__(self, value: Any) -> None:
        if self.deepest == 0:
            raise Wrong(_("This is too deeply nested."))
        if isinstance(value, str):
            Text()(value)
        elif isinstance(value, list):
            ListOf(Json(self.deepest - 1))(value)
        elif isinstance(value, dict):
            ByName(Json(self.deepest - 1))(value)
        elif isinstance(value, float) and not isfinite(value):
            raise Wrong(_("This must be a finite number."))


_TEMPLATE: Mapping[str, Kind] = {"template": Text(1000, least=1), "values": ByName(Json())}
SENTENCE = Record(_TEMPLATE)
REASON = Record(_TEMPLATE, {"by_hand": YesNo()})
SAT_BEFORE = Record(
    {"until": Whole(0), "seats": ListOf(Whole(1), least=1)},
    {"again": Whole(0), "beside": Whole(1), "table": Whole(1)},
)
"""Who had the seats of a match before a correction; see ``Match.earlier``."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A sentence of the rules as it is stored: a template, and a value for each placeholder.

    ``of_a_pair``: why two were paired; it may be missing, and say that people did it ``by_hand``.
    """

    of_a_pair: bool = False

    def __call__(self, value: Any) -> None:
        if self.of_a_pair and value == {}:
            return
        (REASON if self.of_a_pair else SENTENCE)(value)
        _check_words(value)


def _check_words(value: Any) -> None:
    """Raise Wrong for a template of which no sentence can be made, here or in its values."""
    template, values = value["template"], value["values"]
    if "%" in PLACEHOLDER.sub("", template):
        raise Wrong(_("This must be a sentence with placeholders for whole values."), ".template")
    try:
        template % values
    except (KeyError, TypeError, ValueError):
        raise Wrong(
            _("This must be a value for each placeholder of the sentence."), ".values"
        ) from None
    for name, each in values.items():
        for inner in each if isinstance(each, list) else [each]:
            if isinstance(inner, dict):
                try:
                    Worded()(inner)
                except Wrong as wrong:
                    raise wrong.inside(f".values.{name[:40]}") from None
