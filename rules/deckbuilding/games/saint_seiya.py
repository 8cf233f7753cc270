"""Saint Seiya (I Cavalieri dello Zodiaco), category Standard.

Source: Saint Seiya rule book, “I vari tipi di carte”, “Come preparare un mazzo” and
“Definizioni base”.
"""

from rules.deckbuilding.checks import kinds_in_zones, kinds_known, zone_sizes
from rules.deckbuilding.checks.proportions import none_missing, proportions
from rules.deckbuilding.checks.versions import copies_by_version
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.play import Play
from rules.deckbuilding.zones import LABELS, Zone
from rules.wording import Sentence

ZONES = (
    Zone(key="main", label=LABELS["main"], minimum=45),
    Zone(key="cosmo", label=LABELS["cosmo"], maximum=10),
)

CHARACTER = Kind.named(Sentence("Character"), "Characters", "Personaggio", "Personaggi")
PLACE = Kind(
    key="place",
    label=Sentence("Place card"),
    words=("Place", "Places", "Place card", "Place cards", "Luogo", "Luoghi"),
)
COSMO = Kind.named(Sentence("Cosmo"), "Cosmos", "Cosmi", zones=("cosmo",))
KINDS = (
    CHARACTER,
    Kind.named(Sentence("Technique"), "Techniques", "Tecnica", "Tecniche"),
    Kind.named(Sentence("Fate"), "Fates", "Fato", "Fati"),
    PLACE,
    COSMO,
)

PLACES = Sentence("Place cards")
CHARACTERS = Sentence("Characters")

SAINT_SEIYA = FORMATS.define(
    key="saint-seiya",
    game="saint-seiya",
    game_label=Sentence("Saint Seiya"),
    category="Standard",
    label=Sentence("Standard"),
    zones=ZONES,
    main="main",
    side=None,
    kinds=KINDS,
    checks=(
        zone_sizes(*ZONES),
        copies_by_version(
            at_most=3,
            versions=2,
            names=("Catena di Cerbero", "Scudo Astrale"),
            unlimited=COSMO,
        ),
        kinds_in_zones(KINDS, ordinary=("main",)),
        kinds_known(),
        none_missing(COSMO, zone="cosmo", why=Sentence("Nothing can be played without Cosmo.")),
        proportions(
            ((PLACE, PLACES), (CHARACTER, CHARACTERS)),
            zone="main",
            percent=(20, 30),
            needed=PLACE,
        ),
    ),
    match=Play(
        first=Sentence(
            "Whoever has fewer Characters in play after the preparation begins; with "
            "equally many, lots are drawn."
        ),
        best_of=1,
        final_best_of=1,
        score="games",
    ),
    decisions=(
        Sentence("“3 doppie” and “3 doppioni” of a card are read as three copies in all."),
        Sentence(
            "Copies without a version are one version together. Where two versions are "
            "named, they all count with the one that has fewer copies."
        ),
        Sentence(
            "A match is one game: the rule book knows no match of several games and no side deck."
        ),
    ),
    deck_check=(
        Sentence("The cards in each zone are those of the list, and as many."),
        Sentence("The Cosmo cards, ten at most, lie apart from the deck, face up."),
        Sentence(
            "The deck is shuffled well: Place cards and Characters must be spread through it."
        ),
    ),
)
