"""Text in the cells of workbooks that XlsxWriter writes."""

from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

LIKE_FORMULAS = ("=", "+", "-", "@")
_RICH = ("<r>", "</r>")


def write_text(
    sheet: Worksheet, row: int, at: int, text: str, *, quoted: Format, style: Format | None = None
) -> None:
    """Write a text that stays the text it is.

    One that looks like a formula has the style ``quoted``, so that it is none when the cell is
    edited. XlsxWriter takes a text that looks like its own markup for markup and writes it as it
    is; such a text is written in two runs, each of which is escaped.
    """
    if text.startswith(LIKE_FORMULAS):
        style = quoted
    if text.startswith(_RICH[0]) and text.endswith(_RICH[1]):
        sheet.write_rich_string(row, at, text[:1], quoted, text[1:])
    else:
        sheet.write_string(row, at, text, style)
