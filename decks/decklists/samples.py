"""Legal lists of invented cards for demonstrations; deterministic by number."""

from decks.cards.samples import sample_cards
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
