"""Yu-Gi-Oh!, category 2009.

Source: Istruzioni per poter giocare (tournament rules of 28 October 2009), “Istruzioni
Generiche” and “Segna-Mostro”.
"""

from rules.deckbuilding.checks import copies, kinds_in_zones, kinds_known, listed, zone_sizes
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.play import Exchange, Play
from rules.deckbuilding.zones import LABELS, Zone
from rules.wording import Sentence

MAIN = Zone(key="main", label=LABELS["main"], minimum=40)
FUSION = Zone(key="fusion", label=LABELS["fusion"])
SIDE = Zone(key="side", label=LABELS["side"], minimum=15, maximum=15, or_none=True)

KINDS = (
    Kind.named(Sentence("Monster"), "Monsters", "Mostro", "Mostri"),
    Kind.named(Sentence("Spell"), "Spells", "Magia", "Magie"),
    Kind.named(Sentence("Trap"), "Traps", "Trappola", "Trappole"),
    Kind.named(
        Sentence("Fusion Monster"),
        "Fusion Monsters",
        "Mostro Fusione",
        "Mostri Fusione",
        zones=("fusion", "side"),
    ),
    Kind(
        key="token",
        label=Sentence("Monster Token"),
        words=(
            "Token",
            "Tokens",
            "Monster Token",
            "Monster Tokens",
            "Segna-Mostro",
            "Segna-Mostri",
        ),
        zones=(),
    ),
)

YUGIOH_2009 = FORMATS.define(
    key="yugioh-2009",
    game="yugioh",
    game_label=Sentence("Yu-Gi-Oh!"),
    category="2009",
    label=Sentence("2009"),
    zones=(MAIN, FUSION, SIDE),
    main="main",
    side="side",
    kinds=KINDS,
    checks=(
        zone_sizes(MAIN, SIDE),
        listed(),
        copies(at_most=3),
        kinds_in_zones(KINDS, ordinary=("main", "side")),
        kinds_known(),
    ),
    match=Play(
        first=Sentence(
            "A coin or another draw says who chooses who goes first. After a drawn duel "
            "the player who chose before chooses again."
        ),
        best_of=3,
        final_best_of=3,
        score="games",
    ),
    exchange=Exchange(returns=True, stays_empty=("fusion",)),
    notes=(
        Sentence(
            "Fusion deck: as many cards as you like, or none. No card that fuses need be "
            "in the deck."
        ),
        Sentence(
            "After a duel of a match cards may be exchanged with the side deck, as many in "
            "as out. The opponent need not know which, nor how many. After the match "
            "everything returns to the registered list."
        ),
    ),
    decisions=(
        Sentence(
            "The side deck has 15 cards or none: the rule book lets the opponent count "
            "that they are always 15, and with none there is nothing to count."
        ),
        Sentence(
            "The main deck has at least 40 cards and no maximum: the rule book does not "
            "say, the rules with an unlimited fusion deck do."
        ),
        Sentence(
            "The rule book names no forbidden or limited card: there is no list until an "
            "organiser brings one."
        ),
        Sentence(
            "The side deck stays at its size in an exchange, and a fusion deck that the "
            "list does not have can't be filled from it."
        ),
        Sentence("After a duel that was won, the loser chooses who goes first."),
    ),
    deck_check=(
        Sentence("The cards in each zone are those of the list, and as many."),
        Sentence(
            "The fusion deck lies on the field at the start of the match: whoever "
            "uses a fusion monster without it loses the duel."
        ),
        Sentence("The side deck, counted face down, has 15 cards, before and after an exchange."),
        Sentence("The tokens are there, beside the deck: coins too, if they can lie both ways."),
    ),
)
