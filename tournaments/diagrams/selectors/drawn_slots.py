"""The matches of a bracket's picture: who plays, or in words who may come there."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.brackets import BracketMatch, BracketPart, MatchSource, SeedSource
from rules.results import PlayerId, Result
from rules.stages.base import Pairing
from rules.stages.knockout import match_winner, matches_by_number, remaining_players
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.names import (
    Numbers,
    column_match_name,
    fold_for_search,
    initial_and_surname,
    listed_name,
    positions_in_rounds,
    short_match_name,
)
from tournaments.core.names import match_name as name_in_bracket
from tournaments.core.rows import EntryRow, MatchAddress, MatchRow
from tournaments.diagrams.selectors.brackets import (
    QUARTERS,
    DiagramBox,
    DiagramColumn,
    origin_label,
)
from tournaments.models import Match, Stage


def short_player_names(entries: Iterable[EntryRow]) -> dict[PlayerId, str]:
    """Return {player number: surname}; with initial, or the whole name, if others share it."""
    entries = tuple(entries)
    named = [
        (listed_name(each).surname, initial_and_surname(each), each.display_name)
        for each in entries
    ]
    counted = Counter(fold_for_search(name) for names in named for name in {*names})
    return {
        one.number: next((name for name in names if counted[fold_for_search(name)] == 1), names[-1])
        for one, names in zip(entries, named, strict=True)
    }


LONG = 8
"""Slots of a round from which nothing is written above the matches of the first."""
DONE, PLAYING, WAITING, NEXT = "done", "on", "waits", "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSide:
    """A side of a match in a bracket drawing: a player, or who may come there.

    ``words``: who may come, as text; ``short``: the same if that is too long. ``seed`` and
    ``score`` are "" if there are none.
    """

    entry: EntryRow | None
    words: str
    short: str
    seed: str
    score: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSlot:
    """A place for a match in a bracket drawing; without ``state`` it has no match.

    ``state``: DONE, PLAYING, WAITING (for confirmation) or NEXT, "" for a bye; ``words``: its
    label. ``heading``: text above the match; ``rows``: its two sides; ``goes``: name of the
    winner's next match; ``fed``: an earlier match leads here; ``passes``: a player advances here
    without a match; ``at``: address of the match's page, None before the match exists.
    """

    number: int = 0
    heading: str = ""
    name: str = ""
    state: str = ""
    words: str = ""
    rows: tuple[SlotSide, ...] = ()
    goes: str = ""
    fed: bool = False
    passes: bool = False
    at: MatchAddress | None = None

    @property
    def is_open(self) -> bool:
        """Return whether it is being played or waits for a confirmation."""
        return self.state in (PLAYING, WAITING)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """A round in a bracket drawing.

    ``done``: finished matches of ``total``; ``now``: it is the present round. ``straight``: each
    slot follows a single slot of the round before (lower bracket).
    """

    heading: str
    slots: tuple[MatchSlot, ...]
    done: int
    total: int
    now: bool
    straight: bool = False

    @property
    def over(self) -> bool:
        """Return whether all its matches are finished."""
        return self.total > 0 and self.done == self.total

    @property
    def being_played(self) -> bool:
        return any(slot.is_open for slot in self.slots)


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketHalf:
    """The upper or the lower bracket in a drawing; title "" if there is only one.

    ``note``: such as "one loss".
    """

    title: str
    note: str
    rounds: tuple[DrawnRound, ...]

    @property
    def has_cup(self) -> bool:
        """Return whether a cup is drawn above its last match, if there is room for it."""
        return not self.title and len(self.rounds) > 2 and len(self.rounds[-1].slots) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPair:
    """Two matches of a drawn round whose winners meet, or its only match.

    ``then``: text on the match where they meet, once it is known.
    """

    slots: tuple[MatchSlot, ...]
    then: str = ""

    @property
    def is_empty(self) -> bool:
        """Return whether neither slot has a match."""
        return not any(slot.state for slot in self.slots)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedPart:
    """A quarter or an eighth of a large bracket, which phones can fold away.

    ``left``: text, players who may still win it; ``playing`` and ``waiting``: numbers of matches;
    ``rounds``: dicts of a round and its pairs; ``numbers``: of its matches; ``slots``: of its first
    round; ``opens``: unfolded at first; ``padded``: it has fewer rounds than others, as its first
    one has only byes.
    """

    id: str
    title: str
    left: str
    playing: int
    waiting: int
    rounds: tuple[dict[str, Any], ...]
    numbers: frozenset[int]
    slots: int
    opens: bool = False
    padded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MiddleMatches:
    """The matches between the two sides of a drawing.

    ``sides``: the semi-finals; ``centre``: the final; ``third``: the match for third place.
    ``heads``: the rounds of the semi-finals. ``is_last``: the bracket ends here, else ``centre``
    leads on; ``numbers``: of all these matches.
    """

    id: str
    title: str
    sides: tuple[MatchSlot, ...]
    centre: MatchSlot | None
    third: MatchSlot | None
    heads: tuple[DrawnRound, DrawnRound]
    centre_heading: str
    is_last: bool
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPart:
    """A two-sided drawing of at most 64 seats: folded parts left and right.

    ``left_heads`` and ``right_heads``: rounds above the columns of each side; ``middle``: the last
    matches, between the sides.
    """

    left: tuple[FoldedPart, ...]
    right: tuple[FoldedPart, ...]
    left_heads: tuple[DrawnRound, ...]
    right_heads: tuple[DrawnRound, ...]
    middle: MiddleMatches | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketTree:
    """The two-sided drawing of a knock-out with more than 16 seats.

    ``parts``: of at most 64 seats each; ``last``: the rounds after those of the parts; ``third``:
    the match for third place, if it is after the parts.
    """

    parts: tuple[DrawnPart, ...]
    last: tuple[DrawnRound, ...]
    third: MatchSlot | None

    @property
    def middle(self) -> int:
        """Return the number of parts above the last rounds."""
        return len(self.parts) // 2

    @property
    def third_place(self) -> MatchSlot | None:
        """Return the match for third place, which stands with the final."""
        middle = self.parts[0].middle
        return self.third or (middle.third if middle else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketDrawing:
    """The drawing of a stage's bracket, as ``halves`` or as a ``tree``.

    ``last``: matches of the grand final; ``third``: the match for third place; ``columns``: the
    same content for a list; ``players``: by name.
    """

    id: str
    label: str
    halves: tuple[BracketHalf, ...]
    tree: BracketTree | None
    last: tuple[MatchSlot, ...]
    third: MatchSlot | None
    columns: tuple[DiagramColumn, ...]
    players: tuple[EntryRow, ...]
    winner: EntryRow | None

    @property
    def is_long(self) -> bool:
        """Return whether so many matches stand one below the other that no table is written."""
        rounds = (each for half in self.halves for each in half.rounds)
        return max((len(each.slots) for each in rounds), default=0) >= LONG


SHORT = 4
"""Letters of a place that stands before a name."""


@dataclass(frozen=True, kw_only=True)
class BracketSource:
    """The data for drawing the bracket of a stage.

    ``shape``: all matches of the bracket; ``rows``: stored ones by number; ``boxes``, ``feeds``
    (number of the winner's next match) and ``headings`` by match number.
    """

    facts: EventFacts
    stage: StageFacts
    begun: bool
    shape: tuple[BracketMatch, ...]
    columns: tuple[DiagramColumn, ...]
    boxes: Mapping[int, DiagramBox]
    rows: Mapping[int, MatchRow]
    feeds: Mapping[int, int]
    headings: Mapping[int, str]

    @cached_property
    def by_number(self) -> dict[int, BracketMatch]:
        """Return the matches by number."""
        return {match.number: match for match in self.shape}

    @cached_property
    def in_round(self) -> Numbers:
        """Return, by number, the position of each match in its round, and of how many."""
        return positions_in_rounds(self.stage.plan)

    @cached_property
    def ordinals(self) -> dict[int, int]:
        """Return the ordinals of the stage's rounds by key."""
        return {item.pk: item.ordinal for item in self.stage.rounds}

    @cached_property
    def played(self) -> dict[int, tuple[Pairing, Result]]:
        """Return the matches made so far, by number."""
        return matches_by_number(self.stage.state)

    @cached_property
    def seeds(self) -> dict[PlayerId, str]:
        """Return the place from which each player came, if it is short: "1" for S1, "A2"."""
        group = self.stage.plan.groups[0]
        holders = self.stage.state.seats.get(group.name, ())
        short = (
            (player, place.removeprefix("S").removeprefix("seed "))
            for player, place in zip(holders, group.seats, strict=False)
            if player is not None
        )
        return {player: digits for player, digits in short if len(digits) <= SHORT}

    @cached_property
    def surnames(self) -> dict[PlayerId, str]:
        """Return the surname of each player, with the initial or the name if others share it."""
        return short_player_names(self.facts.entries.values())


def match_slot(source: BracketSource, match: BracketMatch) -> MatchSlot:
    """Return a bracket match as a slot of the drawing, an empty slot for a bye; no query."""
    box, made = source.boxes[match.number], source.rows.get(match.number)
    if _is_bye(source, match):
        return MatchSlot()
    fed = any(
        isinstance(origin, MatchSource) and not _is_bye(source, source.by_number[origin.match])
        for origin in match.sources
    )
    state, words = _state(made)
    goes = source.by_number.get(source.feeds.get(match.number, 0))
    return MatchSlot(
        number=match.number,
        heading=_("Table %(table)s") % {"table": made.table}
        if made is not None and made.table
        else column_match_name(source.stage.plan, match, source.in_round),
        state=state,
        words=words,
        rows=tuple(_row(source, match, box, side) for side in (0, 1)),
        goes=match_name(source, goes) if goes else "",
        fed=fed,
        name=match_name(source, match),
        at=(source.ordinals[made.round_id], match.number) if made is not None else None,
    )


def match_name(source: BracketSource, match: BracketMatch) -> str:
    """Return the name of a bracket match: "Semi-final 2"."""
    return name_in_bracket(source.stage.plan, match, source.in_round)


def _is_bye(source: BracketSource, match: BracketMatch) -> bool:
    """Return whether only one player, or a seat beyond the number of players, is in a match."""
    made, size = source.rows.get(match.number), source.stage.plan.size
    if made is not None and made.size == 1:
        return True
    return any(isinstance(side, SeedSource) and side.number > size for side in match.sources)


def _state(made: MatchRow | None) -> tuple[str, str]:
    if made is None:
        return NEXT, _("To come")
    if made.state == Match.State.FINAL:
        return DONE, pgettext("of a match", "finished")
    if made.state == Match.State.REPORTED:
        return WAITING, _("to confirm")
    if made.state == Match.State.DISPUTED:
        return WAITING, _("a judge decides")
    return PLAYING, _("Playing")


def _row(source: BracketSource, match: BracketMatch, box: DiagramBox, side: int) -> SlotSide:
    line = box.lines[side] if side < len(box.lines) else None
    entry = line.entry if line and isinstance(line.entry, EntryRow) else None
    place = line.place if line else ""
    if line and match.part in (BracketPart.UPPER, BracketPart.LOWER):
        place = line.short or place
    words = "" if entry else possible_players_text(source, match, side, place)
    return SlotSide(
        entry=entry,
        words=words,
        short=_short_words(source, match, side) if words else "",
        seed=source.seeds.get(entry.number, "") if entry else "",
        score=line.mark if line else "",
        won=bool(line and line.strong),
    )


def possible_players_text(
    source: BracketSource, match: BracketMatch, side: int, words: str = ""
) -> str:
    """Return a text on who may play on a side (0 or 1) of a bracket match.

    "Rossi or Bianchi", "Winner: Semi-final 2", or else ``words``, also for a seat.
    """
    origin = match.sources[side]
    if not isinstance(origin, MatchSource):
        return words
    before = source.rows.get(origin.match)
    if before is None:
        return _from_match(source, origin, words)
    if before.size == 1 or before.state == Match.State.FINAL:
        return words
    one, other = (source.surnames[source.facts.entries_by_pk[key].number] for key in before.seats)
    return _("%(one)s or %(other)s") % {"one": one, "other": other}


def _from_match(source: BracketSource, origin: MatchSource, words: str) -> str:
    """Return who may come from an earlier match: its two players, or its name."""
    match = source.by_number[origin.match]
    names = _names_in(source, origin.match)
    if len(names) == len(match.sources):
        return _("%(one)s or %(other)s") % {"one": names[0], "other": names[1]}
    if match.part is not None or source.stage.plan.survivors > 1:
        return words
    return origin_label(source.stage.plan, match, source.in_round, winner=origin.winner)


def _names_in(source: BracketSource, number: int) -> list[str]:
    """Return the players of a match whose sides are known before it is made."""
    box = source.boxes.get(number)
    entries = (line.entry for line in (box.lines if box else ()))
    return [source.surnames[entry.number] for entry in entries if isinstance(entry, EntryRow)]


def _short_words(source: BracketSource, match: BracketMatch, side: int) -> str:
    """Return a short name of the match that a side comes from; "" if nothing shorter is needed."""
    origin = match.sources[side]
    if not isinstance(origin, MatchSource) or source.rows.get(origin.match) is not None:
        return ""
    before = source.by_number[origin.match]
    if len(_names_in(source, origin.match)) == len(before.sources):
        return ""
    if before.part is not None or source.stage.plan.survivors > 1 or before.distance < QUARTERS:
        return ""
    return short_match_name(source.stage.plan, before, source.in_round)


LIT, MAYBE = "lit", "maybe"
Path = tuple[str, str]
"""The classes of a match and of the line from it to the next: LIT, MAYBE or ""."""
Begins = Mapping[tuple[int, int], datetime]
"""When rounds are planned to begin, by number of the stage and of its round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """A round on a player's path: opponent, and score, table or planned start.

    ``words``: text instead of an unknown opponent; ``table``: 0 for none; ``state``: won, lost,
    rests (bye), now or maybe.
    """

    round: str
    against: EntryRow | None
    words: str
    score: str
    table: int
    begins: datetime | None
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPath:
    """A player's path through one bracket.

    ``words``: how far the player has come; ``still_in``: not eliminated; ``road``: rounds of the
    path; ``paths``: CSS classes by match number.
    """

    entry: EntryRow
    words: str
    still_in: bool
    road: tuple[PathStep, ...]
    paths: Mapping[int, Path]


def player_path(source: BracketSource, number: PlayerId, begins: Begins) -> PlayerPath | None:
    """Return a player's path through a bracket, None if the player is not in it; no query.

    ``begins``: {(stage number, round number): planned start}.
    """
    entry = source.facts.entries.get(number)
    state = source.stage.state
    if entry is None or not source.begun or number not in state.players:
        return None
    paths = player_path_classes(source, number)
    over = source.stage.stage.state == Stage.State.CLOSED
    alive = not over and number in remaining_players(state)
    road = tuple(_step_at(source, number, at, paths, begins) for at in paths)
    return PlayerPath(
        entry=entry,
        words=_reached_in_words(source, paths, alive=alive),
        still_in=alive,
        road=road,
        paths=paths,
    )


def player_path_classes(source: BracketSource, number: PlayerId) -> dict[int, Path]:
    """Return the CSS classes that mark a player's path, by match number.

    Each is (class of the match, class of the line to the next one): LIT, MAYBE or "".
    """
    found: dict[int, Path] = {}
    for match in source.shape:
        path = _path_at(source, match, number, found)
        if path[0]:
            found[match.number] = path
    return found


def _path_at(
    source: BracketSource, match: BracketMatch, number: PlayerId, before: Mapping[int, Path]
) -> Path:
    if match.number in source.played:
        pairing, result = source.played[match.number]
        if number not in pairing.seats:
            return "", ""
        if result.winner is None:
            return LIT, MAYBE
        return LIT, LIT if match_winner(result) == number else ""
    box = source.boxes.get(match.number)
    if box is None:
        return "", ""
    if any(line.entry and line.entry.number == number for line in box.lines):
        return LIT, MAYBE
    leads = (each.match for each in match.sources if isinstance(each, MatchSource) and each.winner)
    return (MAYBE, MAYBE) if any(before.get(at, ("", ""))[1] == MAYBE for at in leads) else ("", "")


def _step_at(
    source: BracketSource, number: PlayerId, at: int, paths: Mapping[int, Path], begins: Begins
) -> PathStep:
    match, box, made = source.by_number[at], source.boxes[at], source.rows.get(at)
    lines = {line.entry.number: line for line in box.lines if line.entry}
    other = next((each for each in lines if each != number), None)
    state, score = "maybe", ""
    if match.number in source.played:
        pairing, result = source.played[match.number]
        if len(pairing.seats) == 1:
            state = "rests"
        elif result.counts and result.winner is not None:
            state = "won" if match_winner(result) == number else "lost"
            marks = (lines[each].mark if each in lines else "" for each in (number, other))
            score = "–".join(filter(None, marks))
        else:
            state = "now"
    elif number in lines:
        state = "now"
    against = source.facts.entries.get(other) if other is not None else None
    words = pgettext("of a match", "bye") if state == "rests" else ""
    if against is None and not words:
        side = _other_side(match, box, number, paths)
        words = possible_players_text(source, match, side, box.lines[side].place)
    return PathStep(
        round=source.headings[match.number],
        against=against,
        words=words,
        score=score,
        table=(made.table or 0) if made is not None else 0,
        begins=begins.get((source.stage.stage.number, match.round)),
        state=state,
    )


def _other_side(
    match: BracketMatch, box: DiagramBox, number: PlayerId, paths: Mapping[int, Path]
) -> int:
    """Return the side of a match that the player's opponent comes from."""
    for at, origin in enumerate(match.sources):
        entry = box.lines[at].entry
        own = entry is not None and entry.number == number
        leads = isinstance(origin, MatchSource) and origin.winner and paths.get(origin.match)
        if not own and not (entry is None and leads and leads[1]):
            return at
    return 1


def _reached_in_words(source: BracketSource, paths: Mapping[int, Path], *, alive: bool) -> str:
    """Return how far a player has come, in words."""
    played = [source.by_number[at] for at, path in paths.items() if path[0] == LIT]
    if not played:
        return ""
    last = played[-1]
    whole = source.stage.plan.survivors == 1
    if whole and last.number == source.shape[-1].number and paths[last.number] == (LIT, LIT):
        return _("wins the bracket")
    if not alive:
        return _("out")
    if last.part is not None or not whole:
        return _("still in")
    if last.third_place:
        return _("Third place")
    named = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return named.get(last.distance) or _("still in")
