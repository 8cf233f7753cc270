"""The formats that come with the program: one file a game in ``shipped/``, named by its slug.

A file names the game, its rule book (``source``), the formats in order and their ``rules``; what a
format says by itself takes the place of that part of the common rules. Sentences are in English,
and are collected for translation (``bin/messages``). Card lists are files of their own.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rules.deckbuilding.card_lists.lists import NO_LISTS, shipped_lists
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.own.formats import format_of
from rules.deckbuilding.own.json import rules_from_json
from rules.wording import Sentence

FOLDER = Path(__file__).parent / "shipped"


def formats_in(path: Path) -> Iterator[DeckFormat]:
    """Yield the formats of a game's file; raises BadInput for rules that say what they can't."""
    document = json.loads(path.read_text(encoding="utf-8"))
    lists = shipped_lists(path.stem)
    for one in document["formats"]:
        name, label = one["name"], one.get("label")
        shape = format_of(
            rules_from_json({**document["rules"], **one.get("rules", {})}, shipped=True),
            key=one["key"],
            game=path.stem,
            game_name=Sentence(document["game"]),
            name=name,
            label=Sentence(label, {"name": name}) if label else Sentence(name),
        )
        # Points, criteria and colours are those of the event and of the site.
        yield replace(
            shape,
            lists=lists[-1] if lists else NO_LISTS,
            shipped=lists,
            standings=None,
            look=None,
        )


for _path in sorted(FOLDER.glob("*.json")):
    for _shape in formats_in(_path):
        FORMATS.add(_shape)
