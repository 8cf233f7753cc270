"""Parsing of one line of a list: a card with its count and tags.

Source: deck construction, Lists in and out.
"""

import re
from dataclasses import dataclass, field

from rules.deckbuilding.deck import HIGHEST_COUNT, Entry
from rules.names import tidy
from rules.wording import Sentence

COUNT_RULE = Sentence("A count goes from 1 to %(highest)s.", {"highest": HIGHEST_COUNT})
SIGN_RULE = Sentence("A line can't start with a sign and a number.")
NAME_RULE = Sentence("There is no card name.")
COLON_RULE = Sentence("A line that ends with a colon must name a zone or a kind.")
EXPANSION_RULE = Sentence("An expansion has a letter in its code or name.")
BOLD_RULE = Sentence("A line in asterisks must name a zone or a kind.")
CELLS_RULE = Sentence("The line has more cells than a count and a name.")
BRACES_RULE = Sentence("Braces hold a kind, a genus and a language: {Kind, Genus, lang=it}.")

LINE_END = re.compile(r"[\r\n\v\f\x85\u2028\u2029](?:(?<=\r)\n)?")
"""Line separators of all platforms; a set of characters is searched faster than alternatives."""

LANGUAGE_LINE = re.compile(r"(?:lingua|language) ?: ?(\S.*)", re.IGNORECASE)

_COUNT_FIRST = re.compile(
    r"(?:([0-9]+)(?:[x×*] ?|X | [x×*] | ?[;:] ?| [-–—=] | )|[x×] ?([0-9]+) )(?=\S)"
)
_COUNT_LAST = re.compile(r"(?: [xX×*] ?(-?[0-9]+)| (-?[0-9]+)[x×]| ?; ?[x×]?(-?[0-9]+)[x×]?)$")
_COUNT_IN_BRACKETS = re.compile(r" ?\([x×]? ?(-?[0-9]+) ?[x×]?\)$")
_NUMBERED_SET = re.compile(r" ?\(([^()]*)\) ([0-9]{1,5})[a-z★]?(?: \*[A-Z]+\*)?$")
_BULLET = re.compile(r"[-–—*•·‣◦▪●○■□►▶+>] ")
_BOLD = ("**", "__")
_SIGN = re.compile(r"[-+−][0-9]")
_SIDE = re.compile(r"SB: ?", re.IGNORECASE)
_MARKS = re.compile(rf"(?:{_BULLET.pattern})?(?:SB: ?)?", re.IGNORECASE)
_CELL_LAST = re.compile(r"; ?[x×]?-?[0-9]+[x×]?[; ]*$")
_CELL = re.compile(r"[x×]? ?(-?[0-9]+) ?[x×]?")

_PLAIN = re.compile(
    r"([1-9][0-9]{0,2})x? (?![xX×] )([^\W\d_][^(){}\[\]:]*?)"
    r"(?: \(([^\W\d_]\w*)\))?(?: \{([^\W\d_][^(){}\[\],=]*?)(?<! )\})?"
)

TAGS = ("kind", "expansion", "number", "version", "genus", "language")
Tags = dict[str, str]
"""Tags of a card by field of ``Entry``."""


class UnreadableLineError(Exception):
    """A line or entry that holds no card; ``reason`` says why."""

    def __init__(self, reason: Sentence) -> None:
        self.reason = reason
        super().__init__(str(reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A card, whether the line assigns it to the side, and what is written there.

    ``written`` is the line without bullet and ``SB:``; a ``bare`` line is a name alone, without a
    count, tag or mark; one without a count is not ``counted``.
    """

    entry: Entry
    side: bool
    written: str = field(default="", compare=False)
    counted: bool = field(default=True, compare=False)
    bare: bool = field(default=False, compare=False)


def is_bulleted(line: str) -> bool:
    """Return whether a bullet or ``SB:`` marks the line as a card."""
    return bool(_BULLET.match(line) or _SIDE.match(line))


def read_plain_card(line: str) -> CardLine | None:
    """Return the card of a common line such as ``2 Name (SET) {Kind}``, None for others.

    A fast path: if it returns a card, :func:`read_card` returns the same.
    """
    match = _PLAIN.fullmatch(line)
    if match is None:
        return None
    count, name, expansion, kind = match.groups("")
    if not name[0].isalpha() or (expansion and not expansion[0].isalpha()):
        return None  # characters such as ² are not digits
    entry = Entry(name=name, count=int(count), expansion=expansion, kind=kind)
    return CardLine(entry=entry, side=False, written=line)


def read_line(written: str) -> CardLine:
    """Return the card of a line as it was written; raises UnreadableLineError.

    Where tabs part a count from a name they are cells of a spreadsheet, else white space.
    """
    line = tidy(written)
    if "\t" not in written.strip():
        return read_card(line)
    cells = [cell for cell in map(tidy, written.split("\t")) if cell]
    marked = _MARKS.match(cells[0])
    cells[0] = cells[0][marked.end() :] if marked else cells[0]
    cells = [cell for cell in cells if cell]
    first, last = (_CELL.fullmatch(cells[at]) if len(cells) > 1 else None for at in (0, -1))
    number, names = first or last, cells[1:] if first else cells[:-1]
    if number is None or (last and not first and _COUNT_FIRST.match(names[0])):
        return read_card(line)
    if not all(name.startswith(("(", "[", "{")) for name in names[1:]):
        raise UnreadableLineError(CELLS_RULE)
    return read_card(f"{marked[0] if marked else ''}{number[1]}x {' '.join(names)}")


def read_card(line: str) -> CardLine:
    """Return the card of a normalised line; raises UnreadableLineError."""
    if _SIGN.match(line):
        raise UnreadableLineError(SIGN_RULE)
    rest = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    side = bool(_SIDE.match(rest))
    rest = _SIDE.sub("", rest, count=1) if side else rest
    bold = rest.startswith(_BOLD)
    rest = tidy(rest.replace(rest[:2], " ")) if bold else rest
    if _SIGN.match(rest):
        raise UnreadableLineError(SIGN_RULE)
    if rest.endswith(":"):
        raise UnreadableLineError(COLON_RULE)
    count, written = None, rest
    if first := _COUNT_FIRST.match(rest):
        count, rest = count_from(first[1] or first[2]), rest[first.end() :]
    cells = ";" in first[0] if first else bool(_CELL_LAST.search(rest))
    entry, number = _entry_and_count(rest.rstrip("; ") if cells else rest, count, {})
    if cells and ";" in entry.name:
        raise UnreadableLineError(CELLS_RULE)
    if ends_with_colon(entry):
        raise UnreadableLineError(COLON_RULE)
    bare = number is None and line == entry.name
    if bold and number is None:
        raise UnreadableLineError(BOLD_RULE)
    return CardLine(entry=entry, side=side, written=written, counted=number is not None, bare=bare)


def ends_with_colon(entry: Entry) -> bool:
    """Return whether the entry's line, with the count first, would end with a colon."""
    tags = (entry.expansion, entry.kind, entry.genus, entry.language, entry.version)
    return entry.name.endswith(":") and not any(tags)


def read_tags(
    text: str, *, count: int | None, given: Tags | None = None, line: int | None = None
) -> Entry:
    """Return the entry of a name followed by ``(SET 12)``, ``{Kind}``, ``[version]`` and a count.

    ``(SET) 12`` is ``(SET 12)``. Each tag may occur once; text before a repeated tag belongs to
    the name. A ``count`` and tags ``given`` as arguments are not parsed from the text.
    """
    return _entry_and_count(text, count, given or {}, line)[0]


def _entry_and_count(
    text: str, count: int | None, given: Tags, line: int | None = None
) -> tuple[Entry, int | None]:
    """Return the entry, and its count if there is one."""
    tags: Tags = dict.fromkeys(TAGS, "") | dict(given)
    while True:
        if count is None and (last := _COUNT_LAST.search(text) or _COUNT_IN_BRACKETS.search(text)):
            count, text = count_from(next(filter(None, last.groups()))), text[: last.start()]
        elif (tag := _last_brackets(text)) and (read := _with_tag(tags, *tag)):
            tags, text = tags | read, text[: -len(tag[1]) - 2].rstrip()
        elif (numbered := _numbered_set(text)) and (read := _with_tag(tags, "(", numbered[1])):
            tags, text = tags | read | {"number": numbered[2]}, text[: numbered.start()]
        else:
            break
    if not any(char.isalpha() for char in text):
        raise UnreadableLineError(NAME_RULE)
    return Entry(name=text, count=1 if count is None else count, line=line, **tags), count


def _numbered_set(text: str) -> re.Match[str] | None:
    """Return the ``(SET) 12`` that ends a text, as Magic Arena writes it, or None."""
    return _NUMBERED_SET.search(text) if text[-1:].isalnum() or text.endswith("*") else None


def count_from(digits: str) -> int:
    """Return a count; raises UnreadableLineError outside 1 to 999."""
    shorn = digits.lstrip("0")
    if digits.startswith("-") or not shorn or len(shorn) > len(str(HIGHEST_COUNT)):
        raise UnreadableLineError(COUNT_RULE)
    return int(shorn)


def _last_brackets(text: str) -> tuple[str, str] | None:
    """Return the opening bracket and content of the brackets that end a text, or None."""
    for opening, closing in ("()", "{}", "[]"):
        if text.endswith(closing):
            start = text.rfind(opening)
            inside = text[start + 1 : -1]
            if start >= 0 and closing not in inside and inside.strip():
                return opening, inside
    return None


def _with_tag(tags: Tags, opening: str, inside: str) -> Tags | None:
    """Return the tags with another one added; None for a repeated or invalid tag."""
    if opening == "(":
        return None if tags["expansion"] else _with_expansion(tags, inside)
    if opening == "[":
        return None if tags["version"] else {"version": inside.strip()}
    if tags["kind"] or tags["genus"] or tags["language"]:
        return None
    return _tags_in_braces(inside)


def _with_expansion(tags: Tags, inside: str) -> Tags | None:
    expansion, number = split_number(inside.strip())
    if not any(char.isalpha() for char in expansion):
        return None
    return {"expansion": expansion, "number": number or tags["number"]}


def split_number(text: str) -> tuple[str, str]:
    """Return an expansion without its card number, and the number ("" if there is none)."""
    words, _space, last = text.rpartition(" ")
    if words and last.isascii() and last.isdigit():
        return words.strip(), last
    return text, ""


def _tags_in_braces(inside: str) -> Tags | None:
    language = ""
    places = []
    for part in (piece.strip() for piece in inside.split(",")):
        if part.casefold().startswith("lang="):
            if language:
                raise UnreadableLineError(BRACES_RULE)
            language = part[len("lang=") :].strip()
        else:
            places.append(part)
    if len(places) > 2:
        raise UnreadableLineError(BRACES_RULE)
    kind, genus = (*places, "", "")[:2]
    if not (kind or genus or language):
        return None
    return {"kind": kind, "genus": genus, "language": language}


def runs_into_count(card: str) -> bool:
    """Return whether a name, with its tags, behind ``2`` would lose characters to the count."""
    first = _COUNT_FIRST.match(f"1 {card}")
    return first is not None and first.end() > len("1 ")
