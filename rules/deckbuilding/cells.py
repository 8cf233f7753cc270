"""Rows of tables among the lines of a list: their cells, and the cards that they may be.

Source: tables of spreadsheets and collection programs, pasted without the names of their columns.
"""

import re
from collections.abc import Sequence

from rules.deckbuilding.catalogue import is_card_number
from rules.deckbuilding.deck import DeckEntry
from rules.deckbuilding.known_headings import HeadingRole, find_heading_role, is_zone_heading
from rules.deckbuilding.lines import strip_bullet
from rules.deckbuilding.render import unambiguous_line
from rules.names import clean_line

COUNT_CELL = re.compile(r"[xX×]? ?0{0,3}[1-9][0-9]{0,2} ?[xX×]?")
MOST_CELLS = 3  # of a row that are tried as its name or its count

_NUMBER = re.compile(r"[xX×]? ?[0-9]+ ?[xX×]?")
_SET = re.compile(r"(?=[0-9]{0,4}[A-Z])[A-Z0-9]{2,6}")
_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))
_BEGINS_QUOTED = re.compile(r"(?:^[-*•\[( \t]{0,4}|[,;\t] ?)[\"'“”„«]")
_SINGLE_QUOTES = re.compile(r"(?:^|(?<=[,;\t])) ?'|'(?= ?(?:[,;\t]|$))")
_ROW_CELL = re.compile(r' ?(?:"([^"]*(?:""[^"]*)*)" ?|([^",;\t]*))(?:([,;\t])|$)')


def split_quoted_cells(raw: str) -> list[str]:
    """Return the cells of a CSV row that has quotation marks; [] for other lines.

    ``Kongming, "Sleeping Dragon"`` is a card name, and so is a single quoted text.
    """
    if not _BEGINS_QUOTED.search(raw):
        return []
    text = strip_bullet(raw.strip()).translate(_QUOTES)
    if text.startswith(("[", "(")):
        text = text[1:].rstrip(", )]")
    if '"' not in text:
        text = _SINGLE_QUOTES.sub('"', text)
    cells: list[str] = []
    plain: list[str] = []
    signs: list[str] = []
    at, spaced = 0, False
    while found := _ROW_CELL.match(text, at):
        spaced |= at > 0 and text[at : at + 1] == " "
        cell = clean_line((found[1] or "").replace('""', '"')) or clean_line(found[2] or "")
        cells += [cell] * bool(cell)
        plain += [cell] * bool(cell and found[1] is None)
        if not found[3]:
            break
        signs.append(found[3])
        at = found.end()
    if found is None or len({*signs}) > 1 or len(plain) == len(cells):
        return []
    words = [cell for cell in plain if not _NUMBER.fullmatch(cell)]
    if words and (spaced or not any(map(_NUMBER.fullmatch, cells))):
        return []
    return cells if len(cells) > 1 or signs or cells[0][0].isdigit() else []


def split_unquoted_cells(raw: str) -> list[str]:
    """Return the non-empty cells of a row of three or more unquoted cells, else []."""
    for sign in "\t;,":
        cells = raw.split(sign)
        if len(cells) > 2 and not (sign == "," and any(cell[:1] == " " for cell in cells)):
            return [cell for cell in map(clean_line, cells) if cell]
    return []


def possible_lines(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the decklist lines that the cells of a table row may stand for.

    Each combines a count, a name, and the set and number if given; () if a cell names a zone.
    """
    if any(map(_is_place, cells)):
        return ()
    numbers = [at for at, cell in enumerate(cells) if COUNT_CELL.fullmatch(cell)]
    counts = numbers[:1] if numbers[:1] == [0] else numbers[:MOST_CELLS]
    codes = [at for at, cell in enumerate(cells) if _SET.fullmatch(cell)]
    names = [cell for at, cell in enumerate(cells) if at not in codes and may_be_name(cell)]
    names = names or [cells[at] for at in codes[:1]]
    code = cells[codes[0]] if codes and cells[codes[0]] not in names else ""
    behind = "".join(cells[codes[0] + 1 : codes[0] + 2]) if code else ""
    ways: list[str] = []
    for name in names[:MOST_CELLS]:
        for at in counts or [-1]:
            count = int(cells[at].strip("xX× ")) if counts else 1
            number = behind if is_card_number(behind, behind=code) and at != codes[0] + 1 else ""
            tagged = DeckEntry(name=name, expansion=code, number=number)
            for entry in dict.fromkeys((tagged, DeckEntry(name=name))):
                ways += unambiguous_line(entry, name, count, side=False)
    return tuple(dict.fromkeys(ways))


def _is_place(cell: str) -> bool:
    return is_zone_heading(cell) or find_heading_role(cell) in (
        HeadingRole.COMPANION,
        HeadingRole.ASIDE,
    )


def may_be_name(cell: str) -> bool:
    """Return whether a cell may hold a card's name: it is neither a number nor a heading."""
    if COUNT_CELL.fullmatch(cell) or _is_place(cell):
        return False
    return any(map(str.isalpha, cell)) and find_heading_role(cell) is None
