"""Doomtrooper / Mutant Chronicles, categories Original, Open and Free.

Source: Regolamento da torneo, “Collezione, mazzo da combattimento e riserve”, “Composizione
della collezione”, the three “Torneo categoria …”, and the lists of cards at its end.
"""

from rules.deckbuilding.card_lists.lists import shipped_lists
from rules.deckbuilding.checks import (
    Expansions,
    at_least,
    copies,
    excluded_together,
    expansions,
    listed,
    one_language,
    zone_sizes,
)
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.play import Exchange, Play
from rules.deckbuilding.zones import LABELS, Zone
from rules.wording import Sentence

ZONES = (
    Zone(key="deck", label=LABELS["deck"], minimum=60),
    Zone(key="reserve", label=LABELS["reserve"], minimum=25, maximum=25, or_none=True),
)

WARRIOR = Kind(
    key="warrior",
    label=Sentence("Warrior"),
    words=("Warrior", "Warriors", "Guerriero", "Guerrieri", "Guerriera", "Guerriere"),
    first_word=True,
)

# Codes of the rule book where it has them, the project's own for the rest.
ORIGINAL_CODES = ("DT", "INQ", "WAR", "MORT", "GOL", "APOC", "RAG", "PLOST", "XC")
FINNISH_CODES = ("HER", "CWAR", "SSEEK", "DEM", "REV", "2ND")
HOMEMADE_CODES = ("UNF", "RECOL", "REINC", "TWM", "RMW")

EXPANSIONS = Expansions(
    names={
        "DT": ("Doomtrooper",),
        "INQ": ("Inquisition",),
        "WAR": ("Warzone",),
        "MORT": ("Mortificator",),
        "GOL": ("Golgotha",),
        "APOC": ("Apocalypse",),
        "RAG": ("Ragnarok",),
        "PLOST": ("Paradise Lost",),
        "XC": ("Extra collection", "Extra-Collezione", "Extra"),
        "HER": ("Heresy",),
        "CWAR": ("Corporate Wars",),
        "SSEEK": ("Skullseekers",),
        "DEM": ("Dementia",),
        "REV": ("Revival",),
        "2ND": ("2nd Edition", "Second Edition", "Seconda Edizione"),
        "UNF": (),
        "RECOL": ("Recollection",),
        "REINC": ("Reincarnation",),
        "TWM": ("Extra T.W.M.",),
        "RMW": ("Extra R.M.W.",),
    }
)

# The rule book gives no date for its lists: the first file has the day on which they were
# taken over.
LISTS = shipped_lists("doomtrooper")


def _define_category(
    *,
    key: str,
    category: str,
    allowed: tuple[str, ...],
    any_other: bool = False,
    decisions: tuple[Sentence, ...] = (),
) -> None:
    FORMATS.define(
        key=key,
        game="doomtrooper",
        game_label=Sentence("Doomtrooper / Mutant Chronicles"),
        category=category,
        label=Sentence("Category %(name)s", {"name": category}),
        zones=ZONES,
        main="deck",
        side="reserve",
        kinds=(WARRIOR,),
        checks=(
            zone_sizes(*ZONES),
            at_least(5, WARRIOR, zone="deck", plural=Sentence("warriors")),
            listed(),
            copies(at_most=5),
            excluded_together(),
            one_language(),
            expansions(EXPANSIONS, allowed=allowed, any_other=any_other),
        ),
        match=Play(
            first=Sentence("Who goes first is drawn by lot."),
            best_of=1,
            final_best_of=3,
            score="promotion",
            target=40,
            time_up=Sentence(
                "Time is up: play to the end of the turn of the player who went second."
            ),
            calls=(Sentence("Cardinal’s Gift: I show my hand (first turn, once a game)"),),
        ),
        exchange=Exchange(returns=False),
        lists=LISTS[-1],
        shipped=LISTS,
        notes=(
            Sentence("A limit in a card's own text takes precedence over the limit of copies."),
            Sentence(
                "Between one game and the next the combat deck may be recomposed from the "
                "collection, the reserve keeping its size. The collection never changes."
            ),
            Sentence("The English original prevails over the text of a foreign set."),
        ),
        decisions=(
            *decisions,
            Sentence("A listed name is banned or limited in every printing."),
            Sentence("“One nationality” is read as the language of printing."),
        ),
        deck_check=(
            Sentence("No photocopies, no cards printed at home."),
            Sentence("Sleeves all alike, or none where the head judge does not allow them."),
            Sentence("The logo is on the cards of homemade expansions."),
            Sentence("All cards are printed in the declared language."),
            Sentence("Combat deck and reserve have as many cards as the list."),
            Sentence("The deck is shuffled before the opponent, who may cut it."),
        ),
    )


_define_category(
    key="doomtrooper-original",
    category="Original",
    allowed=ORIGINAL_CODES,
)
_define_category(
    key="doomtrooper-open",
    category="Open",
    allowed=(*ORIGINAL_CODES, *FINNISH_CODES),
    decisions=(
        Sentence(
            "Of the homemade expansions only six are allowed: one passage seems to allow "
            "all, the category's own paragraph names six."
        ),
    ),
)
_define_category(
    key="doomtrooper-free",
    category="Free",
    allowed=(*ORIGINAL_CODES, *FINNISH_CODES, *HOMEMADE_CODES),
    any_other=True,
    decisions=(Sentence("An expansion without a known code counts as homemade: it is allowed."),),
)
