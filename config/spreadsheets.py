"""Text in the cells of workbooks that XlsxWriter writes."""

from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

_FORMULA, _MARKUP = "=+-@", "<"


def write_text(
    sheet: Worksheet, row: int, at: int, text: str, *, quoted: Format, style: Format | None = None
) -> None:
    """Write a non-empty text into a cell as text, never as a formula or markup.

    One that looks like a formula has the style ``quoted``, so that it is none when the cell is
    edited. XlsxWriter takes a text that looks like its own markup for markup and writes it as it
    is; such a text is written in two runs, each of which is escaped.
    """
    first = text[:1]
    if first in _FORMULA:
        sheet.write_string(row, at, text, quoted)
    elif first in _MARKUP and text.startswith("<r>") and text.endswith("</r>"):
        sheet.write_rich_string(row, at, first, quoted, text[1:])
    else:
        sheet.write_string(row, at, text, style)
