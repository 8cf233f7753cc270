"""Lines that open a zone or name a kind.

Source: deck construction, Lists in and out.
"""

import re
from dataclasses import dataclass

from rules.deckbuilding.kinds import folded_kind
from rules.deckbuilding.zones import ZoneWords, zone_of_word

LONGEST = 80  # characters; longer than any section word with its count

COMMENT = "//"
MARKS = "#!*_=~<>[]-–— "
"""Signs around a heading, as in ``# Main``, ``**Main**``, ``[Main]``, ``== Main ==``."""

_COUNT_BEHIND = re.compile(
    r" ?(?:\( ?[0-9]+(?: [^\W\d_]+)? ?\)|\[ ?[0-9]+ ?\]"
    r"|(?:(?<=[ :])|[-–—=;/] ?)[0-9]+(?: (?:carte|carta|cards?))?)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A line that opens a zone, or, with ``zone`` None, names the kind of the cards after it."""

    zone: str | None
    kind: str = ""


def read_heading(line: str, zones: ZoneWords, kind_words: frozenset[str]) -> Heading | None:
    """Return the heading in a normalised line, None if it is not one.

    ``kind_words`` are the folded words of the game's kinds; alone, without a count, a colon or
    marks around it, such a word is no heading.
    """
    if len(line) > LONGEST or "{" in line or line[0].isdigit() or line.startswith(COMMENT):
        return None
    return _heading(line, zones, kind_words, marked=False) or _framed_heading(
        line, zones, kind_words
    )


def _framed_heading(line: str, zones: ZoneWords, kind_words: frozenset[str]) -> Heading | None:
    if line[0] not in MARKS:
        return None
    inside = line.strip(MARKS + ":").replace("**", "").replace("__", "")
    if not inside or inside[0].isdigit():
        return None
    return _heading(inside, zones, kind_words, marked=True)


def _heading(
    line: str, zones: ZoneWords, kind_words: frozenset[str], *, marked: bool
) -> Heading | None:
    word = line.removesuffix(":").rstrip()
    word = _COUNT_BEHIND.sub("", word).rstrip().removesuffix(":").rstrip()
    zone = zone_of_word(word, zones)
    if zone is not None:
        return Heading(zone=zone)
    if (marked or word != line) and folded_kind(word) in kind_words:
        return Heading(zone=None, kind=word)
    return None


def zone_of_comment(line: str, zones: ZoneWords) -> str | None:
    """Return the zone that a comment such as ``// Sideboard`` names, None for other lines.

    It opens nothing, but where nothing else parts a list it shows where a part begins.
    """
    if not line.startswith(COMMENT):
        return None
    inside = line.removeprefix(COMMENT).strip(MARKS + ":/")
    inside = re.sub(r"^[0-9]+ ", "", inside)
    heading = _heading(inside, zones, frozenset(), marked=False) if inside else None
    return heading.zone if heading else None
