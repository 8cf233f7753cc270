"""The player who is followed in a bracket: the path that is lit, and the road round by round."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from rules.brackets import BracketMatch, FromMatch
from rules.results import PlayerId
from rules.stages.knockout import still_in, winner_of
from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.brackets import Box
from tournaments.diagrams.selectors.drawn_slots import Source, who_may_come
from tournaments.models import Stage

LIT, MAYBE = "lit", "maybe"
Path = tuple[str, str]
"""The classes of a match and of the line from it to the next: LIT, MAYBE or ""."""
Begins = Mapping[tuple[int, int], datetime]
"""When rounds are planned to begin, by number of the stage and of its round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A round of a followed player's way: the opponent, and the score, the table or the time.

    ``state`` is "won", "lost", "rests", "now" or "maybe".
    """

    round: str
    against: EntryRow | None
    words: str
    score: str
    table: int
    begins: datetime | None
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedPlayer:
    """A player in one bracket: where they are, and their road; ``paths`` are those by match."""

    entry: EntryRow
    words: str
    still_in: bool
    road: tuple[Step, ...]
    paths: Mapping[int, Path]


def followed_in(source: Source, number: PlayerId, begins: Begins) -> FollowedPlayer | None:
    """Return the player of a number in a bracket, None if they are not in it; no query."""
    entry = source.facts.entries.get(number)
    state = source.stage.state
    if entry is None or not source.begun or number not in state.players:
        return None
    paths = path_of(source, number)
    over = source.stage.stage.state == Stage.State.CLOSED
    alive = not over and number in still_in(state)
    road = tuple(_step_at(source, number, at, paths, begins) for at in paths)
    return FollowedPlayer(
        entry=entry,
        words=_reached_in_words(source, paths, alive=alive),
        still_in=alive,
        road=road,
        paths=paths,
    )


def path_of(source: Source, number: PlayerId) -> dict[int, Path]:
    """Return the path of a player: LIT where they played or play, MAYBE where they may come."""
    found: dict[int, Path] = {}
    for match in source.shape:
        path = _path_at(source, match, number, found)
        if path[0]:
            found[match.number] = path
    return found


def _path_at(
    source: Source, match: BracketMatch, number: PlayerId, before: Mapping[int, Path]
) -> Path:
    if match.number in source.played:
        pairing, result = source.played[match.number]
        if number not in pairing.seats:
            return "", ""
        if result.winner is None:
            return LIT, MAYBE
        return LIT, LIT if winner_of(result) == number else ""
    box = source.boxes.get(match.number)
    if box is None:
        return "", ""
    if any(line.entry and line.entry.number == number for line in box.lines):
        return LIT, MAYBE
    leads = (each.match for each in match.sources if isinstance(each, FromMatch) and each.winner)
    return (MAYBE, MAYBE) if any(before.get(at, ("", ""))[1] == MAYBE for at in leads) else ("", "")


def _step_at(
    source: Source, number: PlayerId, at: int, paths: Mapping[int, Path], begins: Begins
) -> Step:
    match, box, made = source.by_number[at], source.boxes[at], source.rows.get(at)
    lines = {line.entry.number: line for line in box.lines if line.entry}
    other = next((each for each in lines if each != number), None)
    state, score = "maybe", ""
    if match.number in source.played:
        pairing, result = source.played[match.number]
        if len(pairing.seats) == 1:
            state = "rests"
        elif result.counts and result.winner is not None:
            state = "won" if winner_of(result) == number else "lost"
            marks = (lines[each].mark if each in lines else "" for each in (number, other))
            score = "–".join(filter(None, marks))
        else:
            state = "now"
    elif number in lines:
        state = "now"
    against = source.facts.entries.get(other) if other is not None else None
    words = _("bye") if state == "rests" else ""
    if against is None and not words:
        side = _other_side(match, box, number, paths)
        words = who_may_come(source, match, side, box.lines[side].place)
    return Step(
        round=source.headings[match.number],
        against=against,
        words=words,
        score=score,
        table=(made.table or 0) if made is not None else 0,
        begins=begins.get((source.stage.stage.number, match.round)),
        state=state,
    )


def _other_side(match: BracketMatch, box: Box, number: PlayerId, paths: Mapping[int, Path]) -> int:
    """Return the side of a match that the player's opponent comes from."""
    for at, origin in enumerate(match.sources):
        entry = box.lines[at].entry
        own = entry is not None and entry.number == number
        leads = isinstance(origin, FromMatch) and origin.winner and paths.get(origin.match)
        if not own and not (entry is None and leads and leads[1]):
            return at
    return 1


def _reached_in_words(source: Source, paths: Mapping[int, Path], *, alive: bool) -> str:
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
        return _("plays for third place")
    named = {0: _("in the final"), 1: _("in the semi-finals"), 2: _("in the quarter-finals")}
    return named.get(last.distance) or _("still in")
