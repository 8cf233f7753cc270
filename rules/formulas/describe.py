"""A plan in words, stage by stage, with rounds and numbers."""

from collections.abc import Iterator, Mapping

from rules.places import NthAmong
from rules.plan import DOUBLE_ELIMINATION, FormulaPlan, StagePlan
from rules.stages.base import STAGE_KINDS, StageState
from rules.uneven_groups import differ, seats_in
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def describe(plan: FormulaPlan) -> tuple[Sentence, ...]:
    """Return the formula in words: who plays, how many rounds, who goes on."""
    return tuple(
        sentence
        for index, stage in enumerate(plan.stages)
        for sentence in _stage(stage, plan.used_places(index))
    )


def sizes_compared(
    stage: StagePlan, used: frozenset[str], sizes: Mapping[str, int] | None = None
) -> tuple[int, int] | None:
    """Return the smallest and the largest group whose players are compared, where they differ.

    ``sizes`` are those of the groups as they are, else the plan's.
    """
    groups = {
        group
        for place in stage.places
        if isinstance(place, NthAmong) and place.name in used
        for group in place.groups
    }
    return differ(seats_in(stage) if sizes is None else sizes, groups)


def uneven(stage: StagePlan, sizes: tuple[int, int]) -> Sentence:
    """Say how players are compared whose groups have from ``sizes[0]`` to ``sizes[1]`` players."""
    values = {"smallest": sizes[0], "largest": sizes[1]}
    if stage.without_last:
        return Sentence(
            _(
                "The groups compared have %(smallest)s to %(largest)s players: the matches against "
                "the last of the larger groups do not count there."
            ),
            values,
        )
    return Sentence(
        _(
            "The groups compared have %(smallest)s to %(largest)s players: all matches count, so "
            "the larger groups have more of them."
        ),
        values,
    )


def rounds_in(stage: StagePlan) -> int:
    """Return how many rounds a stage has when every seat is taken."""
    state = StageState(
        plan=stage, seats={group.name: group.seats for group in stage.groups}, legs=stage.legs
    )
    return STAGE_KINDS.get(stage.kind).total_rounds(state)


def _stage(stage: StagePlan, used: frozenset[str]) -> Iterator[Sentence]:
    values: dict[str, object] = {
        "stage": stage.label,
        "players": stage.size,
        "rounds": rounds_in(stage),
        "survivors": stage.survivors,
    }
    if stage.kind == DOUBLE_ELIMINATION:
        yield from _double_elimination(stage, values)
        return
    if stage.has_bracket:
        yield from _knockout(stage, values)
        return
    if len(stage.groups) == 1:
        yield Sentence(
            _("%(stage)s: one group of %(players)s players. Rounds: %(rounds)s."), values
        )
    else:
        values["sizes"] = tuple(f"{group.name} {len(group.seats)}" for group in stage.groups)
        yield Sentence(
            _("%(stage)s: %(players)s players in groups (%(sizes)s). Rounds: %(rounds)s."),
            values,
        )
    if stage.legs == 2:
        yield Sentence(_("Each pair meets twice."))
    places = [place for place in stage.places if place.name in used]
    if places:
        names = tuple(place.name for place in places)
        going_on: dict[str, object] = {"count": len(names), "places": names}
        if any(" " in name for name in names):  # words, which nobody would translate here
            yield Sentence(_("Players who go on: %(count)s."), going_on)
        else:
            yield Sentence(_("Players who go on: %(count)s (%(places)s)."), going_on)
    compared = sorted(
        {place.rank for place in places if isinstance(place, NthAmong) and len(place.groups) > 1}
    )
    if compared:
        yield Sentence(
            _("Players of different groups are compared on rank: %(ranks)s."),
            {"ranks": tuple(compared)},
        )
        if sizes := sizes_compared(stage, used):
            yield uneven(stage, sizes)


def _knockout(stage: StagePlan, values: dict[str, object]) -> Iterator[Sentence]:
    if stage.survivors > 1:
        yield Sentence(
            _(
                "%(stage)s: a knock-out play-in from %(players)s players to %(survivors)s. "
                "Rounds: %(rounds)s."
            ),
            values,
        )
        return
    if stage.size > 2:
        yield Sentence(
            _("%(stage)s: single elimination, %(players)s players. Rounds: %(rounds)s."), values
        )
    games = {"games": _games(stage.best_of[0]), "place": stage.ranks_from}
    if stage.ranks_from > 1:
        yield Sentence(_("The match for place %(place)s: %(games)s."), games)
    else:
        yield Sentence(_("Final: %(games)s."), games)
    if not stage.timed:
        yield Sentence(_("There is no time limit."))
    if not stage.third_place:
        return
    if stage.ranks_from > 1:
        place = {"place": stage.ranks_from + 2}
        yield Sentence(_("The losers of the semi-finals play for place %(place)s."), place)
    else:
        yield Sentence(_("The losers of the semi-finals play for third place."))


def _double_elimination(stage: StagePlan, values: dict[str, object]) -> Iterator[Sentence]:
    values["rounds"] = rounds_in(stage) - stage.second_final
    yield Sentence(
        _("%(stage)s: a player who loses twice is out. Players: %(players)s. Rounds: %(rounds)s."),
        values,
    )
    yield Sentence(_("Grand final: %(games)s."), {"games": _games(stage.best_of[0])})
    if stage.second_final:
        yield Sentence(
            _(
                "The player from the lower bracket must win the grand final twice; the second "
                "match is one more round."
            )
        )
    if not stage.timed:
        yield Sentence(_("There is no time limit."))


def _games(most: int) -> Sentence:
    """Say how many games a match has at most."""
    if most == 1:
        return Sentence(_("one game"))
    return Sentence(_("best of %(games)s"), {"games": most})
