"""Invented players: first names only, as many as are asked for."""

from collections.abc import Iterator
from itertools import count, islice

_FIRST = (
    *("Ada", "Alba", "Aldo", "Anna", "Bice", "Bruno", "Carla", "Cesare", "Chiara", "Dario"),
    *("Diana", "Elio", "Elsa", "Enea", "Ester", "Fabio", "Flora", "Gaia", "Gino", "Greta"),
    *("Guido", "Ilda", "Irene", "Ivo", "Jole", "Lara", "Leo", "Livia", "Luca", "Lucia"),
    *("Marco", "Mara", "Mirko", "Nadia", "Nico", "Nora", "Olga", "Oscar", "Paola", "Pietro"),
    *("Rita", "Rocco", "Sara", "Silvio", "Tea", "Tito", "Ugo", "Vera", "Vito", "Zoe"),
)
_SECOND = ("", " B.", " C.", " D.", " F.", " G.", " L.", " M.", " P.", " R.", " S.", " T.", " V.")


def invented_names(how_many: int) -> list[str]:
    """Return so many different names, always the same ones."""
    return list(islice(_names(), how_many))


def _names() -> Iterator[str]:
    for lap in count():
        turn, letter = divmod(lap, len(_SECOND))
        ending = _SECOND[letter] + (f" {turn + 1}" if turn else "")
        yield from (f"{first}{ending}" for first in _FIRST)
