"""Names and clubs of stored players that may have been cells of a table, read wrongly.

Before tables were read as tables, a “;” in a cell moved what stood behind it, tags of files became
names, and a surname could be written twice.
"""

from collections.abc import Iterator

from rules.errors import BadInput
from rules.people.person_names import clean_club, clean_name
from rules.people.signs import holds_address, holds_long_number, is_spreadsheet_error
from rules.wording import Sentence


def doubts(name: str, club: str, byes: int = 0) -> Iterator[Sentence]:
    """Yield why a player's name, club or byes may not be as they were meant."""
    if holds_address(name):
        yield Sentence("The name holds an e-mail address.")
    if holds_address(club):
        yield Sentence("The club, which is public, holds an e-mail address.")
    if holds_long_number(name) or holds_long_number(club):
        yield Sentence("The name or the club holds a phone number or the like.")
    if ";" in name or ";" in club:
        yield Sentence("A “;” stands in the name or the club.")
        if byes:
            yield Sentence("The byes may come from a “;” in the club.")
    if is_spreadsheet_error(name) or is_spreadsheet_error(club):
        yield Sentence("The name or the club is what a spreadsheet shows instead of a text.")
    if name.startswith("<") and name.endswith(">"):
        yield Sentence("The name is a tag of a file.")
    if _is_doubled(name.split()):
        yield Sentence("The surname may stand twice in the name.")
    try:
        clean_name(name)
        clean_club(club, addresses=True)
    except BadInput as refused:
        yield refused.sentence


def _is_doubled(words: list[str]) -> bool:
    """Return whether the last words stand once more before themselves or begin the name."""
    return any(
        words[-count:] in (words[-2 * count : -count], words[:count])
        for count in range(1, (len(words) + 1) // 2 + 1)
        if len(words) > count
    )
