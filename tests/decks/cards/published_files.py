"""Files in the schemas of published catalogues, made for tests.

Sources: Scryfall's Card Objects, YGOPRODeck's API version 7, the Pokémon TCG data.
"""

import gzip
import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from decks.cards.files import CardFile
from decks.cards.published.reading import ReadLimiter, read_catalogue


def magic(name: str, legal: str = "modern pauper", **more: Any) -> dict[str, Any]:
    """Return a Scryfall card of paper; ``legal`` names formats, or one ``vintage=restricted``."""
    told = dict.fromkeys(("modern", "pauper", "vintage", "standard"), "not_legal")
    told |= {each.partition("=")[0]: each.partition("=")[2] or "legal" for each in legal.split()}
    return {
        "object": "card",
        "id": "0000579f-7b35-4ed3-b44c-db2a538066fe",
        "oracle_id": "44623693-51d6-49ad-8cd7-140505caf02f",
        "name": name,
        "lang": "en",
        "released_at": "2006-10-06",
        "layout": "normal",
        "cmc": 6.0,
        "type_line": "Creature — Sliver",
        "legalities": told,
        "games": ["paper", "mtgo"],
        "digital": False,
        "set": "tsp",
        "collector_number": "157",
    } | more


def duel(number: int, name: str, **more: Any) -> dict[str, Any]:
    """Return a card of YGOPRODeck."""
    return {
        "id": number,
        "name": name,
        "type": "Effect Monster",
        "frameType": "effect",
        "desc": "…",
        "card_images": [{"id": number, "image_url": "https://example.org/1.jpg"}],
    } | more


def pocket(key: str, name: str, legal: str = "unlimited expanded", **more: Any) -> dict[str, Any]:
    """Return a printing of the Pokémon TCG data; ``key`` is the set's id and the number."""
    return {
        "id": key,
        "name": name,
        "supertype": "Pokémon",
        "number": key.rpartition("-")[2],
        "legalities": dict.fromkeys(legal.split(), "Legal"),
    } | more


def as_json(cards: object) -> bytes:
    """Return a file of JSON, one card a line as Scryfall writes it."""
    if isinstance(cards, list):
        return ("[\n" + ",\n".join(json.dumps(card) for card in cards) + "\n]").encode()
    return json.dumps(cards).encode()


def by_set(**files: object) -> bytes:
    """Return a zip of the files by set; ``sets`` is the list of sets."""
    into = BytesIO()
    with ZipFile(into, "w") as archive:
        for name, cards in files.items():
            folder = "sets/en" if name == "sets" else f"cards/en/{name}"
            archive.writestr(f"pokemon-tcg-data-master/{folder}.json", as_json(cards))
    return into.getvalue()


def read(content: object, *, most: int = 1_000_000, packed: bool = False) -> CardFile:
    """Return the cards of a file, or of cards as JSON."""
    data = content if isinstance(content, bytes) else as_json(content)
    file = BytesIO(gzip.compress(data) if packed else data)
    return read_catalogue(file, "cards.json", meter=ReadLimiter(most=most))
