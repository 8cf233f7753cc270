"""The words over cards, as players and programs write them: zones, kinds of cards, totals.

The one place that knows them. A word is compared without case, accents, blanks and hyphens, so
``MainDeck`` is ``Main deck``.

Source: lists exported by Magic Arena, Magic Online, Melee, Moxfield, Archidekt, Deckstats,
TappedOut, Cockatrice, XMage, Forge, Pokémon TCG Live, Limitless, and their like for other games.
"""

import re
from enum import StrEnum
from functools import lru_cache

from rules.names import name_key

# Deck construction, Lists in and out. A word may open different zones in different games.
# The first word of a zone names no other zone: lists are written with it.
SECTION_WORDS: dict[str, tuple[str, ...]] = {
    "leader": ("Leader",),
    "main": ("Main", "Main deck", "Deck", "Mazzo", "Mazzo principale"),
    "evolution": (
        *("Evolution", "Evolutions", "Evolution deck", "Evoluzione", "Evoluzioni"),
        *("Mazzo Evoluzione", "Mazzo Evoluzioni"),
    ),
    "side": ("Side", "Side deck", "Sideboard"),
    "fusion": (
        *("Fusion", "Fusion deck", "Extra", "Extra deck", "Fusione", "Fusioni"),
        *("Mazzo Fusione", "Mazzo Fusioni"),
    ),
    "cosmo": ("Cosmo", "Cosmos"),
    "deck": (
        *("Combat deck", "Deck", "Main", "Main deck", "Mazzo", "Mazzo principale"),
        "Mazzo da combattimento",
    ),
    "reserve": ("Reserve", "Reserves", "Riserva", "Riserve", "Side", "Side deck", "Sideboard"),
}

USUAL_WORDS: dict[str, tuple[str, ...]] = {
    "main": (
        *(*SECTION_WORDS["main"], "Mainboard", "Principale", "Hauptdeck", "Deck principal"),
        *("Mazo", "Mazo principal", "Principal", "Baralho"),
    ),
    "side": (
        *(*SECTION_WORDS["side"], "Sideboarded", "SB", "Riserva", "Mazzo laterale", "Reserva"),
        *("Banquillo", "Réserve", "Beiboard"),
    ),
    "leader": ("Leader", "Leaders"),
    "commander": (
        *("Commander", "Commanders", "Command zone", "Comandante", "Comandanti", "Comandantes"),
        *("Kommandeur", "Kommandeure", "Commandant", "Commandants"),
    ),
    "extra": ("Extra", "Extra deck", "Mazzo Extra"),
    "base": ("Base", "Bases"),
    "don": ("DON!! deck", "DON deck"),
}
"""What programs write over the main and the side zone, whatever their keys, and over zones with
these keys."""

OF_ANY_GAME = {**SECTION_WORDS, "commander": USUAL_WORDS["commander"]}
"""Words that name a zone also in a game that has none such: its cards are asked about."""


class HeadingRole(StrEnum):
    """The meaning of a known heading other than a zone.

    A ``COMPANION`` is a card of the sideboard that some programs repeat; cards ``ASIDE`` are not
    counted; ``ABOUT`` starts lines about the deck itself; a ``KIND`` starts no zone; a ``TOTAL``
    says how many cards there are.
    """

    COMPANION = "companion"
    ASIDE = "aside"
    ABOUT = "about"
    KIND = "kind"
    TOTAL = "total"


_ROLES: dict[HeadingRole, tuple[str, ...]] = {
    HeadingRole.COMPANION: (
        "Companion",
        "Companions",
        "Compagno",
        "Compagnon",
        "Compañero",
        "Gefährte",
    ),
    HeadingRole.ASIDE: (
        *(
            "Maybeboard",
            "Maybe",
            "Considering",
            "Tokens",
            "Token",
            "Wishlist",
            "Acquireboard",
            "Acquire",
        ),
        *("Pedine", "Not in deck", "Tokens & Emblems", "Emblems"),
    ),
    HeadingRole.ABOUT: ("About", "Metadata", "Info", "Informazioni", "À propos", "Acerca de"),
}

_KINDS: tuple[str, ...] = (
    # Magic
    *("Creature", "Creatures", "Creature spells", "Noncreature", "Noncreature spells"),
    *("Land", "Lands", "Basic land", "Basic lands", "Nonbasic land", "Nonbasic lands"),
    *("Instant", "Instants", "Sorcery", "Sorceries", "Sorc.", "Spell", "Spells", "Other spells"),
    *("Other", "Others", "Artifact", "Artifacts", "Enchantment", "Enchantments", "Battle"),
    *("Battles", "Planeswalker", "Planeswalkers", "Legendary creatures", "Artifact creatures"),
    *("Creatura", "Terra", "Terre", "Terre base", "Istantaneo", "Istantanei", "Stregoneria"),
    *("Stregonerie", "Artefatto", "Artefatti", "Incantesimo", "Incantesimi", "Altre magie"),
    *("Kreatur", "Kreaturen", "Länder", "Spontanzauber", "Hexerei", "Hexereien", "Artefakt"),
    *("Artefakte", "Verzauberung", "Verzauberungen", "Zaubersprüche", "Créature", "Créatures"),
    *("Terrain", "Terrains", "Éphémère", "Éphémères", "Rituel", "Rituels", "Artefact"),
    *("Artefacts", "Enchantement", "Enchantements", "Sorts", "Criatura", "Criaturas", "Tierra"),
    *("Tierras", "Instantáneo", "Instantáneos", "Conjuro", "Conjuros", "Artefacto", "Artefactos"),
    *("Encantamiento", "Encantamientos", "Hechizos", "Terreno", "Terrenos", "Feitiço"),
    *("Feitiços", "Artefato", "Artefatos", "Encantamento", "Encantamentos", "Mágicas"),
    # Pokémon
    *("Pokémon", "Pokémons", "Trainer", "Trainers", "Energy", "Energies", "Supporter"),
    *("Supporters", "Item", "Items", "Stadium", "Stadiums", "Tool", "Tools", "Pokémon Tool"),
    *("Pokémon Tools", "Basic Energy", "Basic Energies", "Special Energy", "Special Energies"),
    *("Allenatore", "Allenatori", "Energia", "Energie", "Aiuto", "Strumento", "Strumenti"),
    *("Stadio", "Stadi", "Energien", "Unterstützer", "Stadion", "Dresseur", "Dresseurs"),
    *("Énergie", "Énergies", "Objet", "Objets", "Stade", "Stades", "Outil", "Outils"),
    *("Entrenador", "Entrenadores", "Energía", "Energías", "Partidario", "Partidarios", "Objeto"),
    *("Objetos", "Estadio", "Estadios", "Treinador", "Treinadores", "Energias", "Apoiador"),
    *("Apoiadores", "Itens", "Estádio", "Estádios"),
    # Yu-Gi-Oh!
    *("Monster", "Monsters", "Magic", "Trap", "Traps", "Effect monsters", "Normal monsters"),
    *("Mostro", "Mostri", "Magia", "Magie", "Trappola", "Trappole", "Zauber", "Zauberkarten"),
    *("Falle", "Fallen", "Fallenkarten", "Monstre", "Monstres", "Magies", "Piège", "Pièges"),
    *("Monstruo", "Monstruos", "Trampa", "Trampas", "Monstro", "Monstros", "Magias"),
    *("Armadilha", "Armadilhas"),
    # Lorcana, One Piece
    *("Character", "Characters", "Action", "Actions", "Song", "Songs", "Location", "Locations"),
    *("Event", "Events", "Stage", "Stages", "Personaggio", "Personaggi", "Azione", "Azioni"),
    *("Canzone", "Canzoni", "Oggetto", "Oggetti", "Luogo", "Luoghi", "Evento", "Eventi"),
    *("Charakter", "Charaktere", "Aktion", "Aktionen", "Lied", "Lieder", "Gegenstand"),
    *("Gegenstände", "Ort", "Orte", "Ereignis", "Ereignisse", "Personnage", "Personnages"),
    *("Chanson", "Chansons", "Lieu", "Lieux", "Événement", "Événements"),
    # Star Wars: Unlimited
    *("Leader", "Leaders", "Base", "Bases", "Unit", "Units", "Ground unit", "Ground units"),
    *("Space unit", "Space units", "Upgrade", "Upgrades"),
    # Flesh and Blood
    *("Hero", "Heroes", "Weapon", "Weapons", "Equipment", "Equipments", "Attack action"),
    *("Attack actions", "Non-attack action", "Non-attack actions", "Attack reaction"),
    *("Attack reactions", "Defense reaction", "Defense reactions", "Reaction", "Reactions"),
    *("Resource", "Resources", "Mentor", "Mentors", "Ally", "Allies", "Arena cards"),
    # Netrunner, Marvel Champions, Digimon
    *("Agenda", "Agendas", "Asset", "Assets", "Operation", "Operations", "Barrier", "Barriers"),
    *("Code gate", "Code gates", "Sentry", "Sentries", "Icebreaker", "Icebreakers", "Program"),
    *("Programs", "Hardware", "Support", "Supports", "Tamer", "Tamers", "Option", "Options"),
)

# Totals are told in many ways: "Total Cards", "Karten insgesamt", "Nombre total de cartes".
_CARDS = frozenset(
    {
        *("cards", "card", "carte", "carta", "karten", "karte", "cartes", "cartas"),
        *("pezzi", "pz", "pz."),
    }
)
_SUMS = frozenset(
    {
        *("total", "totale", "totali", "totales", "totais", "totaux", "insgesamt", "gesamt"),
        *("gesamtzahl", "count", "size", "tot", "tot.", "somma", "sum"),
    }
)
_AROUND_SUMS = frozenset(
    {
        *("of", "the", "in", "deck", "number", "di", "delle", "numero", "nel", "mazzo", "de"),
        *("des", "les", "le", "la", "las", "el", "nombre", "au", "der", "anzahl", "im", "do", "da"),
        *("n.", "n°", "nr.", "num."),
    }
)
_AND = frozenset({"and", "e", "und", "et", "y", "or", "o", "oder", "ou"})
_FIRST_WORD = re.compile(r"[^\W_]+")
LONGEST = 80  # characters; longer than any heading with its count


def fold_heading(word: str) -> str:
    """Return a heading folded for comparison: name key without spaces and hyphens."""
    return name_key(word).replace("-", "").replace(" ", "")


def first_word(key: str) -> str:
    """Return the letters and digits with which a folded name begins."""
    found = _FIRST_WORD.match(key)
    return found[0] if found else ""


def headings_with_role(role: HeadingRole) -> tuple[str, ...]:
    """Return the known headings with this role; () for totals."""
    return _KINDS if role is HeadingRole.KIND else _ROLES.get(role, ())


_KNOWN_KINDS = frozenset(map(fold_heading, _KINDS))
_KNOWN_ROLES = {fold_heading(word): role for role, words in _ROLES.items() for word in words}


_SECTIONS = frozenset(
    fold_heading(word)
    for words in (*SECTION_WORDS.values(), *USUAL_WORDS.values())
    for word in words
)


_MAIN = frozenset(map(fold_heading, (*USUAL_WORDS["main"], *SECTION_WORDS["deck"])))


def is_main_heading(word: str) -> bool:
    """Return whether a word is a common heading of the main zone in many games."""
    return fold_heading(strip_cards_suffix(word)) in _MAIN


def is_zone_heading(word: str) -> bool:
    """Return whether a word is a common heading of any zone in many games."""
    return not _SECTIONS.isdisjoint(
        map(fold_heading, (strip_cards_suffix(word), strip_cards_prefix(word)))
    )


_ZONE_ENDS = ("deck", "board", "pool")
_ZONE_BEGINS = frozenset({"mazzo", "mazo", "baralho", "riserva", "reserva", "reserve"})
_MOST_WORDS = 4
_WORD = re.compile(r"[^\W\d_]+")


def may_be_zone_heading(line: str) -> bool:
    """Return whether a line looks like a zone's heading, such as ``// Egg Deck``."""
    words = _WORD.findall(name_key(line[:LONGEST]))
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    return words[-1].endswith(_ZONE_ENDS) or words[0] in _ZONE_BEGINS


_PHRASES = (
    *(word for words in (*SECTION_WORDS.values(), *USUAL_WORDS.values()) for word in words),
    *(word for words in (*_ROLES.values(), _KINDS) for word in words),
    *_CARDS,
    *_SUMS,
    *_AROUND_SUMS,
)
_FIRST_WORDS = frozenset(
    first for word in _PHRASES for first in (fold_heading(word), first_word(name_key(word)))
)


def may_be_heading(key: str) -> bool:
    """Return whether a folded name may be a known heading, by its first word only: fast."""
    return first_word(key) in _FIRST_WORDS


@lru_cache(maxsize=1024)
def find_heading_role(word: str) -> HeadingRole | None:
    """Return the role of a heading, None for an unknown one or a zone.

    Names of kinds may be joined, and followed by cards: ``Instants & Sorceries``, ``Trainer
    cards``.
    """
    if len(word) > LONGEST:
        return None
    if (role := _KNOWN_ROLES.get(fold_heading(word))) is not None:
        return role
    tokens = _tokens(word)
    rest = {*tokens} - _CARDS - _SUMS
    if tokens and rest < {*tokens} and rest <= _AROUND_SUMS:
        return HeadingRole.TOTAL
    kinds = [fold_heading("".join(part)) for part in _parts(tokens)]
    known = fold_heading(word) in _KNOWN_KINDS or all(kind in _KNOWN_KINDS for kind in kinds)
    return HeadingRole.KIND if known else None


def strip_cards_suffix(word: str) -> str:
    """Return a heading without a final word for cards: "Sideboard cards" → "Sideboard"."""
    words = word.split(" ")
    if len(words) > 1 and name_key(words[-1]) in _CARDS:
        return " ".join(words[:-1])
    return word


_BETWEEN = frozenset({"in", "of", "di", "da", "del", "nel", "della", "nella", "the", "for", "per"})


def strip_cards_prefix(word: str) -> str:
    """Return a heading without initial words for cards: "cards in main deck" → "main deck"."""
    words = word.split(" ")
    if len(words) < 2 or name_key(words[0]) not in _CARDS:
        return word
    first = next((at for at, w in enumerate(words) if at and name_key(w) not in _BETWEEN), 0)
    return " ".join(words[first:])


def _tokens(word: str) -> list[str]:
    key = name_key(word)
    for sign in "&+/,":
        key = key.replace(sign, " and ")
    return key.replace("-", " ").split()


def _parts(tokens: list[str]) -> list[list[str]]:
    """Return the words between those that join them, without cards."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token in _AND:
            parts.append([])
        elif token not in _CARDS:
            parts[-1].append(token)
    return parts
