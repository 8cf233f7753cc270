"""Preset orders of criteria.

Source: Doomtrooper: tournament rules, Standings order. Magic: The Gathering Tournament Rules,
appendix C. Chess: the usual tie-breaks of Swiss and round-robin events. UEFA: regulations of its
group stages.
"""

from dataclasses import dataclass

from rules.criteria.of_tables import PLACES_ORDER, WIN5_ORDER
from rules.registry import Registry
from rules.wording import Sentence, untranslated_text


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaPreset:
    """A named order of tiebreakers, such as a publisher's; ``criteria`` are their keys."""

    key: str
    label: Sentence
    criteria: tuple[str, ...]


PRESETS = Registry("preset", CriteriaPreset)
TABLE_PRESETS = Registry("preset", CriteriaPreset)
"""Orders of criteria at tables of three and more."""

PRESETS.define(
    key="doomtrooper",
    label=untranslated_text("Doomtrooper"),
    criteria=(
        *("points", "opponents_points", "head_to_head"),
        *("score_for", "score_difference", "lots"),
    ),
)
PRESETS.define(
    key="magic",
    label=untranslated_text("Magic"),
    criteria=("points", "opponents_match_win", "game_win", "opponents_game_win", "lots"),
)
PRESETS.define(
    key="chess",
    label=Sentence("Chess"),
    criteria=(
        *("points", "buchholz_cut1", "buchholz_median", "sonneborn_berger"),
        *("head_to_head", "wins", "lots"),
    ),
)
PRESETS.define(
    key="uefa",
    label=untranslated_text("UEFA"),
    criteria=(
        *("points", "head_to_head_uefa", "score_difference", "score_for"),
        *("wins", "fewest_penalties", "lots"),
    ),
)
TABLE_PRESETS.define(key="tables", label=Sentence("Points by result"), criteria=WIN5_ORDER)
TABLE_PRESETS.define(key="places", label=Sentence("Points by place"), criteria=PLACES_ORDER)
