"""A formula for a known number of players: stages, groups, seats and places, as data.

The plan is stored with the event when it starts, so that a running event does not change
when a formula does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.plans import places
from rules.plans.places import Place, late_place
from rules.results import PlayerId
from rules.wording import Sentence

ROUND_ROBIN = "round_robin"
KNOCKOUT = "knockout"
DOUBLE_ELIMINATION = "double_elimination"
SWISS = "swiss"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPlan:
    """A group and the names of the places that sit in it, in seat order."""

    name: str
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """One stage.

    ``best_of`` goes by distance from the last round: the first number is for the final (and
    the match for third place), the second for the semi-finals, the last for all earlier ones.
    ``survivors`` is how many a knock-out leaves: 1, or more in a play-in. ``apart`` says that
    the seats of a bracket are arranged so that no two of one earlier group meet early.
    ``order`` names the schedule of a group of four. ``interchangeable`` holds sets of place
    names whose holders may be swapped without changing anything: no lots between them.
    ``rounds`` is how many a Swiss stage has; the others know by themselves. ``without_last``:
    where the groups compared differ in size, matches against the last of the larger ones do not
    count in the comparison. ``second_final``: in a double elimination the winner of the lower
    bracket must win twice. ``ranks_from``: the rank that the winner of a knock-out has in the end
    where others play on for the better ones, as 5 in a bracket of losers. ``own`` are settings that
    this kind of stage alone has (``StageKind.value_of`` reads them).
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
    own: tuple[tuple[str, int | bool], ...] = ()

    @property
    def size(self) -> int:
        """Return how many seats the stage has."""
        return sum(len(group.seats) for group in self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaPlan:
    """A formula laid out for a number of players."""

    formula: str
    players: int
    stages: tuple[StagePlan, ...]

    def used_places(self, stage: int) -> frozenset[str]:
        """Return the names that stages after the given index (from 0) seat."""
        return frozenset(
            name
            for later in self.stages[stage + 1 :]
            for group in later.groups
            for name in group.seats
        )

    def next_stages(self, stage: int, places: Mapping[str, PlayerId]) -> dict[PlayerId, int]:
        """Return the stage, by index, that each holder of a place plays next after the given one.

        ``places`` are all places that are held, of the start and of earlier stages too. Who is
        not among the keys holds no place of any later stage.
        """
        found: dict[PlayerId, int] = {}
        for index in range(stage + 1, len(self.stages)):
            for group in self.stages[index].groups:
                for name in group.seats:
                    if name in places:
                        found.setdefault(places[name], index)
        return found

    def with_late_entry(self, stage: int, number: int) -> "FormulaPlan":
        """Return the plan with one more seat, for this player, in the stage of an index from 0.

        The stage has one group, a Swiss one; how many rounds it has stays as it was planned.
        """
        planned = self.stages[stage]
        (group,) = planned.groups
        seated = replace(group, seats=(*group.seats, late_place(number)))
        stages = [*self.stages]
        stages[stage] = replace(planned, groups=(seated,))
        return replace(self, players=self.players + 1, stages=tuple(stages))

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "formula": self.formula,
            "players": self.players,
            "stages": [_stage_to_json(stage) for stage in self.stages],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "FormulaPlan":
        """Return the plan of plain data made by :meth:`to_json`."""
        return cls(
            formula=data["formula"],
            players=data["players"],
            stages=tuple(_stage_from_json(stage) for stage in data["stages"]),
        )


def _stage_to_json(stage: StagePlan) -> dict[str, Any]:
    return {
        "key": stage.key,
        "label": {"template": stage.label.template, "values": dict(stage.label.values)},
        "kind": stage.kind,
        "groups": [{"name": g.name, "seats": list(g.seats)} for g in stage.groups],
        "places": [places.to_json(place) for place in stage.places],
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
        **({"own": dict(stage.own)} if stage.own else {}),
    }


def _stage_from_json(data: Mapping[str, Any]) -> StagePlan:
    plain = dict(data)
    plain["label"] = Sentence(data["label"]["template"], data["label"]["values"])
    plain["groups"] = tuple(
        GroupPlan(name=g["name"], seats=tuple(g["seats"])) for g in data["groups"]
    )
    plain["places"] = tuple(places.from_json(place) for place in data["places"])
    plain["best_of"] = tuple(data["best_of"])
    plain["interchangeable"] = tuple(tuple(names) for names in data["interchangeable"])
    plain["own"] = tuple(sorted(data.get("own", {}).items()))
    return StagePlan(**plain)
