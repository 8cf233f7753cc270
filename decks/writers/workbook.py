""".xlsx lists: counts as numbers, everything else as text."""

import re
from io import BytesIO

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from decks.files.workbook import ESCAPED
from decks.writers.base import WRITERS, Writer, table_rows
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.wording import Sentence
from rules.wording import gettext_noop as _

WIDTHS = {"A": 14, "B": 8, "C": 40, "D": 20, "E": 16}  # characters

_NOT_IN_XML = re.compile("[\ufffe\uffff]")


def _write(deck: Deck, _format: DeckFormat) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Deck")
    sheet.freeze_panes = "A2"
    for letter, width in WIDTHS.items():
        sheet.column_dimensions[letter].width = width
    for number, row in enumerate(table_rows(deck)):
        sheet.append([_cell(sheet, value, bold=number == 0) for value in row])
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _cell(sheet: WriteOnlyWorksheet, value: str | int, *, bold: bool) -> WriteOnlyCell:
    """Return a value as a cell; text that begins like a formula stays text when edited."""
    if isinstance(value, int):
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, _escaped(value))
    cell.data_type = "s"
    cell.quotePrefix = value[:1] in tuple("=+-@")
    if bold:
        cell.font = Font(bold=True)
    return cell


def _escaped(text: str) -> str:
    """Escape the characters that XML can't hold as Excel does (``_xFFFE_``)."""
    text = ESCAPED.sub(lambda found: f"_x005F{found[0]}", text)
    return _NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


XLSX = WRITERS.add(
    Writer(
        key="xlsx",
        ending=".xlsx",
        content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        label=Sentence(_("Workbook (.xlsx)")),
        write=_write,
    )
)
