"""The matches of a bracket's picture, and the path of the player who is followed."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.brackets.single import BracketMatch, FromMatch, Seat
from rules.results import PlayerId
from rules.stages.bracket_progress import still_in
from rules.stages.knockout import played_matches, winner_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import EntryRow, MatchRow
from tournaments.diagrams.selectors.drawn_nodes import (
    DONE,
    NEXT,
    PLAYING,
    WAITING,
    FollowedPlayer,
    Row,
    Slot,
)
from tournaments.diagrams.selectors.nodes import Box
from tournaments.matches.words import names_at
from tournaments.models import Match, Stage

SHORT = 4
"""Letters of a place that stands before a name."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """The data of the picture of one stage."""

    facts: EventFacts
    stage: StageFacts
    follow: PlayerId
    shape: tuple[BracketMatch, ...]
    boxes: Mapping[int, Box]
    rows: Mapping[int, MatchRow]
    feeds: Mapping[int, int]


def slot_of(source: Source, match: BracketMatch) -> Slot:
    """Return the slot of a match, empty for a bye; no query."""
    box, made = source.boxes[match.number], source.rows.get(match.number)
    fed = any(isinstance(origin, FromMatch) for origin in match.sources)
    if (made is not None and made.size == 1) or _is_beyond_players(source, match):
        return Slot()
    rows = tuple(_row(source, match, box, side) for side in (0, 1))
    state, words = _state(made)
    path, onwards = _path_classes(source, match)
    return Slot(
        number=match.number,
        heading=_("Table %(table)s") % {"table": made.table}
        if made is not None and made.table
        else box.heading,
        state=state,
        words=words,
        rows=rows,
        goes=source.feeds.get(match.number, 0),
        path=path,
        onwards=onwards,
        fed=fed,
    )


def _is_beyond_players(source: Source, match: BracketMatch) -> bool:
    """Return whether a seat that feeds the match is beyond the stage's number of players."""
    size = source.stage.plan.size
    return any(isinstance(side, Seat) and side.number > size for side in match.sources)


def _state(made: MatchRow | None) -> tuple[str, str]:
    if made is None:
        return NEXT, _("to come")
    if made.state == Match.State.FINAL:
        return DONE, _("finished")
    if made.state == Match.State.REPORTED:
        return WAITING, _("to confirm")
    if made.state == Match.State.DISPUTED:
        return WAITING, _("a judge decides")
    return PLAYING, _("playing")


def _row(source: Source, match: BracketMatch, box: Box, side: int) -> Row:
    line = box.lines[side] if side < len(box.lines) else None
    entry = line.entry if line and isinstance(line.entry, EntryRow) else None
    return Row(
        entry=entry,
        words="" if entry else _possible_players(source, match, side, line.place if line else ""),
        seed=_seed(source, entry),
        score=line.mark if line else "",
        won=bool(line and line.strong),
        followed=entry is not None and entry.number == source.follow,
    )


def _possible_players(source: Source, match: BracketMatch, side: int, words: str) -> str:
    """Return the two players who may take a side if both are known, else ``words``."""
    origin = match.sources[side]
    before = source.rows.get(origin.match) if isinstance(origin, FromMatch) else None
    if before is None or before.size == 1 or before.state == Match.State.FINAL:
        return words
    names = {entry.pk: entry.display_name for entry in source.facts.entries.values()}
    one, other = names_at(before, names)
    return _("%(one)s or %(other)s") % {"one": one, "other": other}


def _seed(source: Source, entry: EntryRow | None) -> str:
    """Return the place from which a player came, if it is short: "1" for S1, "A2"."""
    if entry is None:
        return ""
    group = source.stage.plan.groups[0]
    seats = source.stage.state.seats.get(group.name, ())
    if entry.number not in seats:
        return ""
    place = group.seats[seats.index(entry.number)]
    digits = place.removeprefix("S").removeprefix("seed ")
    return digits if len(digits) <= SHORT else ""


def _path_classes(source: Source, match: BracketMatch) -> tuple[str, str]:
    """Return the path classes, of a match and of the line from it, for the followed player."""
    if not source.follow or not source.stage.state.rounds:
        return "", ""
    played = played_matches(source.stage.state)
    if match.number in played:
        pairing, result = played[match.number]
        if source.follow not in pairing.seats:
            return "", ""
        if result.winner is None:
            return "lit", "maybe"
        return "lit", "lit" if winner_of(result) == source.follow else ""
    box = source.boxes[match.number]
    if any(line.entry and line.entry.number == source.follow for line in box.lines):
        return "lit", "maybe"
    before = [each.match for each in match.sources if isinstance(each, FromMatch) and each.winner]
    by_number = {each.number: each for each in source.shape}
    leads = any(_path_classes(source, by_number[number])[1] == "maybe" for number in before)
    return ("maybe", "maybe") if leads else ("", "")


def followed_player(source: Source) -> FollowedPlayer | None:
    """Return the player whose path is lit, None if they are not in the stage; no query."""
    entry = source.facts.entries.get(source.follow)
    if entry is None or source.follow not in source.stage.state.players:
        return None
    played = []
    for number, (pairing, result) in played_matches(source.stage.state).items():
        if source.follow not in pairing.seats or len(pairing.seats) == 1 or not result.counts:
            continue
        (other,) = set(pairing.seats) - {source.follow}
        marks: dict[PlayerId, str] = {
            line.entry.number: line.mark for line in source.boxes[number].lines if line.entry
        }
        score = f"{marks.get(source.follow, '')}–{marks.get(other, '')}".strip("–")
        played.append(f"{score} {source.facts.entries[other].display_name}".strip())
    state = source.stage.state
    over = source.stage.stage.state == Stage.State.CLOSED
    return FollowedPlayer(
        entry=entry,
        still_in=not over and bool(state.rounds) and source.follow in still_in(state),
        played=tuple(played),
    )
