"""Files of cards, for tests."""

import csv
from collections.abc import Iterable, Mapping
from io import BytesIO, StringIO

from openpyxl import Workbook

from decks.cards.files import CardData, read_cards
from decks.cards.services import load_cards
from decks.decklists.samples import sample_cards
from decks.models import Catalogue
from rules.names import name_key

WOLVES = """nome;nome inglese;tipo;espansione;numero;copie massime;testo
Lupo di Selce;Flint Wolf;Creatura;DT;12;;Morde.
Lupo di Vetro;Glass Wolf;Creatura;DT;13;1;
Regina dei Lupi;Wolf Queen;Leader;DT;1;;
"""


def as_csv(rows: Iterable[Mapping[str, object]]) -> bytes:
    """Return rows as a CSV file whose columns are the keys of the first."""
    listed = list(rows)
    written = StringIO()
    writer = csv.DictWriter(written, fieldnames=list(listed[0]))
    writer.writeheader()
    writer.writerows(listed)
    return written.getvalue().encode()


def as_xlsx(rows: Iterable[Iterable[object]]) -> bytes:
    """Return rows as the first sheet of a workbook."""
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(list(row))
    into = BytesIO()
    book.save(into)
    return into.getvalue()


def many(count: int, **more: object) -> bytes:
    """Return a file of ``count`` invented cards."""
    return as_csv(
        {"nome": f"Carta {at} del Colle", "nome inglese": f"Card {at} of the Hill", **more}
        for at in range(count)
    )


def loaded(game: str, content: str | bytes = WOLVES, owner: object = None) -> Catalogue:
    """Return a catalogue with the cards of a file."""
    read = read_cards(content.encode() if isinstance(content, str) else content)
    assert read.faults == ()
    return load_cards(game=game, cards=read.cards, owner=owner).catalogue  # type: ignore[arg-type]


def sample_catalogue(game: str) -> tuple[CardData, ...]:
    """Return the invented cards of a game as :func:`read_cards` would return them."""
    return tuple(
        CardData(
            key=name_key(card.name),
            key_en=name_key(card.name_en),
            name=card.name,
            name_en=card.name_en,
            kind=card.kind,
            genus=card.genus,
            expansion=card.expansion,
            number=card.number,
            max_copies=None,
            attributes={},
        )
        for card in sample_cards(game)
    )
