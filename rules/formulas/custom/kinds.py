"""The kinds of stages that a custom formula can have, and what each of them offers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules.brackets import BracketMatch, bracket, rounds_of
from rules.double_brackets import double_bracket
from rules.formulas.custom.definition import StageDefinition
from rules.plan import DOUBLE_ELIMINATION, KNOCKOUT, ROUND_ROBIN, SWISS
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Matches = tuple[BracketMatch, ...]
MOST_DOUBLE = 128
"""Players of a double elimination: each number has other matches, and all are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomKind:
    """A kind of stage: which settings it has beside those of all, and how large it may be.

    ``most`` is how many players a group may have. ``bracket`` gives the matches of a stage for a
    number of seats, and None where players go on by rank.
    """

    key: str
    label: Sentence
    settings: frozenset[str]
    most: int
    groups: bool = False
    bracket: Callable[[int, StageDefinition], Matches] | None = None


def _knockout(seats: int, stage: StageDefinition) -> Matches:
    """Return the matches of a bracket; those of all sizes with as many rounds are the same."""
    rounds = rounds_of(seats, stage.survivors)
    return _full_bracket(rounds, stage.survivors, stage.third_place)


@lru_cache(maxsize=64)
def _full_bracket(rounds: int, survivors: int, third_place: bool) -> Matches:
    return bracket(survivors * 2**rounds, survivors, third_place)


def _double(seats: int, _stage: StageDefinition) -> Matches:
    """Return the matches of a double elimination; those of the grand final are taken as one."""
    return _double_bracket(min(seats, MOST_DOUBLE))


@lru_cache(maxsize=MOST_DOUBLE)
def _double_bracket(seats: int) -> Matches:
    return double_bracket(seats, second_final=False)


CUSTOM_KINDS: Mapping[str, CustomKind] = {
    kind.key: kind
    for kind in (
        CustomKind(
            key=ROUND_ROBIN,
            label=Sentence(_("Groups, everybody meets everybody")),
            settings=frozenset({"legs", "without_last"}),
            most=32,
            groups=True,
        ),
        CustomKind(
            key=SWISS,
            label=Sentence(_("Swiss rounds")),
            settings=frozenset({"rounds"}),
            most=1024,
        ),
        CustomKind(
            key=KNOCKOUT,
            label=Sentence(_("Knock-out")),
            settings=frozenset({"third_place", "survivors", "apart"}),
            most=512,
            bracket=_knockout,
        ),
        CustomKind(
            key=DOUBLE_ELIMINATION,
            label=Sentence(_("Double elimination")),
            settings=frozenset({"second_final", "apart"}),
            most=MOST_DOUBLE,
            bracket=_double,
        ),
    )
}
