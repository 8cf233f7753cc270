"""What a correction changes, in words: who belongs where, what was played, what becomes of it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.corrections import CorrectionEffect, MatchChange, SeatChange, Seats
from rules.results import PlayerId, Result
from rules.stages.base import state_before_round
from rules.stages.knockout import match_winner
from tournaments.core.event_state import StageFacts
from tournaments.core.kept_places import seat_for_place
from tournaments.core.labels import group_label, match_round_label, place_phrase
from tournaments.core.mapping import match_result
from tournaments.core.rows import MatchRow, RoundRow
from tournaments.corrections.selectors.choices import (
    Correction,
    DisplayNames,
    describe_result,
    is_running,
    matches_by_key,
)
from tournaments.corrections.selectors.start import starting_seat_changes
from tournaments.models import Match, Round
from tournaments.results.selectors import PlaceChange


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedMatch:
    """A match affected by an error: its round and table, and its result or state, as text."""

    where: str
    words: str


def place_change_texts(found: Correction, names: DisplayNames) -> Iterator[str]:
    """Yield texts on each place that gets another player: "Group A: Ada → Ben".

    Players new to the stage come first.
    """
    yield from _changes_of_start(found, names)
    yield from _changes_of_departure(found, names)
    yield from _changes_of_winner(found, names)
    if found.holders:
        return
    moved = [
        (where, *pair)
        for where, moves in _moves(found).items()
        for pair in replacement_pairs(moves)
    ]
    leave = {old for _where, old, _new in moved}
    for where, old, new in sorted(moved, key=lambda each: each[2] in leave):
        if old is None or new is None:
            undecided = _("Not decided yet")
            yield f"{where}: {undecided}"
        else:
            yield _changed(where, old, new, names)
    for change in found.effects.places:
        if _stays_there(found, change):
            place = capfirst(place_phrase(found.stage.plan, change.place))
            yield _changed(place, change.before, change.after, names)


def _changed(label: str, old: PlayerId | None, new: PlayerId | None, names: DisplayNames) -> str:
    return f"{label}: {names.of(old)} → {names.of(new)}"


def _changes_of_start(found: Correction, names: DisplayNames) -> Iterator[str]:
    """Yield who belongs in a group because of the start, and who meets in a bracket then."""
    moved: dict[tuple[int, str], list[SeatChange]] = {}
    for stage, change in starting_seat_changes(found):
        moved.setdefault((stage.stage.number, change.group), []).append(change)
    for (number, group), changes in moved.items():
        stage = found.facts.stages[number - 1]
        had, come = [c.before for c in changes], [c.after for c in changes]
        others = zip(
            [player for player in come if player not in had],
            [player for player in had if player not in come],
            strict=True,
        )
        for new, old in others:
            yield _changed(group_label(stage.plan, group), old, new, names)
        if stage.kind.has_bracket and {*had} == {*come}:
            seats = list(stage.state.seats[group])
            for change in changes:
                seats[change.seat - 1] = change.after
            before = _first_meetings(stage, stage.state.seats)
            after = _first_meetings(stage, {**stage.state.seats, group: tuple(seats)})
            for players in (each for each in after if {*each} not in [{*one} for one in before]):
                bye = [_("Bye")] if len(players) == 1 else []
                words = " · ".join([names.pair(players), *bye])
                label = _("Round %(number)s") % {"number": 1}
                yield f"{label}: {words}"


def _changes_of_departure(found: Correction, names: DisplayNames) -> Iterator[str]:
    """Yield who comes into the groups of the stage in progress for who should not have been in."""
    if found.begins is None or found.follows is None or found.target is None:
        return
    for change in found.follows.seats:
        had = found.target.state.seats.get(change.group, ())
        if change.before is not None and change.after is not None and change.after not in had:
            label = group_label(found.target.plan, change.group)
            yield _changed(label, change.before, change.after, names)


def _changes_of_winner(found: Correction, names: DisplayNames) -> Iterator[str]:
    """Yield who wins in a bracket where no round was made from it yet."""
    if found.reaches_further or not found.stage.kind.has_bracket:
        return
    rows = matches_by_key(found.stage)
    rounds = zip(found.stage.state.rounds, found.changed.state.rounds, strict=True)
    for index, (played, corrected) in enumerate(rounds):
        for (pairing, was), (_same, becomes) in zip(played, corrected, strict=True):
            old, new = match_winner(was), match_winner(becomes)
            if old is not None and new is not None and old != new:
                item, row = found.stage.regular_rounds[index], rows[index, pairing.number]
                where = match_round_label(found.stage, item, row)
                yield _changed(" · ".join([where, _("Winner")]), old, new, names)


def _first_meetings(stage: StageFacts, seats: Seats) -> list[tuple[PlayerId, ...]]:
    """Return who meets in the first round of a stage seated like this, in order of the matches."""
    state = state_before_round(replace(stage.state, seats=seats), 0)
    return [pairing.seats for pairing in stage.kind.next_round(state)]


Moves = dict[str, list[tuple[PlayerId | None, PlayerId | None]]]


def replacement_pairs(
    moves: list[tuple[PlayerId | None, PlayerId | None]],
) -> Iterator[tuple[PlayerId | None, PlayerId | None]]:
    """Yield (who leaves, who comes) for moves (old, new) of several seats.

    Players who only move from one of these seats to another are left out.
    """
    after = {old: new for old, new in moves if old is not None}
    becomes = {new for _old, new in moves}
    for old, new in moves:
        if old is not None and old in becomes:
            continue
        comes = new
        while comes is not None and comes in after:
            comes = after[comes]
        yield old, comes


def _moves(found: Correction) -> Moves:
    """Return, by where a seat or match is, who has it now and who belongs there.

    Somebody may be on both sides, who changes seats there.
    """
    moves: Moves = defaultdict(list)
    within = found.target is not None and found.stage.stage.pk == found.target.stage.pk
    if within and found.begins is None:
        for change in found.changes:
            moves[_where_of_match(found.stage, change)] += change.exchanged
    for place in found.effects.places:
        seat = seat_for_place(found.facts, found.stage, place.place)
        if seat is not None:
            stage, group = seat
            moves[group_label(stage.plan, group)].append((place.before, place.after))
    return moves


def _stays_there(found: Correction, change: PlaceChange) -> bool:
    """Return whether both have a seat in the same group before and after, another one."""
    seat = seat_for_place(found.facts, found.stage, change.place)
    moves = _moves(found).get(group_label(seat[0].plan, seat[1]), []) if seat else []
    stayed = {old for old, _new in moves} & {new for _old, new in moves}
    return {change.before, change.after} <= stayed - {None}


def exchanged_players(found: Correction) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Yield (who leaves, who comes) for each seat that changes hands, else for each match.

    Seats that are or become vacant are left out.
    """
    if found.follows is None:
        return
    for seat in found.follows.seats:
        if seat.before is not None and seat.after is not None:
            yield seat.before, seat.after
    for change in () if found.follows.seats else found.changes:
        yield from change.exchanged


def changed_place_label(found: Correction) -> str:
    """Return a label of where players change: "Group A", "" for several groups.

    If no seat of a group changes, the round of the first changed match.
    """
    if found.target is None or found.follows is None:
        return ""
    if groups := {seat.group for seat in found.follows.seats}:
        return group_label(found.target.plan, groups.pop()) if len(groups) == 1 else ""
    return next((_where_of_match(found.target, each) for each in found.changes), "")


def _where_of_match(stage: StageFacts, change: MatchChange) -> str:
    """Return where a match is: its round, of a final or for third place that."""
    item, row = stage.regular_rounds[change.round], matches_by_key(stage)[change.key]
    return match_round_label(stage, item, row)


def affected_matches(found: Correction, names: DisplayNames) -> Iterator[AffectedMatch]:
    """Yield the matches that were made with the wrong players."""
    if found.target is not None and found.changes:
        rounds, rows = found.target.regular_rounds, matches_by_key(found.target)
        for change in found.changes:
            item = rounds[change.round]
            row = rows[change.key]
            yield AffectedMatch(
                where=round_and_table_label(item, row),
                words=describe_match_before(item, row, change.was, names),
            )
        return
    out = {old for moves in _moves(found).values() for old, _new in moves}
    numbers = found.facts.numbers
    for item in found.goes[::-1]:
        stage = next(s for s in found.facts.stages if s.stage.pk == item.stage_id)
        for row in stage.matches_of(item):
            if out & {numbers[key] for key in row.seats}:
                was = match_result(row, item.number, numbers)
                yield AffectedMatch(
                    where=round_and_table_label(item, row),
                    words=describe_match_before(item, row, was, names),
                )


def round_and_table_label(round_: RoundRow, match: MatchRow) -> str:
    """Return a label of a match's round and table: "Round 3 · table 2"."""
    if match.table is None:
        return _("Round %(number)s") % {"number": round_.ordinal}
    values = {"number": round_.ordinal, "table": match.table}
    return _("Round %(number)s · table %(table)s") % values


def describe_match_before(
    round_: RoundRow, match: MatchRow, was: Result, names: DisplayNames
) -> str:
    """Return a match's result or state before the correction, as text.

    ``was``: its result then. "Playing" only if the round's timer was started.
    """
    if was.is_played and len(was.seats) > 1:
        return describe_result(was, names)
    pair = names.pair(was.seats)
    state = _state_of(round_, match, was)
    return f"{pair}: {state}" if state else pair


def _state_of(round_: RoundRow, match: MatchRow, was: Result) -> str:
    if match.missed:
        return _("missed (loss)")
    if len(was.seats) == 1:
        return _("Bye")
    if match.state == Match.State.DISPUTED:
        return _("Disputed")
    if match.state == Match.State.REPORTED:
        return _("Reported")
    if match.again is not None:
        return _("To be played again")
    if is_running(round_, match):
        return _("Playing")
    return _("Draft") if round_.state == Round.State.DRAFT else ""


def describe_match_change(change: MatchChange, names: DisplayNames) -> str:
    """Return a text on a changed match: its new players and "Void", "To be played again", …."""
    label = {
        CorrectionEffect.PASSES: "",
        CorrectionEffect.AGAIN: _("To be played again"),
        CorrectionEffect.VOID: _("Void"),
        CorrectionEffect.FORFEIT: _("Forfeit"),
        CorrectionEffect.RESTS: _("Bye"),
    }[change.fate]
    return " · ".join(filter(None, [names.pair(change.after), label]))
