"""A draft as its tables, and a change of it: which matches go, and which come in their place."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.errors import RuleError
from rules.results import PlayerId
from rules.stages.kind import StageKind
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Fixed = Mapping[PlayerId, int]
Pair = tuple[PlayerId, PlayerId | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A match of a draft; ``b`` None is a bye, or with ``missed`` a round that counts as missed.

    ``number`` is the match's in its round, ``table`` None where nothing is played. Whoever sits in
    no match is not paired yet.
    """

    number: int
    a: PlayerId
    b: PlayerId | None
    table: int | None = None
    missed: bool = False
    reason: Sentence | None = None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Return the one or two who sit there."""
        return (self.a,) if self.b is None else (self.a, self.b)

    @property
    def is_bye(self) -> bool:
        """Say whether the player has a bye."""
        return self.b is None and not self.missed

    def opponent(self, player: PlayerId) -> PlayerId | None:
        """Return the other one."""
        return self.b if self.a == player else self.a


Draft = Sequence[Seated]


@dataclass(frozen=True, slots=True)
class Change:
    """Which matches of a draft go, and which come."""

    gone: tuple[Seated, ...]
    made: tuple[Seated, ...]

    def applied(self, draft: Draft) -> tuple[Seated, ...]:
        """Return the draft after the change, in the order of the matches' numbers."""
        kept = [match for match in draft if match not in self.gone]
        return tuple(sorted([*kept, *self.made], key=lambda match: match.number))


def check_may_be_paired(kind: StageKind, *, extra: bool = False) -> None:
    """Raise RuleError ``pairings_fixed`` where the rules of a stage leave nothing to a hand.

    ``extra``: the round is one of extra matches among level players.
    """
    if extra:
        raise RuleError(
            "pairings_fixed",
            _("Who plays an extra match follows from the standings. Nothing was changed."),
        )
    if not kind.pairs_by_points:
        raise RuleError("pairings_fixed", kind.not_by_hand.template, **kind.not_by_hand.values)


def seat_of(draft: Draft, player: PlayerId) -> Seated | None:
    """Return the match in which a player sits, None for who is not paired."""
    return next((match for match in draft if player in match.players), None)


def placed(draft: Draft, freed: Collection[Seated], pairs: Sequence[Pair]) -> list[Seated]:
    """Give pairs the numbers and tables of the matches that go, then the next that are free."""
    own = sorted(freed, key=lambda match: (match.b is None, match.table or 0, match.number))
    staying = [match for match in draft if match not in freed]
    first = min((match.number for match in draft), default=1)
    numbers = _first_free([m.number for m in own], [m.number for m in staying], first, len(pairs))
    used = [match.table for match in staying if match.table is not None]
    tables = iter(_first_free([m.table for m in own if m.table], used, 1, len(pairs)))
    return [
        Seated(number=number, a=a, b=b, table=None if b is None else next(tables))
        for number, (a, b) in zip(numbers, pairs, strict=True)
    ]


def _first_free(own: list[int], taken: Collection[int], start: int, how_many: int) -> list[int]:
    """Return the first own values, then unused ones from a start on."""
    used = {*own, *taken}
    more = [n for n in range(start, start + len(used) + how_many) if n not in used]
    return [*own, *more][:how_many]


def changed(
    draft: Draft, gone: Iterable[Seated | None], made: Sequence[Seated], fixed: Fixed
) -> Change:
    """Return the change, with who needs a fixed table at it where no other match sits there."""
    removed = tuple(match for match in gone if match is not None)
    elsewhere = {match.table for match in draft if match not in removed}
    seats = list(made)
    for index in range(len(seats)):
        _seat_at_fixed(seats, index, elsewhere, fixed)
    return Change(removed, tuple(seats))


def _seat_at_fixed(
    seats: list[Seated], index: int, elsewhere: Collection[int | None], fixed: Fixed
) -> None:
    match = seats[index]
    wishes = _wishes(match, fixed)
    if match.table in wishes:
        return
    for wanted in wishes:
        if wanted in elsewhere:
            continue
        holder = next((at for at, other in enumerate(seats) if other.table == wanted), None)
        if holder is not None and wanted in _wishes(seats[holder], fixed):
            continue
        if holder is not None:
            seats[holder] = replace(seats[holder], table=match.table)
        seats[index] = replace(match, table=wanted)
        return


def _wishes(match: Seated, fixed: Fixed) -> list[int]:
    if match.b is None:
        return []
    return sorted(fixed[player] for player in match.players if player in fixed)
