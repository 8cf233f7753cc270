"""Changes of a plan while it is played: rounds, top cut, third place.

Source: docs/changing-the-plan.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.errors import BadInput, RuleError
from rules.formulas.base import DefaultGames, Formula, Options
from rules.formulas.elimination import last_places
from rules.formulas.swiss_cut import AS_FITS, MOST_ROUNDS
from rules.plans import FormulaPlan, RankPlace, StagePlan
from rules.stages.base import THIRD_PLACE, StageState, stage_kind

ROUNDS, CUT = "rounds", "cut"
SETTINGS = (ROUNDS, CUT, THIRD_PLACE.key)
"""What of a plan may change, by the names that programs use."""
WITH_SEMIFINALS = 4

Settings = Mapping[str, int | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentStage:
    """The current stage of an event, which decides how the event's plan may still change.

    ``index`` is the stage's, from 0; ``made`` the number of its rounds that stay paired; ``drawn``:
    a random draw or tiebreaker matches have decided a place. ``formula``, ``options`` and ``games``
    are those with which the event began.
    """

    plan: FormulaPlan
    index: int
    state: StageState
    made: int
    drawn: bool
    formula: Formula
    options: Options
    games: DefaultGames

    @property
    def stage(self) -> StagePlan:
        """Return the plan of the stage."""
        return self.plan.stages[self.index]

    @property
    def cut_stage(self) -> StagePlan | None:
        """Return the stage that seats the top cut, None without one."""
        later = self.plan.stages[self.index + 1 :]
        return later[0] if len(later) == 1 and _seats_ranks(later[0], self.stage) else None

    @property
    def knockout(self) -> int | None:
        """Return the index of the knock-out in play or to come, None without one."""
        found = (
            index
            for index, stage in enumerate(self.plan.stages[self.index :], start=self.index)
            if stage_kind(stage).has_setting(THIRD_PLACE.key) and stage.survivors == 1
        )
        return next(found, None)

    def settings(self) -> dict[str, int | bool]:
        """Return the settings that may change now, with their values."""
        values: dict[str, int | bool] = {
            ROUNDS: self.stage.rounds,
            CUT: self.cut_stage.size if self.cut_stage else 0,
        }
        if self.knockout is not None:
            values[THIRD_PLACE.key] = self.plan.stages[self.knockout].third_place
        return {key: value for key, value in values.items() if self.may_change(key)}

    def may_change(self, key: str) -> bool:
        """Return whether a setting can change."""
        if key == ROUNDS:
            return stage_kind(self.stage).pairs_by_points
        return self._may_change_cut() if key == CUT else self._may_change_third_place()

    def _may_change_cut(self) -> bool:
        alone = self.index == 0 and len(self.plan.stages) == 1 and not self.stage.places
        by_cut = self.formula.option(CUT) is not None and (alone or self.cut_stage is not None)
        return stage_kind(self.stage).pairs_by_points and by_cut and not self.drawn

    def _may_change_third_place(self) -> bool:
        if self.knockout is None:
            return False
        stage = self.plan.stages[self.knockout]
        usual = stage.places in ((), last_places(stage.size, stage.third_place))
        if stage.size < WITH_SEMIFINALS or not usual or self.plan.used_places(self.knockout):
            return False
        last_is_made = len(self.state.rounds) >= stage_kind(stage).total_rounds(self.state)
        return not (self.knockout == self.index and last_is_made)

    def changed(self, change: Settings) -> FormulaPlan:
        """Return the plan with other settings; those not in ``change`` stay.

        Raises RuleError ``plan_fixed``; BadInput ``bad_rounds``, ``bad_cut``, ``cut_too_large``,
        ``invalid_cut``, ``nothing_changed``.
        """
        changed = self
        for key in SETTINGS:
            if key in change and change[key] != changed.settings().get(key):
                if not changed.may_change(key):
                    raise RuleError("plan_fixed", "This can’t be changed now: %(key)s.", key=key)
                changed = replace(changed, plan=changed._with(key, change[key]))
        if changed is self:
            raise BadInput("nothing_changed", "Change something first.")
        return changed.plan

    def _with(self, key: str, value: int | bool) -> FormulaPlan:
        """Return the plan with another value of a setting that may change."""
        stages, was = [*self.plan.stages], self.settings()[key]
        at = self.index
        if key == THIRD_PLACE.key and self.knockout is not None:
            at = self.knockout
            stages[at] = _with_third_place(stages[at], bool(value))
        elif key == CUT:
            stages[at:] = self._with_cut(value)
        else:
            stages[at] = replace(stages[at], rounds=self._checked_rounds(value))
        began = {key: was, **dict(stages[at].began)}
        if began[key] == value:
            del began[key]
        stages[at] = replace(stages[at], began=tuple(sorted(began.items())))
        return replace(self.plan, stages=tuple(stages))

    def _checked_rounds(self, rounds: int) -> int:
        least = max(1, self.made)
        most = max(MOST_ROUNDS, self.stage.rounds)
        if not least <= rounds <= most:
            raise BadInput(
                "bad_rounds",
                "Enter a whole number from %(least)s to %(most)s.",
                least=least,
                most=most,
            )
        return rounds

    def _with_cut(self, cut: int) -> list[StagePlan]:
        """Return the stage in play with the places of a cut, and the stage that seats it."""
        present = len([one for one in self.state.players if one not in self.state.withdrawn])
        bounds = {"least": 2, "most": present}
        if cut > present:
            raise BadInput(
                "cut_too_large", "Enter a whole number from %(least)s to %(most)s.", **bounds
            )
        if cut == AS_FITS or cut < 0:
            raise BadInput("bad_cut", "Enter a whole number from %(least)s to %(most)s.", **bounds)
        options = {**self.options, CUT: cut, ROUNDS: self.stage.rounds}
        first, *later = self.formula.plan(self.plan.players, options, self.games).stages
        stage = replace(self.stage, places=first.places, interchangeable=first.interchangeable)
        former = self.cut_stage
        if later and former and former.kind == later[0].kind:
            [following] = later
            later = [replace(following, best_of=former.best_of)]
            if former.size >= WITH_SEMIFINALS:
                later = [_with_third_place(later[0], former.third_place)]
        return [stage, *later]


def _seats_ranks(later: StagePlan, stage: StagePlan) -> bool:
    """Return whether a stage seats all places of another, which are its first ranks, in order."""
    names = tuple(place.name for place in stage.places if isinstance(place, RankPlace))
    seats = [group.seats for group in later.groups]
    return len(names) == len(stage.places) and seats == [names]


def _with_third_place(stage: StagePlan, third_place: bool) -> StagePlan:
    """Return a knock-out with or without a match for third place; without semi-finals as it is."""
    if stage.size < WITH_SEMIFINALS or not stage_kind(stage).has_setting(THIRD_PLACE.key):
        return stage
    places = last_places(stage.size, third_place) if stage.places else ()
    return replace(stage, third_place=third_place, places=places)
