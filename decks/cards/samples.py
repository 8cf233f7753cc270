"""Invented cards of every game, for demonstrations: each has one kind, in Italian and English."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice

from rules.deckbuilding.formats import FORMATS

_NOUNS = {
    "Araldo": "Herald",
    "Brace": "Ember",
    "Cancello": "Gate",
    "Corvo": "Raven",
    "Custode": "Warden",
    "Dente": "Fang",
    "Eco": "Echo",
    "Faro": "Beacon",
    "Fulmine": "Lightning",
    "Guado": "Ford",
    "Lama": "Blade",
    "Lupo": "Wolf",
    "Marea": "Tide",
    "Nebbia": "Mist",
    "Occhio": "Eye",
    "Passo": "Pass",
    "Radice": "Root",
    "Ronda": "Watch",
    "Scaglia": "Scale",
    "Scudo": "Shield",
    "Talpa": "Mole",
    "Torre": "Tower",
    "Vento": "Wind",
}
_PLACES = {
    "d'Ambra": "of Amber",
    "d'Inverno": "of Winter",
    "del Colle": "of the Hill",
    "del Fiume": "of the River",
    "del Gelo": "of the Frost",
    "del Molo": "of the Pier",
    "del Sale": "of the Salt",
    "dell'Alba": "of the Dawn",
    "dell'Isola": "of the Island",
    "della Cava": "of the Quarry",
    "della Duna": "of the Dune",
    "della Luna": "of the Moon",
    "della Sera": "of the Evening",
    "di Basalto": "of Basalt",
    "di Cenere": "of Ash",
    "di Rame": "of Copper",
    "di Sabbia": "of Sand",
    "di Selce": "of Flint",
    "di Vetro": "of Glass",
}
_THOOM_GENERA = ("Luce", "Oscurità", "Foresta", "Terra", "Acqua", "Fuoco")
_DOOMTROOPER_SETS = ("DT", "DT", "INQ", "DT", "HER", "DT", "RECOL")

# Cards of each kind; games not listed here define theirs in ``DeckFormat.sample``.
_KINDS: Mapping[str, Mapping[str, int]] = {
    "creatures-of-exo": {
        "Leader": 11,
        "Vice Leader": 8,
        "Creatura": 25,
        "Tattica": 24,
        "Evoluzione": 12,
        "Evoluzione Vice Leader": 4,
        "Pedina": 3,
        "Reliquia": 3,
    },
    "yugioh": {"Mostro": 36, "Mostro Fusione": 10, "Magia": 20, "Trappola": 16, "Segna-Mostro": 3},
    "saint-seiya": {"Personaggio": 24, "Tecnica": 20, "Fato": 12, "Luogo": 20, "Cosmo": 10},
    "thoom": {"Thoom": 18, "Mostro": 42, "Aiuto": 24},
    "doomtrooper": {"Guerriero": 28, "Equipaggiamento": 28, "Speciale": 35},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCard:
    """An invented card for demonstrations: its names, kind and printing."""

    name: str
    name_en: str
    kind: str
    expansion: str = ""
    number: str = ""
    genus: str = ""


@lru_cache
def sample_cards(game: str) -> tuple[SampleCard, ...]:
    """Return a game's invented cards, the same at every call; () if it has none."""
    return tuple(_cards(game))


def _cards(game: str) -> Iterator[SampleCard]:
    kinds = _kinds()
    games = list(kinds)
    if game not in games:
        return
    before = sum(sum(kinds[other].values()) for other in games[: games.index(game)])
    names = islice(_names(), before, None)
    number = 0
    for kind, many in kinds[game].items():
        for at in range(many):
            number += 1
            name, name_en = next(names)
            yield SampleCard(
                name=name,
                name_en=name_en,
                kind=kind,
                expansion=_DOOMTROOPER_SETS[at % 7] if game == "doomtrooper" else "",
                number=str(number) if game == "doomtrooper" else "",
                genus=_THOOM_GENERA[at % 6] if game == "thoom" else "",
            )


def _kinds() -> dict[str, Mapping[str, int]]:
    """Return the number of cards of each kind by game, those of ``DeckFormat.sample`` last."""
    brought = {known.game: known.sample.cards for known in FORMATS if known.sample is not None}
    return {**_KINDS, **brought}


def _names() -> Iterator[tuple[str, str]]:
    """Yield an infinite sequence of distinct (Italian, English) names: a noun and a place.

    Once all combinations are used, they repeat with a number: “Corvo del Vento 2”.
    """
    nouns, places = list(_NOUNS.items()), list(_PLACES.items())
    # 23 and 19 are coprime: advancing both lists by one visits every combination.
    for at in count():
        (noun, noun_en), (place, place_en) = nouns[at % len(nouns)], places[at % len(places)]
        lap = at // (len(nouns) * len(places)) + 1
        again = f" {lap}" if lap > 1 else ""
        yield f"{noun} {place}{again}", f"{noun_en} {place_en}{again}"
