"""Thoom (a game in the making), category Standard.

Source: Thoom rules (“gioco in fase di lavorazione”), “Regole base”, “Carte mostro”, “Thoom”
and “Prima di iniziare”.
"""

from rules.deckbuilding.checks import copies, zone_sizes
from rules.deckbuilding.checks.exactly import exactly
from rules.deckbuilding.checks.genus import one_genus
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.play import Play
from rules.deckbuilding.zones import LABELS, Zone
from rules.wording import Sentence

ZONES = (Zone(key="main", label=LABELS["main"], minimum=40, maximum=40),)

MONSTER = Kind.named(Sentence("Monster"), "Monsters", "Mostro", "Mostri")
HELP = Kind(
    key="help",
    label=Sentence("Help card"),
    words=("Help", "Helps", "Help card", "Help cards", "Aiuto", "Aiuti"),
)
THOOM = Kind.named(Sentence("Thoom"), "Thooms")

THOOM_STANDARD = FORMATS.define(
    key="thoom",
    game="thoom",
    game_label=Sentence("Thoom"),
    category="Standard",
    label=Sentence("Standard"),
    zones=ZONES,
    main="main",
    side=None,
    kinds=(MONSTER, HELP, THOOM),
    checks=(
        zone_sizes(*ZONES),
        copies(at_most=None),
        exactly(10, THOOM, zone="main", plural=THOOM.label),
        one_genus(THOOM, others=(MONSTER, HELP), zone="main"),
    ),
    match=Play(
        first=Sentence(
            "Both show the top card of their deck, and whoever has the better one "
            "begins: a Monster beats a Help card, a Help card a Thoom. Between two "
            "Monsters more summoning stars decide, between two Help cards more Thoom; "
            "level cards are drawn again."
        ),
        best_of=1,
        final_best_of=1,
        score="games",
    ),
    decisions=(
        Sentence("The rules set no limit on copies, so there is none."),
        Sentence(
            "The rules tie the Thoom to the deck's genus. Whether they tie Monsters and "
            "Help cards too is unclear: those of another genus are pointed out, and "
            "allowed."
        ),
        Sentence(
            "The rules are for two to four players: a match is one game of two, or of all at a "
            "table where the event is played at tables of four and three (formula “Tables and "
            "cut”). There seat 1 begins and the others follow in turn."
        ),
    ),
    deck_check=(
        Sentence("The cards in each zone are those of the list, and as many."),
        Sentence("The deck is shuffled, and cut, before the first card is shown."),
    ),
)
