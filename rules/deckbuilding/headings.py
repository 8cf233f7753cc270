"""Lines of a list that are no card: sections, and headings over the cards of one kind."""

import re
from dataclasses import dataclass

from rules.deckbuilding.kinds import folded_kind
from rules.deckbuilding.zones import zone_of_word

LONGEST = 80  # characters; no section word with its count comes near

_COUNT_BEHIND = re.compile(
    r" ?(?:\( ?[0-9]+(?: [^\W\d_]+)? ?\)|(?<=[ :])[0-9]+(?: (?:carte|carta|cards?))?)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A line that opens a zone, or, with ``zone`` None, only says what follows."""

    zone: str | None


def read_heading(
    line: str, zone_keys: tuple[str, ...], kind_words: frozenset[str]
) -> Heading | None:
    """Return what a tidied line opens; None when it is no heading.

    ``kind_words`` are the folded words of the game's kinds.
    """
    if len(line) > LONGEST or "{" in line or line[0].isdigit():
        return None
    word = line.removesuffix(":").rstrip()
    word = _COUNT_BEHIND.sub("", word).rstrip().removesuffix(":").rstrip()
    zone = zone_of_word(word, zone_keys)
    if zone is not None:
        return Heading(zone=zone)
    marked = word != line
    return Heading(zone=None) if marked and folded_kind(word) in kind_words else None
