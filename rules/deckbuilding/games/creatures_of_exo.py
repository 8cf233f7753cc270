"""Creatures of Exo, category Standard.

Source: Regolamento Creatures of Exo, “Composizione del mazzo totale”, “Side deck”, and the
descriptions of the kinds of cards.
"""

from rules.deckbuilding.checks import copies, kinds_in_zones, kinds_known, zone_sizes
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.play import Exchange, Play
from rules.deckbuilding.zones import LABELS, Zone
from rules.wording import Sentence

ORDINARY = ("main", "side")

ZONES = (
    Zone(key="leader", label=LABELS["leader"], minimum=1, maximum=1),
    Zone(key="main", label=LABELS["main"], minimum=30, maximum=30),
    Zone(key="evolution", label=LABELS["evolution"], maximum=5),
    Zone(key="side", label=LABELS["side"], maximum=6),
)

KINDS = (
    Kind.named(Sentence("Creature"), "Creatures", "Creatura"),
    Kind.named(Sentence("Tactic"), "Tactics", "Tattica", "Tattiche"),
    Kind.named(Sentence("Vice Leader"), "Vice Leaders", "Viceleader"),
    Kind.named(Sentence("Leader"), "Leaders", zones=("leader", "side")),
    Kind.named(
        Sentence("Evolution"),
        "Evolutions",
        "Evoluzione",
        "Evoluzioni",
        zones=("evolution", "side"),
    ),
    Kind.named(
        Sentence("Evolution Vice Leader"),
        "Evolution Vice Leaders",
        "Evolutions Vice Leader",
        "Evoluzione Vice Leader",
        "Evoluzioni Vice Leader",
        zones=("evolution", "side"),
    ),
    Kind.named(Sentence("Token"), "Tokens", "Pedina", "Pedine", zones=()),
    Kind.named(Sentence("Relic"), "Relics", "Reliquia", "Reliquie", zones=()),
)

CREATURES_OF_EXO = FORMATS.define(
    key="creatures-of-exo",
    game="creatures-of-exo",
    game_label=Sentence("Creatures of Exo"),
    category="Standard",
    label=Sentence("Standard"),
    zones=ZONES,
    main="main",
    side="side",
    kinds=KINDS,
    checks=(
        zone_sizes(*ZONES),
        copies(at_most=2),
        kinds_in_zones(KINDS, ordinary=ORDINARY),
        kinds_known(),
    ),
    match=Play(
        first=Sentence("Who goes first is drawn by lot: a coin or a die."),
        best_of=3,
        final_best_of=3,
        score="games",
    ),
    exchange=Exchange(returns=True),
    notes=(
        Sentence("The side deck may hold cards of every kind, further Leaders included."),
        Sentence("In play there is no limit on copies of a relic that was generated."),
        Sentence(
            "After a game of a match cards may be exchanged with the side deck, as many in "
            "as out. After the match everything returns to the registered list."
        ),
    ),
    decisions=(
        Sentence(
            "The side deck holds 0 to 6 cards: one passage of the rule book says “0 or 6”, "
            "two others say 0 to 6."
        ),
    ),
    deck_check=(
        Sentence("The cards in each zone are those of the list, and as many."),
        Sentence("The relic cards that the deck can generate are there, beside the deck."),
        Sentence("The tokens that the deck can generate are there, beside the deck."),
    ),
)
