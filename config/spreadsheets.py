"""Text in the cells of workbooks that XlsxWriter writes."""

from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

_FORMULA, _MARKUP = "=+-@", "<"


def write_text_cell(
    sheet: Worksheet, row: int, at: int, text: str, *, quoted: Format, style: Format | None = None
) -> None:
    """Write a non-empty text into a worksheet's cell as text, never as a formula or markup.

    row, at: 0-based row and column. style: of the cell. quoted: used instead for a text that looks
    like a formula, so that editing the cell doesn't make it one.
    """
    first = text[:1]
    if first in _FORMULA:
        sheet.write_string(row, at, text, quoted)
    elif first in _MARKUP and text.startswith("<r>") and text.endswith("</r>"):
        sheet.write_rich_string(row, at, first, quoted, text[1:])
    else:
        sheet.write_string(row, at, text, style)
