"""Files for the tests of readers: small workbooks, and parts of them replaced."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook

from decks.readers.kinds import CheckedFile, read_file
from decks.rulebook import DeckRules
from decks.stored_formats import load_format
from rules.deckbuilding.deck import Deck

SHEET = "xl/worksheets/sheet1.xml"
OPENED = (
    '<?xml version="1.0"?>'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
CLOSED = "</sheetData></worksheet>"


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    """Return an .xlsx workbook of one sheet."""
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    return saved(book)


def saved(book: Workbook) -> bytes:
    """Return the file of a workbook."""
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def with_parts(content: bytes, parts: Mapping[str, str | bytes]) -> bytes:
    """Return a workbook some of whose parts are other ones, or new."""
    out = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, part in parts.items():
            new.writestr(name, part)
    return out.getvalue()


def with_sheet(rows: str) -> bytes:
    """Return a workbook whose sheet is the XML of these rows."""
    return with_parts(workbook([["nome"]]), {SHEET: f"{OPENED}{rows}{CLOSED}"})


def shipped(key: str) -> DeckRules:
    """Return the rules of a format as it comes with the program."""
    return DeckRules(format=load_format(key))


def read(
    content: bytes | str,
    name: str = "",
    key: str = "creatures-of-exo",
    declared: str | None = None,
    **known: str,
) -> CheckedFile:
    """Return the list of a file; ``known`` are names by ``id…``."""
    raw = content.encode() if isinstance(content, str) else content
    return read_file(raw, name, shipped(key), declared, lambda each: known.get(f"id{each}"))


def names(deck: Deck) -> dict[str, list[tuple[int, str]]]:
    """Return counts and names by zone, empty zones left out."""
    return {
        zone: [(entry.count, entry.name) for entry in entries]
        for zone, entries in deck.zones.items()
        if entries
    }


def problems(deck: Deck) -> list[tuple[str, int | None]]:
    """Return the codes of what could not be read, with their lines."""
    return [(problem.code, problem.line) for problem in deck.problems]
