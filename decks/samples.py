"""Legal lists of invented cards, for demonstrations: the same number gives the same list."""

from collections.abc import Callable
from itertools import islice

from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput
from rules.wording import gettext_noop as _

_NOUNS = (
    *("Araldo", "Brace", "Cancello", "Corvo", "Custode", "Dente", "Eco", "Faro", "Fulmine"),
    *("Guado", "Lama", "Lupo", "Marea", "Nebbia", "Occhio", "Passo", "Radice", "Ronda"),
    *("Scaglia", "Scudo", "Talpa", "Torre", "Vento"),
)
_PLACES = (
    *("d'Ambra", "d'Inverno", "del Colle", "del Fiume", "del Gelo", "del Molo", "del Sale"),
    *("dell'Alba", "dell'Isola", "della Cava", "della Duna", "della Luna", "della Sera"),
    *("di Basalto", "di Cenere", "di Rame", "di Sabbia", "di Selce", "di Vetro"),
)


def sample_deck(format_key: str, number: int) -> str:
    """Return a legal list of a format; raises BadInput for a format without a recipe."""
    deck_format = FORMATS.get(format_key)
    recipe = _RECIPES.get(deck_format.game)
    if recipe is None:
        raise BadInput(
            "no_sample", _("There is no sample list for the format %(format)s."), format=format_key
        )
    return recipe(format_key, number)


def _names(number: int) -> Callable[[int], list[str]]:
    """Return a source of card names, each given once; 437 of them before it runs dry."""
    size = len(_NOUNS) * len(_PLACES)
    # 23 nouns and 19 places have no common factor: stepping by one through both names them all.
    source = (
        f"{_NOUNS[at % len(_NOUNS)]} {_PLACES[at % len(_PLACES)]}"
        for at in (turn * 5 + number * 31 for turn in range(size))
    )
    return lambda count: list(islice(source, count))


def _creatures_of_exo(_format_key: str, number: int) -> str:
    take = _names(number)
    creatures = 8 + number % 4
    evolutions, side = number % 6, number % 7
    lines = ["Leader", f"1 {take(1)[0]} {{Leader}}", "", "Main"]
    lines += [f"2 {name} {{Creatura}}" for name in take(creatures)]
    lines += [f"2 {name} {{Tattica}}" for name in take(14 - creatures)]
    lines += [f"2 {name} {{Vice Leader}}" for name in take(1)]
    if evolutions:
        lines += ["", "Evolution", *(f"1 {name} {{Evoluzione}}" for name in take(evolutions))]
    if side:
        lines += ["", "Side", *(f"1 {name} {{Tattica}}" for name in take(side))]
    return "\n".join(lines) + "\n"


def _doomtrooper(format_key: str, number: int) -> str:
    take = _names(number)
    expansions = {"doomtrooper-open": ("DT", "HER"), "doomtrooper-free": ("DT", "RECOL")}
    codes = expansions.get(format_key, ("DT", "INQ"))
    kinds = ["Guerriero"] * (2 + number % 2) + ["Equipaggiamento"] * 5 + ["Speciale"] * 6
    lines = ["Lingua: it", "", "Mazzo da combattimento"]
    lines += [
        f"5 {name} ({codes[at % 2]}) {{{kind}}}"
        for at, (name, kind) in enumerate(zip(take(len(kinds)), kinds, strict=True))
    ]
    if number % 2:
        lines += ["", "Riserve", *(f"5 {name} (DT) {{Speciale}}" for name in take(5))]
    return "\n".join(lines) + "\n"


_RECIPES = {"creatures-of-exo": _creatures_of_exo, "doomtrooper": _doomtrooper}
