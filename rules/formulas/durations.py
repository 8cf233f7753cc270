"""How long the stages of a plan take, with so many tables and minutes a round."""

from dataclasses import dataclass

from rules.plans.plan import FormulaPlan, StagePlan
from rules.stages.kind import full_state, kind_of

TURN_ROUND = 10  # minutes between two rounds: entering results, pairing, seating
UNTIMED = 90  # minutes: assumed length of a match without time limit


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStage:
    """A stage of a plan, and its number of rounds with all seats taken."""

    stage: StagePlan
    rounds: int

    @property
    def seats(self) -> int:
        """Return the number of players."""
        return sum(len(group.seats) for group in self.stage.groups)

    @property
    def bracket(self) -> bool:
        """Return whether the stage is an elimination bracket."""
        return kind_of(self.stage).has_bracket

    @property
    def by_points(self) -> bool:
        """Return whether the stage pairs players of similar points, as Swiss rounds do."""
        return kind_of(self.stage).pairs_by_points


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime(PlannedStage):
    """A stage that ends ``ends`` minutes after the start of the event."""

    matches: int
    ends: int


def matches_by_round(stage: StagePlan) -> list[int]:
    """Return the number of matches in each round of a stage with all seats taken.

    A second match of the grand final is included.
    """
    return kind_of(stage).matches_by_round(full_state(stage))


@dataclass(frozen=True, slots=True)
class Durations:
    """The stages of a plan with the number of matches by round, laid out once."""

    sized: tuple[tuple[StagePlan, list[int]], ...]
    turn_round: int = TURN_ROUND

    @classmethod
    def of(cls, plan: FormulaPlan, turn_round: int = TURN_ROUND) -> "Durations":
        """Return the durations of a plan."""
        return cls(tuple((stage, matches_by_round(stage)) for stage in plan.stages), turn_round)

    @property
    def most_tables(self) -> int:
        """Return the number of tables with which no round is played in turns."""
        return max(max(sizes, default=0) for _stage, sizes in self.sized)

    def stages(self, minutes: int, tables: int | None) -> tuple[StageTime, ...]:
        """Return when each stage ends; with too few tables a round is played in turns."""
        found, now = [], 0
        for stage, sizes in self.sized:
            lasting = length_of(stage, minutes)
            for matches in sizes:
                turns = -(-matches // tables) if tables else 1
                now += max(turns, 1) * lasting + self.turn_round
            found.append(StageTime(stage=stage, rounds=len(sizes), matches=sum(sizes), ends=now))
        return tuple(found)

    def total(self, minutes: int, tables: int | None) -> int:
        """Return the minutes from the start to the end."""
        return self.stages(minutes, tables)[-1].ends


def length_of(stage: StagePlan, minutes: int) -> int:
    """Return the minutes of a round; a match without time limit counts as ``UNTIMED``."""
    return minutes if stage.timed else max(minutes, UNTIMED)
