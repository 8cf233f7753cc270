"""The Pokémon TCG data: a file of cards for each set, best as the ``.zip`` of them all.

Source: documentation of the Pokémon TCG API, The card object, The set object. Each printing is a
row, with the code of its set as printed where the list of sets came along, and its number. What
the rules of the game know as one card has one name; the printed one stands beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from decks.cards.files import LONGEST, CardData
from decks.cards.published.schemas import (
    CatalogueSchema,
    Item,
    build_card_data,
    get_number,
    get_text,
    get_texts,
)
from rules.deckbuilding.catalogue import (
    canonical_name,
    combine_legalities,
    format_legality,
    parse_legality,
)
from rules.deckbuilding.data.files import shipped_rules
from rules.names import name_key

MOST_SETS = 20_000
RULES = "pokemon-standard"
"""The ready-made rules that say which names are of one card."""


class PokemonCollector:
    """Collector of printings of Pokémon cards; set codes are applied at the end."""

    def __init__(self) -> None:
        self._notation = next(one.rules.notation for one in shipped_rules() if one.key == RULES)
        self._cards: list[tuple[str, CardData]] = []
        self.codes: Mapping[str, str] = {}

    @property
    def kept(self) -> int:
        """Return how many printings and codes of sets are kept."""
        return len(self._cards) + len(self.codes)

    def add(self, item: Item, file: str) -> None:
        """Take a printing; its set stands in it, in its id, or is the name of its file."""
        told = get_texts(item, "legalities")
        legal = {name_key(key): None for key, word in told.items() if word.lower() == "legal"}
        number = get_number(item, "number")
        inside = item.get("set")
        own = get_text(inside, "id") if isinstance(inside, dict) else ""
        printed = get_text(item, "name")
        name = canonical_name(printed, self._notation)
        found = build_card_data(
            name=name,
            others=(printed,) if printed != name else (),
            kind=get_text(item, "supertype"),
            number=number,
            legal_in=legal,
        )
        of = own or get_text(item, "id").removesuffix(f"-{number}") or file
        self._cards.append((of[: LONGEST["expansion"]], found))

    def cards(self) -> Iterator[CardData]:
        """Yield the printings; of two with one set and number, any makes the card legal."""
        found: dict[tuple[str, str, str], CardData] = {}
        for of, card in self._cards:
            whole = replace(card, expansion=self.codes.get(of, of.upper())[:80])
            known = found.setdefault(whole.printing, whole)
            if known.legal_in != whole.legal_in:
                both = (parse_legality(one.legal_in) for one in (known, whole))
                found[whole.printing] = replace(
                    known, legal_in=format_legality(combine_legalities(both))
                )
        yield from found.values()


def printed_set_codes(items: Iterator[Item]) -> dict[str, str]:
    """Return the printed codes of sets by set id, from the JSON list of sets."""
    longest = LONGEST["expansion"]
    return {
        get_text(item, "id")[:longest]: get_text(item, "ptcgoCode")[:longest]
        for item in islice(items, MOST_SETS)
        if item.get("ptcgoCode")
    }


POKEMON = CatalogueSchema(
    label="Pokémon TCG",
    recognises=lambda item: "supertype" in item and "name" in item,
    collector=PokemonCollector,
)
