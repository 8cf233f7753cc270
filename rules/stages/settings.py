"""Settings of kinds of stages, as data from which JSON, checks and forms are derived."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rules.plans.plan import MOST_LEGS
from rules.tables.field import Small
from rules.tables.sizes import USUAL_SIZES
from rules.wording import Sentence

Value = int | bool | str | tuple[int, ...]
MOST = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A number, or a flag (``usual`` is a bool), that a stage of a kind has.

    Numbers range from ``least`` to ``most``. Stages of tables also have a list of sizes, and a
    word: who sits at the small tables.
    """

    key: str
    label: Sentence
    usual: Value
    least: int = 0
    most: int = MOST

    @property
    def is_flag(self) -> bool:
        """Return whether the value is a flag."""
        return isinstance(self.usual, bool)


class ConfiguredStage(Protocol):
    """A stage of a plan or definition: shared settings as attributes, others in ``own``."""

    @property
    def own(self) -> tuple[tuple[str, Value], ...]:
        """Return the settings specific to this kind of stage."""

    @property
    def survivors(self) -> int:
        """Return the number of players that a bracket leaves."""

    @property
    def third_place(self) -> bool:
        """Return whether there is a match for third place."""


LEGS = Setting(key="legs", label=Sentence("second leg"), usual=1, least=1, most=MOST_LEGS)
WITHOUT_LAST = Setting(
    key="without_last", label=Sentence("comparison without the last"), usual=False
)
ROUNDS = Setting(key="rounds", label=Sentence("number of rounds"), usual=0)
"""0 means derived from the number of players."""
THIRD_PLACE = Setting(key="third_place", label=Sentence("match for third place"), usual=False)
SURVIVORS = Setting(key="survivors", label=Sentence("number of players left"), usual=1)
APART = Setting(key="apart", label=Sentence("players of a group apart"), usual=False)
SIZES = Setting(key="sizes", label=Sentence("sizes of tables"), usual=USUAL_SIZES)
SMALL = Setting(key="small", label=Sentence("who sits at the small tables"), usual=str(Small.LOW))
SEEDED = Setting(key="seeded", label=Sentence("first round by seed positions"), usual=False)
"""Set at the start of an event some of whose players have a seed position."""
SECOND_FINAL = Setting(key="second_final", label=Sentence("second match of the final"), usual=True)
SHARED: Mapping[str, Setting] = {
    setting.key: setting
    for setting in (LEGS, WITHOUT_LAST, ROUNDS, THIRD_PLACE, SURVIVORS, APART, SECOND_FINAL)
}
"""Settings that are fields of ``StagePlan``; those of a single kind are in its ``own``."""
