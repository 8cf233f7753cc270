"""How names are shown: by surname in lists where people look for themselves, twins told apart, as
names of matches; and the check of names that are typed to confirm.

``compute_name_marks`` tells two players of one name apart, for all players of an event at once:
``display_name`` of an entry or its row ends with the mark, ``name`` stays as it is stored.

``em_width`` says how wide a text is, before anything draws it: as wide as in DejaVu Sans, the
widest of the usual fonts, so that what fits there fits everywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from math import ceil
from typing import NamedTuple, Protocol, TypeVar
from unicodedata import category, east_asian_width, normalize

from anyascii import anyascii
from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import translate
from rules.brackets import BracketMatch, BracketPart, SeedSource
from rules.errors import BadInput
from rules.people.surnames import split_name
from rules.plans import StagePlan
from rules.stages.base import bracket_matches
from rules.stages.double_elimination import round_label as part_round
from rules.stages.knockout import final_label, match_label
from rules.stages.knockout import round_label as knockout_round
from rules.wording import gettext_noop
from tournaments.models import Entry, Event

_LETTERS = {
    28: "ijl|'",
    32: ",. :;I·",
    36: "f-/r()!",
    40: 't"’',
    53: "csz?Jvxy–",
    58: "kFL_",
    62: "abdeghnopquS0123456789TEYPZ",
    69: "ABCRVXK&",
    76: "DGHNU",
    82: "OQw",
    92: "Mm",
    99: "W@%—",
}
_AS_PICTURE = "\ufe0f"
"""Behind a sign that is drawn as a picture, as ❤️ is."""
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
_WIDTHS[_AS_PICTURE] = 66
_OTHER, _SQUARE, _PICTURE = 72, 100, 138
"""Of a letter of another alphabet, of a sign such as 王, and of one such as 🎲."""
_WITHOUT = ("Mn", "Me", "Cf")
"""What stands on another letter, or is not seen."""
_BOLD = 1.12
SIGN = 0.56
"""Ems of a sign of a usual text, as people count them."""


@lru_cache(maxsize=8192)
def _hundredths(sign: str) -> int:
    if east_asian_width(sign) in "WF":
        return _PICTURE if category(sign) == "So" else _SQUARE
    return sum(
        _WIDTHS.get(letter, 0 if category(letter) in _WITHOUT else _OTHER)
        for letter in normalize("NFKD", sign)
    )


def em_width(text: str, *, bold: bool = False) -> float:
    """Return the width of a line of text in ems (multiples of the font size)."""
    return sum(map(_hundredths, text)) * (_BOLD if bold else 1) / 100


def width_in_characters(text: str) -> int:
    """Return the width of a text's longest line in average characters, rounded up."""
    return ceil(max(map(em_width, text.splitlines()), default=0) / SIGN)


def shorten_to_width(text: str, signs: int) -> str:
    """Return the beginning of a line, at most ``signs`` average characters wide."""
    fit = sum(width <= 100 * SIGN * signs for width in accumulate(map(_hundredths, text)))
    return text[:fit].rstrip()


LONGEST_CLUB = 30
"""Characters of a club that stands behind a name; a longer one would hide it."""
APART = str.maketrans({"'": "", "`": "", '"': "", "-": " ", ".": " ", ",": " "})


class NamedPlayer(Protocol):
    """Protocol of a player with name, club, surname and number: an Entry or EntryRow."""

    @property
    def name(self) -> str:
        """Return the name as it is stored."""

    @property
    def club(self) -> str:
        """Return the club, "" for none."""

    @property
    def mark(self) -> str:
        """Return the mark shown after a name that several players have; "" if it is unique."""

    @property
    def surname(self) -> str:
        """Return the surname that was given; "" where it is guessed."""

    @property
    def number(self) -> int:
        """Return the player's number."""


class HasDisplayName(NamedPlayer, Protocol):
    """Protocol of a player with ``display_name``, as "Marco Rossi (12)".

    That is the name with its mark.
    """

    @property
    def display_name(self) -> str:
        """Return the name, with its mark if several players of the event have it."""


class ListedName(NamedTuple):
    """A name for lists, surname first, with its sort key.

    ``str()`` gives "Rossi Marco (12)".
    """

    surname: str
    given: str
    key: tuple[str, str]
    mark: str = ""

    @property
    def letters(self) -> str:
        """Return the first letters by which a page of names is found."""
        return self.surname[:3]

    @property
    def rest(self) -> str:
        """Return the given name and the mark, which follow the surname."""
        return name_with_mark(self.given, self.mark).strip()

    def __str__(self) -> str:
        return f"{self.surname} {self.rest}".strip()


def name_with_mark(name: str, mark: str) -> str:
    """Return "Marco Rossi (12)"; the name alone without a mark.

    The mark, a club or number, tells players with the same name apart.
    """
    return f"{name} ({mark})" if mark else name


def shortened_name(entry: HasDisplayName, longest: int) -> str:
    """Return a player's name cut to ``longest`` average characters; its mark stays.

    A mark that takes more than half of that is replaced by the player's number.
    """
    whole = entry.display_name
    if width_in_characters(whole) <= longest:
        return whole
    mark = entry.mark if width_in_characters(entry.mark) <= longest // 2 else str(entry.number)
    left = longest - width_in_characters(name_with_mark("…", mark))
    return name_with_mark(f"{shorten_to_width(entry.name, left)}…", mark)


def erased_player_label(number: int) -> str:
    """Return "Player 5" for an erased player, in the site's default language."""
    with translation.override(settings.LANGUAGE_CODE):
        return _("Player %(number)s") % {"number": number}


def same_name_key(name: str) -> tuple[str, ...]:
    """Return a key that is equal for names that count as the same.

    Case, accents, white space and word order make no difference.
    """
    return tuple(sorted(fold_for_search(name).split()))


def compute_name_marks(players: Iterable[NamedPlayer]) -> dict[int, str]:
    """Return {player number: mark} for players of an event who share a name.

    The mark tells them apart: the club if unique among them, else the player number. A player
    whose name looks like another's with its mark gets the number too.
    """
    players = list(players)
    named = defaultdict(list)
    for player in players:
        named[same_name_key(player.name)].append(player)
    marks = {}
    for same in named.values():
        if len(same) > 1:
            clubs = Counter(fold_for_search(player.club) for player in same)
            for player in same:
                differs = clubs[fold_for_search(player.club)] == 1 and _can_be_mark(player.club)
                marks[player.number] = player.club if differs else str(player.number)
    while marks and (alike := _shown_alike(players, marks)):
        marks |= {number: str(number) for number in alike}
    return marks


def _shown_alike(players: Iterable[NamedPlayer], marks: Mapping[int, str]) -> list[int]:
    """Return the numbers of players whose name with its mark is another's, unless it has theirs."""
    shown = defaultdict(list)
    for player in players:
        number = player.number
        shown[fold_for_search(name_with_mark(player.name, marks.get(number, "")))].append(number)
    return [
        number
        for same in shown.values()
        if len(same) > 1
        for number in same
        if marks.get(number) != str(number)
    ]


def _can_be_mark(club: str) -> bool:
    """Return whether a club can be a mark: one of digits would be read as a number."""
    return len(club) <= LONGEST_CLUB and any(sign.isalpha() for sign in club)


def fold_for_search(text: str) -> str:
    """Return text for searching, without accents and case: D’Amico → damico.

    Apostrophes go too.
    """
    return " ".join(anyascii(text).casefold().translate(APART).split())


def name_matches(name: str, typed: str) -> bool:
    """Return whether each typed word begins a word of a name: "dam" finds D’Amico."""
    words = _called(name)
    return all(
        any(word.startswith(begun) for word in words) for begun in fold_for_search(typed).split()
    )


@lru_cache(maxsize=8192)
def _called(name: str) -> tuple[str, ...]:
    apart = anyascii(name).replace("'", " ")
    return tuple(fold_for_search(f"{name} {apart}").split())


@lru_cache(maxsize=8192)
def _as_listed(name: str, surname: str, mark: str) -> ListedName:
    own, given = split_name(name, surname)
    return ListedName(own, given, (fold_for_search(own), fold_for_search(given)), mark)


def listed_name(entry: NamedPlayer) -> ListedName:
    """Return a player's name for lists, surname first; no query."""
    return _as_listed(entry.name, entry.surname, entry.mark)


def initial_and_surname(entry: HasDisplayName) -> str:
    """Return "E. Colombo", with the player's mark.

    The whole name if there is no given name.
    """
    shown = listed_name(entry)
    if not shown.given:
        return entry.display_name
    return name_with_mark(f"{shown.given[0]}. {shown.surname}", entry.mark)


def surname_with_initial(entry: NamedPlayer) -> str:
    """Return "Colombo E.", with the player's mark.

    No initial if there is no given name.
    """
    shown = listed_name(entry)
    short = f"{shown.surname} {shown.given[0]}." if shown.given else shown.surname
    return name_with_mark(short, shown.mark)


def surname_sort_key(entry: NamedPlayer) -> tuple[tuple[str, str], int]:
    """Return a player's sort key: surname, given name, number."""
    return listed_name(entry).key, entry.number


Entries = TypeVar("Entries", bound=Iterable[Entry])


def load_name_marks(event: Event) -> dict[int, str]:
    """Return {player number: mark} for an event's players who share a name.

    One query.
    """
    return compute_name_marks(event.entries.only("event", "number", "name", "club"))


def load_name_marks_by_event(events: Iterable[int]) -> dict[int, dict[int, str]]:
    """Return {event primary key: {player number: mark}}; one query."""
    players: dict[int, list[Entry]] = {event: [] for event in events}
    found = Entry.objects.filter(event__in=players).order_by()
    for entry in found.only("event", "number", "name", "club"):
        players[entry.event_id].append(entry)
    return {event: compute_name_marks(entries) for event, entries in players.items()}


def attach_name_marks(entries: Entries, marks: Mapping[int, str]) -> Entries:
    """Set ``mark`` on entries of one event and return them.

    ``marks``: by player number, from `compute_name_marks`; others get "".
    """
    for entry in entries:
        entry.mark = marks.get(entry.number, "")
    return entries


CONFIRM = gettext_noop("Type “%(name)s” to confirm")


def check_confirmation_name(typed: str, *names: str) -> None:
    """Raise BadInput ``not_confirmed`` unless ``typed`` is one of the names.

    Case makes no difference.
    """
    if _folded(typed) not in {_folded(name) for name in names}:
        raise BadInput("not_confirmed", CONFIRM, name=names[0])


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


IN_ROUND: Mapping[int, Promise] = {
    1: gettext_lazy("Semi-final %(number)s"),
    2: gettext_lazy("Quarter-final %(number)s"),
    3: gettext_lazy("Round of 16, match %(number)s"),
    4: gettext_lazy("Round of 32, match %(number)s"),
    5: gettext_lazy("Round of 64, match %(number)s"),
}
"""By the distance of the round from the final."""
SHORT: Mapping[int, Promise] = {
    3: gettext_lazy("R16, match %(number)s"),
    4: gettext_lazy("R32, match %(number)s"),
    5: gettext_lazy("R64, match %(number)s"),
}
LAST_OF_PART: Mapping[int, Promise] = {0: gettext_lazy("Final"), 1: gettext_lazy("Semi-final")}
"""The last matches of a bracket of a double elimination, by how many rounds follow there."""
Numbers = Mapping[int, tuple[int, int]]


def positions_in_rounds(plan: StagePlan) -> Numbers:
    """Return {match number: (position in its round from 1, matches in the round)}.

    Byes and the match for third place don't count. Each bracket of a double elimination has
    rounds of its own.
    """
    rounds: dict[tuple[int, BracketPart | None], list[int]] = {}
    for match in bracket_matches(plan):
        seats = (side for side in match.sources if isinstance(side, SeedSource))
        if not match.third_place and all(seat.number <= plan.size for seat in seats):
            rounds.setdefault((match.round, match.part), []).append(match.number)
    return {
        number: (position, len(level))
        for level in rounds.values()
        for position, number in enumerate(level, start=1)
    }


def match_name(plan: StagePlan, match: BracketMatch, numbers: Numbers | None = None) -> str:
    """Return a bracket match's name: "Semi-final 2", "Lower bracket, round 1".

    ``numbers``: from `positions_in_rounds`, computed if None. A bye has the name of its round.
    """
    if match.third_place or match.part in (BracketPart.FINAL, BracketPart.AGAIN):
        return translate(match_label(plan, match))
    if match.part is None and plan.survivors == 1 and match.distance == 0:
        return translate(final_label(plan))
    number, of = (numbers or positions_in_rounds(plan)).get(match.number, (0, 0))
    level = _round(plan, match)
    if not number or (of == 1 and match.part is not None):
        return level
    values = {"number": number, "round": level}
    if match.part is None and plan.survivors > 1 and bracket_matches(plan)[-1].round == 1:
        return _("Preliminary %(number)s") % values
    named = match.part is None and plan.survivors == 1 and IN_ROUND.get(match.distance)
    return str(named or _("%(round)s, match %(number)s")) % values


def column_match_name(plan: StagePlan, match: BracketMatch, numbers: Numbers) -> str:
    """Return a match's short name for a column headed by its round: "Match 3".

    ``numbers``: from `positions_in_rounds`.
    """
    number, of = numbers.get(match.number, (0, 0))
    if match.part is BracketPart.AGAIN:
        return _("Second match")
    if (
        of == 1
        and match.part in (BracketPart.UPPER, BracketPart.LOWER)
        and match.to_go in LAST_OF_PART
    ):
        return str(LAST_OF_PART[match.to_go])
    numbered = match.part is not None or (
        plan.survivors > 1 and bracket_matches(plan)[-1].round > 1
    )
    if numbered and of > 1:
        return _("Match %(number)s") % {"number": number}
    return match_name(plan, match, numbers)


def short_match_name(plan: StagePlan, match: BracketMatch, numbers: Numbers) -> str:
    """Return a knock-out match's name, early rounds abbreviated: "R16, match 3".

    ``numbers``: from `positions_in_rounds`.
    """
    values = {"number": numbers.get(match.number, (0, 0))[0]}
    if values["number"] and match.distance in SHORT:
        return str(SHORT[match.distance]) % values
    return match_name(plan, match, numbers)


def _round(plan: StagePlan, match: BracketMatch) -> str:
    if match.part is not None:
        return translate(part_round(plan, match))
    if plan.survivors > 1:
        return _("Preliminary, round %(round)s") % {"round": match.round}
    return translate(knockout_round(match.distance))


def match_name_by_number(plan: StagePlan, number: int) -> str:
    """Return the name of a bracket's match by its number in the stage."""
    return match_name(plan, next(each for each in bracket_matches(plan) if each.number == number))


def seat_with_bye(plan: StagePlan, number: int) -> str:
    """Return the code of the place that has a bye in a bracket's match, else "".

    ``number``: the match's in the stage.
    """
    match = next(each for each in bracket_matches(plan) if each.number == number)
    seats = [side.number for side in match.sources if isinstance(side, SeedSource)]
    own = [seat for seat in seats if seat <= plan.size]
    if plan.apart or len(own) != 1 or len(seats) != len(match.sources):
        return ""
    return plan.groups[0].seats[own[0] - 1]
