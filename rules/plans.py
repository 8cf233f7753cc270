"""Plans: a formula for a number of players as data, and names of places.

The plan is stored with the event when it starts, so a running event does not change when its
formula does. Later stages refer to places by name: "A1", "R1", "W3"; "S1" is the first of the
starting order of the event (by seeds, by lot or by hand).

Source: tournament rules, The Mutant Chronicles formula; contracts, API (names of places).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rules.json_reader import (
    ANY_TEXT,
    JsonObjectReader,
    Reader,
    WholeNumber,
    any_of,
    boolean,
    fraction,
    list_of,
    mapping_of,
    one_of,
    read_sentence,
    text,
)
from rules.results import MOST_BYE_GAMES, PlayerId
from rules.tables.rounds import LARGEST
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPlace:
    """A place of a plan: that of a group's n-th player among those who can advance.

    ``name`` is what later stages call it, such as "A1"; ``rank`` is n, from 1.
    """

    name: str
    group: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRankPlace:
    """A place of a plan: that of the n-th best of the players on one rank of several groups.

    ``name`` is what later stages call it; ``rank`` and ``nth`` count from 1.
    """

    name: str
    rank: int
    groups: tuple[str, ...]
    nth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerPlace:
    """A place of a plan: that of the winner of a knock-out match, by its number.

    ``name`` is what later stages call it, such as "W3". Nobody holds it if both players lost.
    """

    name: str
    match: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoserPlace:
    """A place of a plan: that of the loser of a knock-out match, by its number.

    ``name`` is what later stages call it, such as "L3". Nobody holds it after a bye or a double
    loss.
    """

    name: str
    match: int


def rank_places(group: str, names: Iterable[str]) -> tuple[RankPlace, ...]:
    """Return the places of the first ranks of a group, one with each name."""
    return tuple(
        RankPlace(name=name, group=group, rank=rank) for rank, name in enumerate(names, start=1)
    )


LATE = "late"

Place = RankPlace | ComparedRankPlace | WinnerPlace | LoserPlace

KINDS: Mapping[str, type[Place]] = {
    "rank": RankPlace,
    "nth": ComparedRankPlace,
    "winner": WinnerPlace,
    "loser": LoserPlace,
}


LONGEST_NAME, MOST_PLAYERS, MOST_NUMBER = 120, 10_000, 32_767
NAME, NUMBER = text(LONGEST_NAME), WholeNumber(1, MOST_NUMBER)
KIND = one_of(KINDS)
READERS: Mapping[str, Reader[Any]] = {
    "name": NAME,
    "group": NAME,
    "groups": list_of(NAME, MOST_PLAYERS),
    **dict.fromkeys(("rank", "nth", "match"), NUMBER),
}


def start_places(count: int) -> tuple[str, ...]:
    """Return the names of the places of the starting order: S1, S2, … for so many players."""
    return tuple(f"S{number}" for number in range(1, count + 1))


def late_entry_place(number: int) -> str:
    """Return the name of the place added for a late entry, by the player's number."""
    return f"{LATE} {number}"


def late_entries_by_place(names: Iterable[str]) -> dict[str, int]:
    """Return the player numbers of late entries, by the name of the place added for each.

    ``names`` may hold other places too, which are ignored.
    """
    found = (name.partition(" ") for name in names)
    return {
        late_entry_place(int(number)): int(number) for kind, _sep, number in found if kind == LATE
    }


def place_to_json(place: Place) -> dict[str, object]:
    """Return a place as JSON data, which ``read_place`` reads."""
    kind = next(key for key, shape in KINDS.items() if isinstance(place, shape))
    values = {name: getattr(place, name) for name in type(place).__slots__}
    return {"kind": kind} | {
        key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
    }


def read_place(value: object) -> Place:
    """Return the place stored by :func:`place_to_json`; raises WrongValue."""
    kind = JsonObjectReader(value).read("kind", KIND)
    shape = KINDS[kind]
    given = JsonObjectReader(value, ("kind", *shape.__slots__))
    return shape(**{key: given.read(key, READERS[key]) for key in shape.__slots__})


OwnValue = int | bool | str | tuple[int, ...]
MOST_LEGS = 4

ROUND_ROBIN = "round_robin"
KNOCKOUT = "knockout"
DOUBLE_ELIMINATION = "double_elimination"
SWISS = "swiss"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPlan:
    """A group of a planned stage.

    ``seats`` are the names of the places whose holders sit in it, in seat order.
    """

    name: str
    seats: tuple[str, ...]


def group_plans(names: Iterable[str], seats: Iterable[Sequence[str]]) -> tuple[GroupPlan, ...]:
    """Return the plans of groups with these names and seats, one each."""
    pairs = zip(names, seats, strict=True)
    return tuple(GroupPlan(name=name, seats=tuple(places)) for name, places in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """The settings and groups of one stage of a plan.

    ``places`` are those that its players can reach. ``legs``: how often all of a group meet.
    ``best_of`` is indexed by distance from the last round: the first number applies to the final
    (and the match for third place), the second to the semi-finals, the last to all earlier rounds.
    ``survivors`` is the number of players that a knock-out leaves: 1, or more in a play-in.
    ``apart``: the seats of a bracket are arranged so that players of one earlier group meet late.
    ``order`` names the schedule of a group of four. ``interchangeable`` holds sets of place names
    whose holders may be swapped without effect, so that no random draw is needed between them.
    ``rounds`` is the number of rounds of a Swiss stage; other kinds derive it. ``without_last``:
    when groups of different sizes are compared, matches against the last player of the larger ones
    are ignored. ``second_final``: in a double elimination the winner of the lower bracket must win
    twice. ``ranks_from``: the final rank of the winner of a knock-out if better players continue
    elsewhere, such as 5 in a consolation bracket. ``own`` holds the settings specific to this kind
    of stage (read by ``StageKind.value_of``). ``byes`` are (player, number of first rounds with an
    awarded bye). ``began`` holds the original values of settings changed since
    (``rules.plan_changes``).
    """

    key: str
    label: Sentence
    kind: str
    groups: tuple[GroupPlan, ...]
    places: tuple[Place, ...] = ()
    legs: int = 1
    one_leg_only: bool = False
    order: str = "standard"
    best_of: tuple[int, ...] = (1,)
    timed: bool = True
    third_place: bool = False
    survivors: int = 1
    apart: bool = False
    interchangeable: tuple[tuple[str, ...], ...] = ()
    rounds: int = 0
    without_last: bool = False
    second_final: bool = True
    ranks_from: int = 1
    own: tuple[tuple[str, OwnValue], ...] = ()
    byes: tuple[tuple[PlayerId, int], ...] = ()
    began: tuple[tuple[str, OwnValue], ...] = ()

    @property
    def size(self) -> int:
        """Return the number of seats of the stage."""
        return sum(len(group.seats) for group in self.groups)

    @classmethod
    def from_json(cls, stored: object) -> "StagePlan":
        """Return the stage of a plan stored by :meth:`FormulaPlan.to_json`. Raises WrongValue."""
        given = JsonObjectReader(stored, STAGE)
        fields = (*NEEDED, *(key for key in given.values if key not in NEEDED))
        return cls(**{key: given.read(key, STAGE[key]) for key in fields})


def _group(stored: object) -> GroupPlan:
    given = JsonObjectReader(stored, ("name", "seats"))
    return GroupPlan(name=given.read("name", text(40)), seats=given.read("seats", SEATS))


def _own(stored: object) -> tuple[tuple[str, OwnValue], ...]:
    return tuple(sorted(mapping_of(OWN)(stored).items()))


def _byes(stored: object) -> tuple[tuple[PlayerId, int], ...]:
    return tuple((player, rounds) for player, rounds in list_of(PAIR)(stored))


SEATS = list_of(NAME, MOST_PLAYERS)
PAIR = list_of(WholeNumber(1), 2, least=2)
OWN: Reader[OwnValue] = any_of(
    boolean, WholeNumber(0, MOST_NUMBER), text(40), list_of(WholeNumber(2, LARGEST))
)
COUNT = WholeNumber(0, MOST_PLAYERS)
NEEDED = ("key", "label", "kind", "groups", "places", "best_of", "interchangeable")
STAGE: Mapping[str, Reader[Any]] = {
    "key": text(40, 1),
    "label": read_sentence,
    "kind": text(40, 1),
    "groups": list_of(_group, MOST_PLAYERS),
    "places": list_of(read_place, MOST_PLAYERS),
    "best_of": list_of(WholeNumber(1, 99), 99, least=1),
    "interchangeable": list_of(SEATS, MOST_PLAYERS),
    "legs": WholeNumber(1, MOST_LEGS),
    "order": text(40),
    **dict.fromkeys(("survivors", "ranks_from", "rounds"), COUNT),
    **dict.fromkeys(("one_leg_only", "timed", "third_place"), boolean),
    **dict.fromkeys(("apart", "without_last", "second_final"), boolean),
    **dict.fromkeys(("own", "began"), _own),
    "byes": _byes,
}
"""How each field of a stored stage is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaPlan:
    """The stages of an event: a tournament format laid out for a number of players.

    ``formula`` is its key. ``shares`` are the game's settings of percentage tiebreakers, where not
    the default, as numbers in text: the least percentage (``floor``), what a drawn match counts
    (``draw``), 0 if a bye is no match there (``byes``), the games that a bye counts as won
    (``bye_games``) and that a forfeit does (``forfeit_games``; events that began without it count
    none), the limit for players who dropped (``dropped``). ``holders`` maps start places to players
    who were corrected since the seeding.
    """

    formula: str
    players: int
    stages: tuple[StagePlan, ...]
    shares: Mapping[str, str] = field(default_factory=dict)
    holders: Mapping[str, PlayerId] = field(default_factory=dict)

    def used_places(self, stage: int) -> frozenset[str]:
        """Return the names of the places that stages after the given index (from 0) seat."""
        return frozenset(
            name
            for later in self.stages[stage + 1 :]
            for group in later.groups
            for name in group.seats
        )

    def next_stages(self, stage: int, places: Mapping[str, PlayerId]) -> dict[PlayerId, int]:
        """Return, for each holder of a place, the index of the next stage they play.

        ``places`` maps the names of all places held so far, those of the start and of earlier
        stages included, to players. Players without a place in a later stage are omitted.
        """
        found: dict[PlayerId, int] = {}
        for index in range(stage + 1, len(self.stages)):
            for group in self.stages[index].groups:
                for name in group.seats:
                    if name in places:
                        found.setdefault(places[name], index)
        return found

    def with_byes(self, byes: Mapping[PlayerId, int]) -> "FormulaPlan":
        """Return the plan with byes of these players in the rounds of the first stage."""
        first, *later = self.stages
        awarded = tuple(sorted((player, n) for player, n in byes.items() if n))
        return replace(self, stages=(replace(first, byes=awarded), *later))

    def with_first(self, key: str, value: OwnValue) -> "FormulaPlan":
        """Return the plan with a setting of the first stage's kind."""
        first, *later = self.stages
        own = tuple(sorted({**dict(first.own), key: value}.items()))
        return replace(self, stages=(replace(first, own=own), *later))

    def with_late_entry(self, stage: int, number: int, byes: int = 0) -> "FormulaPlan":
        """Return the plan with an additional seat for this player in the stage with this index.

        The stage must have a single Swiss group; its number of rounds does not change. Of their
        ``byes``, awarded from round 1 on, those of rounds to come are given.
        """
        planned = self.stages[stage]
        (group,) = planned.groups
        seated = replace(group, seats=(*group.seats, late_entry_place(number)))
        stages = [*self.stages]
        awarded = (*planned.byes, *([(number, byes)] if byes else []))
        stages[stage] = replace(planned, groups=(seated,), byes=awarded)
        return replace(self, players=self.players + 1, stages=tuple(stages))

    def start_holders(self, order: Sequence[PlayerId]) -> dict[str, PlayerId]:
        """Return who holds each place of the start, drawn in this order, late entries included."""
        seats = (name for stage in self.stages for group in stage.groups for name in group.seats)
        drawn = dict(zip(start_places(len(order)), order, strict=True))
        return {**drawn, **late_entries_by_place(seats), **self.holders}

    def with_holders(self, holders: Mapping[str, PlayerId]) -> "FormulaPlan":
        """Return the plan with other players on these places of the start."""
        return replace(self, holders={**self.holders, **holders})

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON data."""
        return {
            "formula": self.formula,
            "players": self.players,
            "stages": [_stage_to_json(stage) for stage in self.stages],
            **({"shares": dict(self.shares)} if self.shares else {}),
            **({"holders": dict(self.holders)} if self.holders else {}),
        }

    @classmethod
    def from_json(cls, stored: object) -> "FormulaPlan":
        """Return the plan stored by :meth:`to_json`. Raises WrongValue."""
        given = JsonObjectReader(stored, ("formula", "players", "stages", "shares", "holders"))
        if "shares" in given:
            given.read("shares", read_percentage_settings)
        return cls(
            formula=given.read("formula", text(60, 1)),
            players=given.read("players", COUNT),
            stages=given.read("stages", list_of(StagePlan.from_json, 100, least=1)),
            shares=given.read("shares", mapping_of(ANY_TEXT), {}),
            holders=given.read("holders", mapping_of(WholeNumber(1), NAME), {}),
        )


SHARE = fraction(1, range(1, 1000))
SHARES = {
    **dict.fromkeys(("floor", "draw", "byes", "dropped"), SHARE),
    **dict.fromkeys(("bye_games", "forfeit_games"), fraction(MOST_BYE_GAMES, (1,))),
}


def read_percentage_settings(stored: object) -> dict[str, Fraction]:
    """Return a plan's stored settings of percentage tiebreakers, as fractions by key.

    They are 0 to 1, numbers of games 0 to ``MOST_BYE_GAMES``. Raises WrongValue.
    """
    given = JsonObjectReader(stored, SHARES)
    return {key: given.read(key, SHARES[key]) for key in given.values}


def _stage_to_json(stage: StagePlan) -> dict[str, Any]:
    return {
        "key": stage.key,
        "label": {"template": stage.label.template, "values": dict(stage.label.values)},
        "kind": stage.kind,
        "groups": [{"name": g.name, "seats": list(g.seats)} for g in stage.groups],
        "places": [place_to_json(place) for place in stage.places],
        "legs": stage.legs,
        "one_leg_only": stage.one_leg_only,
        "order": stage.order,
        "best_of": list(stage.best_of),
        "timed": stage.timed,
        "third_place": stage.third_place,
        "survivors": stage.survivors,
        "apart": stage.apart,
        "interchangeable": [list(names) for names in stage.interchangeable],
        "rounds": stage.rounds,
        "without_last": stage.without_last,
        "second_final": stage.second_final,
        **({"ranks_from": stage.ranks_from} if stage.ranks_from > 1 else {}),
        **({"own": {key: _plain(value) for key, value in stage.own}} if stage.own else {}),
        **({"byes": [list(pair) for pair in stage.byes]} if stage.byes else {}),
        **({"began": dict(stage.began)} if stage.began else {}),
    }


def _plain(value: OwnValue) -> object:
    return list(value) if isinstance(value, tuple) else value
