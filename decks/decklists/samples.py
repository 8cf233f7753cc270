"""Legal lists of invented cards for demonstrations, deterministic by number.

The cards of a game have one kind each, and names in Italian and English.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice

from rules.deckbuilding.formats import FORMATS, NameSource
from rules.deckbuilding.house import base_key
from rules.errors import BadInput


def sample_deck(format_key: str, number: int) -> str:
    """Return the text of a legal sample list of a format; ``number`` varies it.

    A house format uses its base format's recipe. Raises BadInput ``no_sample`` for a format without
    a recipe.
    """
    format_key = base_key(format_key)
    known = FORMATS.get(format_key)
    if known.sample is not None:
        return known.sample.write(_name_source(known.game, number), number)
    recipe = _RECIPES.get(known.game)
    if recipe is None:
        raise BadInput(
            "no_sample", "There is no sample decklist for the format %(format)s.", format=format_key
        )
    return recipe(format_key, number)


def _name_source(game: str, number: int) -> NameSource:
    """Return a function that takes unused names of a game's invented cards.

    ``number`` shifts where in the cards it begins, so that lists differ.
    """
    given: set[str] = set()

    def take(
        count: int, kind: str, *, expansions: tuple[str, ...] = (), genus: str = ""
    ) -> list[str]:
        pool = [
            card.name
            for card in sample_cards(game)
            if card.kind == kind
            and card.name not in given
            and (not expansions or card.expansion in expansions)
            and (not genus or card.genus == genus)
        ]
        start = number * 13 % len(pool)
        chosen = (pool[start:] + pool[:start])[:count]
        given.update(chosen)
        return chosen

    return take


def _creatures_of_exo(format_key: str, number: int) -> str:
    take = _name_source("creatures-of-exo", number)
    creatures = 8 + number % 4
    evolutions, side = number % 6, number % 7
    lines = ["Leader", f"1 {take(1, 'Leader')[0]} {{Leader}}", "", "Main"]
    lines += [f"2 {name} {{Creatura}}" for name in take(creatures, "Creatura")]
    lines += [f"2 {name} {{Tattica}}" for name in take(14 - creatures, "Tattica")]
    lines += [f"2 {name} {{Vice Leader}}" for name in take(1, "Vice Leader")]
    if evolutions:
        names = take(evolutions, "Evoluzione")
        lines += ["", "Evolution", *(f"1 {name} {{Evoluzione}}" for name in names)]
    if side:
        lines += ["", "Side", *(f"1 {name} {{Tattica}}" for name in take(side, "Tattica"))]
    return "\n".join(lines) + "\n"


def _doomtrooper(format_key: str, number: int) -> str:
    take = _name_source("doomtrooper", number)
    newest = {"doomtrooper-open": "HER", "doomtrooper-free": "RECOL"}.get(format_key, "INQ")
    lines = ["Lingua: it", "", "Mazzo da combattimento"]
    for kind, old, new in (
        ("Guerriero", 1 + number % 2, 1),
        ("Equipaggiamento", 3, 2),
        ("Speciale", 3, 3),
    ):
        for code, many in (("DT", old), (newest, new)):
            names = take(many, kind, expansions=(code,))
            lines += [f"5 {name} ({code}) {{{kind}}}" for name in names]
    if number % 2:
        names = take(5, "Speciale", expansions=("DT",))
        lines += ["", "Riserve", *(f"5 {name} (DT) {{Speciale}}" for name in names)]
    return "\n".join(lines) + "\n"


def _yugioh(_format_key: str, number: int) -> str:
    take = _name_source("yugioh", number)
    monsters, fusions = 7 + number % 3, number % 5
    lines = ["Main", *(f"3 {name} {{Mostro}}" for name in take(monsters, "Mostro"))]
    lines += [f"2 {name} {{Magia}}" for name in take(6, "Magia")]
    lines += [f"2 {name} {{Trappola}}" for name in take(4, "Trappola")]
    if fusions:
        names = take(fusions, "Mostro Fusione")
        lines += ["", "Fusion", *(f"2 {name} {{Mostro Fusione}}" for name in names)]
    if number % 2:
        lines += ["", "Side", *(f"3 {name} {{Mostro}}" for name in take(3, "Mostro"))]
        lines += [f"2 {name} {{Magia}}" for name in take(3, "Magia")]
    return "\n".join(lines) + "\n"


def _saint_seiya(_format_key: str, number: int) -> str:
    take = _name_source("saint-seiya", number)
    lines = ["Main", *(f"3 {name} {{Luogo}}" for name in take(4, "Luogo"))]
    lines += [f"3 {name} {{Personaggio}}" for name in take(4 + number % 2, "Personaggio")]
    lines += [f"3 {name} {{Tecnica}}" for name in take(5 + number % 3, "Tecnica")]
    lines += [f"2 {name} {{Fato}}" for name in take(4, "Fato")]
    cosmo = take(2, "Cosmo")
    lines += ["", "Cosmo", *(f"5 {name} {{Cosmo}}" for name in cosmo)]
    return "\n".join(lines) + "\n"


def _thoom(_format_key: str, number: int) -> str:
    take = _name_source("thoom", number)
    genus = ("Luce", "Oscurità", "Foresta", "Terra", "Acqua", "Fuoco")[number % 6]
    lines = ["Main", *(f"5 {name} {{Thoom, {genus}}}" for name in take(2, "Thoom", genus=genus))]
    lines += [f"3 {name} {{Mostro, {genus}}}" for name in take(6, "Mostro", genus=genus)]
    lines += [f"4 {name} {{Aiuto, {genus}}}" for name in take(3, "Aiuto", genus=genus)]
    return "\n".join(lines) + "\n"


_RECIPES = {
    "creatures-of-exo": _creatures_of_exo,
    "yugioh": _yugioh,
    "saint-seiya": _saint_seiya,
    "thoom": _thoom,
    "doomtrooper": _doomtrooper,
}


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
