"""Rounds that somebody else pairs: a list of players for each table, or pasted lines.

Lines are read by the names of the players, not by columns, as TOM, EventLink and their printed
lists differ: what is neither a player, a bye, a number nor a word of such lists is an unknown name.
A list by name has each pairing twice; a list copied from a page may have each cell on a line.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import NamedTuple

from rules.drafts.check import present_players
from rules.drafts.draft import LAST_TABLE, check_pairings_editable
from rules.errors import BadInput
from rules.names import name_key
from rules.people.person_names import strip_zero_width
from rules.results import BYE, PlayerId
from rules.stages.base import Pairing, StageState, stage_kind
from rules.wording import Sentence

ELSEWHERE = Sentence("Paired elsewhere.")
"""Why two meet in a round that the rules didn't pair."""
MOST_LINES = 3_000
MOST_SIGNS = 200_000
LONGEST_LINE = 500
SUGGEST_FOR = 40
"""Unknown names for which similar ones are looked for, so that many end in time too."""


@dataclass(frozen=True, slots=True)
class ImportedTable:
    """A table of an imported round: the players who meet there; one alone has a bye.

    ``table`` is its number, None if any will do; ``line`` its line in the pasted list, from 1.
    """

    seats: tuple[PlayerId, ...]
    table: int | None = None
    line: int = 0


def pairings_from_tables(state: StageState, given: Sequence[ImportedTable]) -> tuple[Pairing, ...]:
    """Return the pairings of a stage's next round for imported tables (``given``), in order.

    Raises BadInput ``invalid_pairings`` with the ``path`` of a player who is repeated or isn't in
    play, or of a table of a wrong size, and for players left out; RuleError ``pairings_fixed`` if
    the stage determines its pairings.
    """
    kind = stage_kind(state.plan)
    check_pairings_editable(kind)
    sizes, there, seen = kind.sizes_of(state.plan), set(present_players(state)), set[PlayerId]()
    for at, table in enumerate(given):
        if len(table.seats) not in (1, *sizes):
            words = Sentence(
                "A table must have %(sizes)s players.", {"sizes": " / ".join(map(str, sizes))}
            )
            raise _wrong(f"[{at}]", words)
        for place, player in enumerate(table.seats):
            if player in seen or player not in there:
                words = Sentence("%(name)s is not playing.", {"name": player})
                if player in seen:
                    words = Sentence("%(name)s is listed twice.", {"name": player})
                raise _wrong(f"[{at}][{place}]", words)
            seen.add(player)
    if left := tuple(player for player in present_players(state) if player not in seen):
        raise _wrong("", Sentence("Missing players: %(names)s.", {"names": left}))
    made = sum(not pairing.missed for played in state.rounds for pairing, _result in played)
    (group,) = state.plan.groups
    return tuple(
        Pairing(
            group=group.name,
            number=number,
            seats=table.seats,
            best_of=state.plan.best_of[0],
            outcome=BYE if len(table.seats) == 1 else None,
            reason=ELSEWHERE,
            by_hand=True,
        )
        for number, table in enumerate(given, start=made + 1)
    )


def _wrong(where: str, problem: Sentence) -> BadInput:
    path = f"pairings{where}"
    return BadInput("invalid_pairings", "%(path)s: %(problem)s", path=path, problem=problem)


class ListedPlayer(NamedTuple):
    """A player with the names and membership numbers by which a list may refer to them.

    ``plays``: the player has not left the event.
    """

    player: PlayerId
    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    plays: bool = True


class PairingFault(NamedTuple):
    """A problem with a line (from 1) of a pasted list, or with the whole list (line 0).

    ``name`` is an unknown name as written, ``near`` are similar ones, the nearest first.
    """

    line: int
    sentence: Sentence
    name: str = ""
    near: tuple[str, ...] = ()


class PastedRound(NamedTuple):
    """The tables read from a pasted list, byes last, and its faults by line."""

    tables: tuple[ImportedTable, ...]
    faults: tuple[PairingFault, ...]


def read_pairings(
    text: str, players: Sequence[ListedPlayer], *, sizes: Sequence[int] = (2,)
) -> PastedRound:
    """Return the tables and faults of a pasted list of pairings.

    ``players`` are all players of the event; ``sizes`` the allowed numbers of players at a table.
    Raises BadInput ``list_too_long``; ``no_pairings`` if the list names no player.
    """
    lines = text.splitlines()
    if len(text) > MOST_SIGNS or len(lines) > MOST_LINES:
        raise BadInput(
            "list_too_long",
            "Paste one round: at most %(most)s lines.",
            most=MOST_LINES,
        )
    known = _Names(players)
    read = [_read_line(at, line, known) for at, line in enumerate(lines, start=1)]
    if not any(line.players or line.unclear for line in read):
        raise BadInput("no_pairings", "The list contains no players of this event.")
    assembled = _Assembly(known, sizes)
    for line in read:
        assembled.add(line)
    return assembled.finish(read)


# --- Words of a line -----------------------------------------------------------------------------
_WORD = re.compile(r"\w+")
_APART = re.compile(r"\t| {2}|[|;:/–—]| - ")
# fmt: off
_BYES = frozenset({"bye", "byes", "riposo", "riposa", "freilos", "exempt"})
_TABLE_WORDS = frozenset({"table", "tavolo", "tisch", "mesa", "tab", "tbl", "t"})
_USUAL = _TABLE_WORDS | frozenset({
    "vs", "v", "versus", "contro", "gegen", "contra", "player", "players", "giocatore", "giocatori",
    "opponent", "avversario", "name", "nome", "id", "popid", "points", "point", "pts", "punti",
    "pt", "p", "record", "round", "turno", "result", "risultato", "seat", "posto", "match",
    "division", "age", "masters", "master", "seniors", "senior", "juniors", "junior", "jr", "sr",
    "ma", "and", "pairing", "pairings", "won", "lost", "drawn", "w", "l", "d", "rank", "dropped",
    "no", "n",
})
# fmt: on
"""Words of lists of pairings that are no names."""


def _words_of(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text as they compare, each with where it begins and ends."""
    found = ((name_key(each.group()), *each.span()) for each in _WORD.finditer(text))
    return [each for each in found if each[0]]


def _keys_of(name: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFC", strip_zero_width(name)[:LONGEST_LINE])
    return tuple(key for key, _start, _end in _words_of(plain))


class _Names:
    """Who is meant by which words: in any order that keeps neighbours, and by initials."""

    def __init__(self, players: Sequence[ListedPlayer]) -> None:
        self.by_player = {one.player: one for one in players}
        self.exact: dict[tuple[str, ...], set[PlayerId]] = defaultdict(set)
        self.turned: dict[tuple[str, ...], set[PlayerId]] = defaultdict(set)
        self.short: dict[tuple[str, ...], set[PlayerId]] = defaultdict(set)
        self.numbers: dict[str, PlayerId] = {}
        for one in players:
            for number in one.numbers:
                self.numbers[name_key(number)] = one.player
            for words in filter(None, map(_keys_of, _spellings(one.names))):
                self.exact[words].add(one.player)
                for cut in range(1, len(words)):
                    self.turned[words[cut:] + words[:cut]].add(one.player)
                if len(words) > 1:
                    self.short[*words[:-1], words[-1][0]].add(one.player)
                    self.short[*words[1:], words[0][0]].add(one.player)
        self.longest = max((len(words) for words in self.exact), default=0)

    def find(self, words: tuple[str, ...]) -> set[PlayerId]:
        found = self.exact.get(words) or self.turned.get(words)
        if found:
            return found
        short = self.short.get(words, set())
        return short if len(short) == 1 else set()

    def name(self, player: PlayerId) -> str:
        return self.by_player[player].names[0]

    def near(self, name: str, others: Iterable[PlayerId]) -> tuple[str, ...]:
        """Return the names of other players that are like one, in whatever order of words."""
        sorted_names = {" ".join(sorted(_keys_of(self.name(one)))): one for one in others}
        wanted = " ".join(sorted(_keys_of(name)))
        found = get_close_matches(wanted, sorted_names, n=2, cutoff=0.7)
        return tuple(self.name(sorted_names[each]) for each in found)


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """Yield names, and those with an apostrophe also as programs write them that drop it."""
    for name in names:
        yield name
        plain = name_key(name)
        if "'" in plain:
            yield plain.replace("'", "")


class _Line(NamedTuple):
    """A line as read: players in order, numbers before, between and after them, unknown names.

    ``labelled`` is the number behind the word “table”; ``unclear`` are names of several players.
    """

    number: int
    players: tuple[PlayerId, ...] = ()
    bye: bool = False
    labelled: int | None = None
    numbers: tuple[tuple[int, ...], ...] = ((), (), ())
    unknown: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    too_long: bool = False

    @property
    def table(self) -> int | None:
        """Return the number of the table where it stands first, or is said to be one."""
        if self.labelled is not None:
            return self.labelled
        return self.numbers[0][0] if self.numbers[0] else None


def _read_line(at: int, line: str, known: _Names) -> _Line:
    if len(line) > LONGEST_LINE:
        return _Line(number=at, too_long=bool(line.strip()))
    line = unicodedata.normalize("NFC", strip_zero_width(line))
    words = _words_of(line)
    found: list[set[PlayerId]] = []
    spelt: list[str] = []
    sure: set[PlayerId] = set()
    numbers: list[tuple[int, int]] = []
    unknown: list[tuple[int, int]] = []
    bye, labelled, place = False, None, 0
    while place < len(words):
        key, start, end = words[place]
        length = _longest_name(words, place, known)
        if length:
            found.append(known.find(tuple(word for word, _s, _e in words[place : place + length])))
            spelt.append(line[start : words[place + length - 1][2]])
        elif key in known.numbers:
            sure.add(known.numbers[key])
            found.append({known.numbers[key]})
            spelt.append(key)
        elif key in _BYES:
            bye = True
        elif key.isascii() and key.isdecimal():
            if len(key) <= len(str(LAST_TABLE)) and int(key):
                numbers.append((len(found), int(key)))
                if place and words[place - 1][0] in _TABLE_WORDS and labelled is None:
                    labelled = int(key)
        elif key not in _USUAL and not key[0].isdecimal():
            unknown.append((start, end))
        place += length or 1
    seated, unclear = _told_apart(found, spelt, sure, known)
    return _Line(
        number=at,
        players=seated,
        bye=bye,
        labelled=labelled,
        numbers=_by_slot(numbers if found or len(words) == 1 else (), len(found)),
        unknown=tuple(_joined_runs(line, unknown)),
        unclear=unclear,
    )


def _longest_name(words: Sequence[tuple[str, int, int]], place: int, known: _Names) -> int:
    """Return how many words from a place on are a name, 0 if none is one."""
    for length in range(min(known.longest, len(words) - place), 0, -1):
        if known.find(tuple(word for word, _start, _end in words[place : place + length])):
            return length
    return 0


def _told_apart(
    found: Sequence[set[PlayerId]], spelt: Sequence[str], sure: set[PlayerId], known: _Names
) -> tuple[tuple[PlayerId, ...], tuple[str, ...]]:
    """Return the players of a line, each once, and the names that several have."""
    seated: dict[PlayerId, None] = {}
    unclear = []
    for some, name in zip(found, spelt, strict=True):
        fits = some & sure or {one for one in some if known.by_player[one].plays} or some
        if len(fits) == 1:
            seated[next(iter(fits))] = None
        else:
            unclear.append(name)
    return tuple(seated), tuple(unclear)


def _by_slot(numbers: Sequence[tuple[int, int]], names: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers before the first name, between names, and after the last."""
    before = tuple(number for at, number in numbers if at == 0)
    after = tuple(number for at, number in numbers if names and at == names)
    return before, tuple(number for at, number in numbers if 0 < at < names), after


def _joined_runs(line: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the unknown words of a line, those that stand together as one name."""
    run: tuple[int, int] | None = None
    for start, end in spans:
        between = "" if run is None else line[run[1] : start]
        if run is None or _APART.search(between) or _WORD.search(between):
            if run:
                yield line[slice(*run)]
            run = (start, end)
        else:
            run = (run[0], end)
    if run:
        yield line[slice(*run)]


# --- Lines put together --------------------------------------------------------------------------
class _Assembly:
    """The tables of a list, put together line by line."""

    def __init__(self, known: _Names, sizes: Sequence[int]) -> None:
        self.known, self.of_two = known, max(sizes) == 2
        self.tables: dict[frozenset[PlayerId], ImportedTable] = {}
        self.twice: dict[frozenset[PlayerId], tuple[_Line, _Line]] = {}
        self.first: dict[frozenset[PlayerId], _Line] = {}
        self.places: dict[PlayerId, int] = {}
        self.mixed = False  # tables stand with different numbers: they are none
        self.half: ImportedTable | None = None
        self.loose: int | None = None
        self.groups: dict[int, list[tuple[PlayerId, int]]] = defaultdict(list)
        self.faults: list[PairingFault] = []

    def add(self, line: _Line) -> None:
        """Take a line in."""
        if line.too_long:
            self._fault(
                line.number, Sentence("Write at most %(most)s characters.", {"most": LONGEST_LINE})
            )
        elif line.unclear:
            for name in line.unclear:
                words = Sentence(
                    "Several players are called %(name)s. Add the club or membership number.",
                    {"name": name},
                )
                self.faults.append(PairingFault(line.number, words, name))
            self._name(line.players)
        elif not line.players:
            self._without_player(line)
        elif len(line.players) == 1 and not line.bye:
            self._alone(line)
        elif self.of_two and len(line.players) > 2:
            self._fault(line.number, Sentence("A table must have %(sizes)s players.", {"sizes": 2}))
            self._name(line.players)
        else:
            self._close_half()
            table = line.table or (None if self.of_two else self.loose)
            self._seat(ImportedTable(line.players, table, line.number), line)

    def _without_player(self, line: _Line) -> None:
        if line.bye and self.half is not None:
            half, self.half = self.half, None
            self._seat(half)
        elif not line.unknown and line.table is not None:
            self.loose = line.table

    def _alone(self, line: _Line) -> None:
        """Take in a line of one player: the opponent is unknown, or stands in another line."""
        table = line.table or self.loose
        (player,) = line.players
        if line.unknown:
            self._name(line.players)
            return  # told at the end, when it is known who is missing
        if not self.of_two and table is not None:
            self.groups[table].append((player, line.number))
        elif self.half is None:
            self.half = ImportedTable((player,), table, line.number)
        else:
            half, self.half = self.half, None
            self._seat(replace(half, seats=(*half.seats, player)))

    def _close_half(self) -> None:
        if self.half is None:
            return
        half, self.half = self.half, None
        self._name(half.seats)
        words = Sentence(
            "%(name)s has no opponent. Write BYE for a bye.",
            {"name": self.known.name(half.seats[0])},
        )
        self._fault(half.line, words)

    def _seat(self, table: ImportedTable, line: _Line | None = None) -> None:
        key = frozenset(table.seats)
        former = self.tables.get(key)
        if former is not None:  # a list by name has each pairing twice
            if line is not None and key in self.first:
                self.twice[key] = (self.first[key], line)
            if former.table is None:
                self.tables[key] = replace(former, table=table.table)
            self.mixed |= table.table is not None and former.table not in (None, table.table)
            return
        wrong = [one for one in table.seats if one in self.places]
        away = [one for one in table.seats if not self.known.by_player[one].plays]
        for player in wrong:
            words = Sentence(
                "%(name)s is also on line %(line)s.",
                {"name": self.known.name(player), "line": self.places[player]},
            )
            self._fault(table.line, words)
        for player in away:
            words = Sentence("%(name)s is not playing.", {"name": self.known.name(player)})
            self._fault(table.line, words)
        for player in table.seats:
            self.places.setdefault(player, table.line)
        self.tables[key] = table
        if line is not None:
            self.first[key] = line

    def _name(self, players: Iterable[PlayerId]) -> None:
        """Keep that players are named, at a table that could not be read."""
        for player in players:
            self.places.setdefault(player, 0)

    def _fault(self, line: int, sentence: Sentence) -> None:
        self.faults.append(PairingFault(line, sentence))

    def finish(self, read: Sequence[_Line]) -> PastedRound:
        """Return what was read, with unknown names and the players left out."""
        self._close_half()
        for table, players in self.groups.items():
            self._seat(ImportedTable(tuple(one for one, _line in players), table, players[0][1]))
        missing = [
            one.player
            for one in self.known.by_player.values()
            if one.plays and one.player not in self.places
        ]
        self.faults += self._unknown(read, missing)
        if missing:
            names = tuple(map(self.known.name, missing))
            self._fault(0, Sentence("Missing players: %(names)s.", {"names": names}))
        faults = sorted(self.faults, key=lambda fault: (not fault.line, fault.line))
        return PastedRound(tuple(self._in_order()), tuple(faults))

    def _unknown(
        self, read: Sequence[_Line], missing: Sequence[PlayerId]
    ) -> Iterator[PairingFault]:
        """Yield the names that nobody has; of lines without a player only those like a missing one.

        These may be headings.
        """
        asked = 0
        for line in read:
            alone = len(line.players) == 1 and not line.bye
            if not line.unknown or line.unclear or not (alone or (missing and not line.players)):
                continue
            for name in line.unknown:
                asked += 1
                near = self.known.near(name, missing) if asked <= SUGGEST_FOR else ()
                if alone or near:
                    words = Sentence("No player is called %(name)s.", {"name": name})
                    yield PairingFault(line.number, words, name, near)

    def _in_order(self) -> Iterator[ImportedTable]:
        """Yield the tables in the order of their numbers, or as they stand; byes last."""
        seated = [table for table in self.tables.values() if len(table.seats) > 1]
        if any(table.table is None for table in seated) and len(self.twice) == len(seated):
            seated = [replace(one, table=self._said_twice(one)) for one in seated]
        numbers = [table.table or 0 for table in seated]
        if 0 in numbers or len({*numbers}) < len(numbers) or self.mixed:
            seated = [replace(table, table=None) for table in seated]
        yield from sorted(seated, key=lambda table: table.table or 0)
        for table in self.tables.values():
            if len(table.seats) == 1:
                yield replace(table, table=None)

    def _said_twice(self, table: ImportedTable) -> int | None:
        """Return the only number that both lines of a pairing have in the same place."""
        one, other = self.twice[frozenset(table.seats)]
        for slot in (1, 2):
            if len(one.numbers[slot]) == 1 and one.numbers[slot] == other.numbers[slot]:
                return one.numbers[slot][0]
        return None


def correct_name(text: str, line: int, name: str, right: str) -> str:
    """Return a pasted list with a name replaced by ``right`` in one line (from 1).

    Only its first occurrence in the line is replaced.
    """
    lines = text.splitlines()
    if 0 < line <= len(lines):
        plain = unicodedata.normalize("NFC", strip_zero_width(lines[line - 1][:LONGEST_LINE]))
        lines[line - 1] = plain.replace(name, right, 1)
    return "\n".join(lines)
