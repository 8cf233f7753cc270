"""Example definitions of custom formulas, different from every shipped formula.

Source: tournament rules, Other formulas to ship (Custom).
"""

from collections.abc import Callable
from dataclasses import dataclass

from rules.formulas.custom.definition import (
    Definition,
    GroupDefinition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageDefinition,
)
from rules.formulas.custom.json import LONGEST_GROUP
from rules.plans import DOUBLE_ELIMINATION, KNOCKOUT, ROUND_ROBIN, SWISS
from rules.registry import Registry
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Say = Callable[[Sentence], str]
FINALS = _("Semi-finals and final")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example: what it shows, and its definition with stages named by ``say``."""

    key: str
    label: Sentence
    about: Sentence
    stages: Callable[[Say], tuple[StageDefinition, ...]]
    lowest: int
    highest: int

    def definition(self, say: Say) -> Definition:
        """Return the example as a custom formula, in the language of ``say``."""
        return Definition(
            name=say(self.label),
            about=say(self.about),
            lowest=self.lowest,
            highest=self.highest,
            stages=self.stages(say),
        )


def _groups_stage(say: Say, names: str) -> StageDefinition:
    return StageDefinition(
        name=say(Sentence("Groups")),
        kind=ROUND_ROBIN,
        groups=tuple(GroupDefinition(name=name, entrants=None) for name in names),
    )


def _knockout_stage(name: str, *entrants: Source, survivors: int = 1) -> StageDefinition:
    """Return a knock-out: with a match for third place, or with several survivors."""
    group = GroupDefinition(name=_only_group_name(name), entrants=entrants)
    return StageDefinition(
        name=name,
        kind=KNOCKOUT,
        groups=(group,),
        third_place=survivors == 1,
        survivors=survivors,
        apart=survivors > 1,
    )


def _only_group_name(stage: str) -> str:
    return stage[:LONGEST_GROUP].strip()


def _two_groups(say: Say) -> tuple[StageDefinition, ...]:
    """Return two groups, whose winners meet the second of the other: A1-B2, B1-A2."""
    seats = [GroupRank(stage=1, group=group, rank=rank) for rank in (1, 2) for group in "AB"]
    return _groups_stage(say, "AB"), _knockout_stage(say(Sentence(FINALS)), *seats)


def _swiss_and_double(say: Say) -> tuple[StageDefinition, ...]:
    swiss, double = say(Sentence("Swiss rounds")), say(Sentence("Double elimination"))
    field = tuple(
        GroupRank(stage=1, group=_only_group_name(swiss), rank=rank) for rank in range(1, 9)
    )
    return (
        StageDefinition(
            name=swiss,
            kind=SWISS,
            rounds=4,
            groups=(GroupDefinition(name=_only_group_name(swiss), entrants=None),),
        ),
        StageDefinition(
            name=double,
            kind=DOUBLE_ELIMINATION,
            groups=(GroupDefinition(name=_only_group_name(double), entrants=field),),
        ),
    )


def _quarters_and_places(say: Say) -> tuple[StageDefinition, ...]:
    """Return groups and quarter-finals, whose losers play for places 5 to 8."""
    seats = [GroupRank(stage=1, group=group, rank=rank) for rank in (1, 2) for group in "ABCD"]
    quarters = say(Sentence("Quarter-finals"))
    losers = [MatchLoser(stage=2, loser=match) for match in (1, 2, 3, 4)]
    winners = [MatchWinner(stage=2, winner=match) for match in (1, 2, 3, 4)]
    return (
        _groups_stage(say, "ABCD"),
        _knockout_stage(quarters, *seats, survivors=4),
        _knockout_stage(say(Sentence("Places 5 to 8")), *losers),
        _knockout_stage(say(Sentence(FINALS)), *winners),
    )


EXAMPLES = Registry("example", Example)
TWO_GROUPS = EXAMPLES.define(
    key="two-groups",
    label=Sentence("Two groups, semi-finals and final"),
    about=Sentence("The winner of each group meets the second of the other: A1–B2, B1–A2."),
    stages=_two_groups,
    lowest=6,
    highest=16,
)
SWISS_AND_DOUBLE = EXAMPLES.define(
    key="swiss-double",
    label=Sentence("Swiss rounds, then double elimination"),
    about=Sentence("The best eight of four rounds go on; a player who then loses twice is out."),
    stages=_swiss_and_double,
    lowest=12,
    highest=64,
)
CONSOLATION = EXAMPLES.define(
    key="consolation",
    label=Sentence("Groups, finals and places 5 to 8"),
    about=Sentence(
        "The losers of the quarter-finals play on for places 5 to 8, before the "
        "semi-finals: the last stage decides who wins."
    ),
    stages=_quarters_and_places,
    lowest=8,
    highest=24,
)
