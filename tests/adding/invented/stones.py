"""A game: ten stones, none more than three times."""

from rules.deckbuilding.checks import copy_limit_check, zone_sizes_check
from rules.deckbuilding.formats import FORMATS, DeckFormat, MatchDefaults, NameSource, SampleRecipe
from rules.deckbuilding.zones import LABELS, CardKind, Zone
from rules.wording import Sentence

ZONES = (Zone(key="main", label=LABELS["main"], minimum=10, maximum=10),)


def _list(take: NameSource, number: int) -> str:
    names = take(5, "Stone")
    return "\n".join(["Main", *(f"2 {name} {{Stone}}" for name in names)]) + "\n"


STONES = FORMATS.add(
    DeckFormat(
        key="stones",
        game="stones",
        game_label=Sentence("Stones"),
        category="Standard",
        label=Sentence("Standard"),
        zones=ZONES,
        main="main",
        side=None,
        kinds=(CardKind(key="stone", label=Sentence("Stone"), words=("Stone", "Stones")),),
        checks=(zone_sizes_check(*ZONES), copy_limit_check(at_most=3)),
        match=MatchDefaults(
            first=Sentence("The older player begins."), best_of=1, final_best_of=3, score="games"
        ),
        sample=SampleRecipe(cards={"Stone": 80}, write=_list),
        deck_check=(Sentence("The deck has ten stones."),),
    )
)
