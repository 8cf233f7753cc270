"""Deck checks: chosen, begun, ticked, finished, and the acts of the log that tell it.

Ticks leave no line in the log; finishing a check does.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.deck_checks import eligible_tables, pick_table, players_to_check
from rules.people.person_names import join_names
from tournaments.clock.services import extend_after_check
from tournaments.core.acts import Act, CacheEffect, NoUndo, UndoTiming
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, can_judge, require_permission
from tournaments.core.replays import matches_in_play
from tournaments.log.services import begin_act, record
from tournaments.models import DeckCheck, Entry, Event, Match, MatchSeat, Round
from tournaments.penalties.services import latest_round_and_match, store_penalty

CHECK_STARTED = Act(
    key="check.started",
    words=_("Deck check started"),
    may=can_judge,
    state="play",
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)
CHECK_FINISHED = Act(
    key="check.finished",
    words=_("Deck check finished"),
    may=can_judge,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)


Outcome = DeckCheck.Outcome
MOST_TICKS = 5000


@transaction.atomic
def replace_ticks(
    *, check: DeckCheck, version: int, lines: Sequence[int], points: Sequence[str], by: Actor
) -> DeckCheck:
    """Replace all ticks of an open deck check; return it.

    lines: numbers of the ticked lines of the decklist, from 0; points: keys of the ticked points to
    check; version: that of the check on the page. Raises RuleError ``stale``, ``check_finished``.
    """
    require_permission(can_judge(by, check.event))
    check = _locked_check(check, version)
    _store_ticks(check, lines, points)
    check.save(update_fields=["ticked", "points", "version"])
    return check


@transaction.atomic
def update_ticks(
    *, check: DeckCheck, lines: Mapping[int, bool], points: Mapping[str, bool], by: Actor
) -> DeckCheck:
    """Tick (True) or untick (False) some lines and points of an open check; return it.

    All other ticks stay, so two judges don't undo each other's, and a repeated request changes
    nothing. lines: by number, from 0; points: by key. Raises RuleError ``check_finished``.
    """
    require_permission(can_judge(by, check.event))
    check = _locked_check(check)
    ticked = {*check.ticked, *lines} - {line for line, on in lines.items() if not on}
    seen = {*check.points, *points} - {key for key, on in points.items() if not on}
    _store_ticks(check, tuple(ticked), tuple(seen))
    check.save(update_fields=["ticked", "points", "version"])
    return check


@transaction.atomic
def finish_check(
    *,
    check: DeckCheck,
    version: int | None,
    lines: Sequence[int],
    points: Sequence[str],
    outcome: str,
    note: str = "",
    level: str = "",
    infraction: str = "",
    by: Actor,
) -> DeckCheck:
    """Finish a deck check with its outcome, extend its table's time, return the check.

    version: that of the check on the page; None keeps the stored ticks and ignores ``lines`` and
    ``points``. level, infraction: of the penalty that the player gets with the outcome ``penalty``.
    Raises RuleError ``stale``, ``check_finished``; BadInput ``impossible_outcome``,
    ``penalty_without_outcome``, and those of ``give_penalty``.
    """
    event = begin_act(check.event, CHECK_FINISHED, by=by)
    check = _locked_check(check, version)
    check.event = event
    if outcome not in Outcome.values:
        raise BadInput("impossible_outcome", "Choose one of the options.")
    if outcome != Outcome.PENALTY and (level or infraction.strip()):
        raise BadInput(
            "penalty_without_outcome", "To give a penalty, choose the outcome “Penalty”."
        )
    if version is not None:
        _store_ticks(check, lines, points)
    check.outcome, check.note = outcome, note.strip()[:500]
    check.finished_at = timezone.now()
    check.save(
        update_fields=["ticked", "points", "version", "outcome", "note", "finished_at"],
    )
    if outcome == Outcome.PENALTY:
        store_penalty(event, check.entry, level, infraction, check=check, by=by)
    extend_after_check(check, by=by)
    record(event, CHECK_FINISHED, by=by, subject=check.entry.name, after={"outcome": outcome})
    return check


def _locked_check(check: DeckCheck, version: int | None = None) -> DeckCheck:
    """Return the check, locked and reloaded.

    Raises RuleError ``stale`` for another version if one is given, ``check_finished``.
    """
    rows = DeckCheck.objects.select_for_update(of=("self",))
    fresh = rows.select_related("event", "entry__event", "match__round", "round").get(pk=check.pk)
    if fresh.finished_at is not None:
        raise RuleError("check_finished")
    if version is not None and fresh.version != version:
        raise RuleError(
            "stale",
        )
    return fresh


def _store_ticks(check: DeckCheck, lines: Sequence[int], points: Sequence[str]) -> None:
    check.ticked = sorted(set(lines))[:MOST_TICKS]
    check.points = sorted(set(points))[:MOST_TICKS]
    check.version += 1


@transaction.atomic
def begin_random_check(
    *, event: Event, expected_checks: int, again: bool = False, seed: str = "", by: Actor
) -> tuple[DeckCheck, ...]:
    """Begin deck checks of the players at a table in play, picked at random; return them.

    expected_checks: number of the event's checks that the page knew. again: whether players may be
    checked twice; else only those not checked yet. seed: of the random choice, default a new one.
    Raises RuleError ``stale``, ``no_table_left``.
    """
    event = begin_act(event, CHECK_STARTED, by=by)
    if event.deck_checks.count() != expected_checks:
        raise RuleError(
            "stale",
        )
    at_tables = _matches_at_tables(event)
    checked, busy = _numbers_checked(event)
    players = {
        table: _numbers_at(match)
        for table, match in at_tables.items()
        if match.size > 1 and match.state != Match.State.FINAL
    }
    eligible = eligible_tables(players, checked=checked, busy=busy, again=again)
    seed = seed or secrets.token_hex(16)
    table = pick_table(seed, eligible)
    wanted = players_to_check(players[table], checked=checked, busy=busy, again=again)
    return _begin_at_table(at_tables[table], wanted, by=by, seed=seed, eligible=eligible)


@transaction.atomic
def begin_table_check(
    *, event: Event, table: int, again: bool = False, by: Actor
) -> tuple[DeckCheck, ...]:
    """Begin deck checks of the players at a table of the latest round; return them.

    again: whether players may be checked twice; else only those not checked yet. Raises BadInput
    ``no_table``; RuleError ``check_open``, ``checked_already``.
    """
    event = begin_act(event, CHECK_STARTED, by=by)
    return _check_both(event, _matches_at_tables(event).get(table), table, again=again, by=by)


@transaction.atomic
def begin_match_check(*, match: Match, again: bool = False, by: Actor) -> tuple[DeckCheck, ...]:
    """Begin deck checks of the players of a match in play; return them.

    again: whether players may be checked twice; else only those not checked yet. Raises BadInput
    ``no_table``; RuleError ``check_open``, ``checked_already``.
    """
    event = begin_act(match.round.event, CHECK_STARTED, by=by)
    found = next((one for _table, one in _seated_in_play(event) if one.pk == match.pk), None)
    return _check_both(event, found, match.plays_at, again=again, by=by)


def _check_both(
    event: Event, match: Match | None, table: int | None, *, again: bool, by: Actor
) -> tuple[DeckCheck, ...]:
    """Begin a check of both players of a match, which is None where none is in play there."""
    if match is None or match.size == 1:
        raise BadInput("no_table", "Table %(table)s is not in this round.", table=table)
    checked, busy = _numbers_checked(event)
    players = _numbers_at(match)
    wanted = players_to_check(players, checked=checked, busy=busy, again=again)
    if not wanted:
        _refuse_repeated(join_names(_players_at(match)), is_open=bool(busy & set(players)))
    return _begin_at_table(match, wanted, by=by)


@transaction.atomic
def begin_player_check(*, entry: Entry, again: bool = False, by: Actor) -> DeckCheck:
    """Begin a deck check of one player, seated at a table or not; return it.

    again: whether the player may be checked twice. Raises RuleError ``check_open``,
    ``checked_already``.
    """
    event = begin_act(entry.event, CHECK_STARTED, by=by)
    entry = event.entries.select_related("submission").get(pk=entry.pk)
    checked, busy = _numbers_checked(event)
    if not players_to_check((entry.number,), checked=checked, busy=busy, again=again):
        _refuse_repeated(entry.name, is_open=entry.number in busy)
    item, match = latest_round_and_match(event, entry)
    check = _create_check(event, entry, item, match, by=by)
    table = {"table": match.plays_at} if match and match.plays_at else {}
    record(event, CHECK_STARTED, by=by, subject=entry.name, after=table)
    return check


def _matches_at_tables(event: Event) -> dict[int, Match]:
    """Return the match in play at each table; queries as ``_seated_in_play``.

    Where two are played at one table, it is the one whose turn it is.
    """
    return dict(reversed(_seated_in_play(event)))


def _seated_in_play(event: Event) -> list[tuple[int, Match]]:
    """Return the matches in play with their tables and seats, in the order of their turn.

    Two queries beyond the facts.
    """
    found = load_facts(event, for_staff=False).latest_published
    playing = sorted(matches_in_play(found[0]), key=lambda each: each.turn) if found else []
    seated = MatchSeat.objects.order_by("number").select_related("entry__submission")
    stored = (
        Match.objects.filter(pk__in=[each.match.pk for each in playing if each.table is not None])
        .select_related("round")
        .prefetch_related(Prefetch("match_seats", seated))
    )
    by_key = {match.pk: match for match in stored}
    for match in by_key.values():
        match.round.event = event
    return [(each.table, by_key[each.match.pk]) for each in playing if each.table is not None]


def _players_at(match: Match) -> list[Entry]:
    return [seat.entry for seat in match.match_seats.all()]


def _numbers_at(match: Match) -> tuple[int, ...]:
    return tuple(player.number for player in _players_at(match))


def _numbers_checked(event: Event) -> tuple[set[int], set[int]]:
    """Return the numbers of the players already checked, and of those being checked."""
    checked, busy = set[int](), set[int]()
    for number, outcome in event.deck_checks.values_list("entry__number", "outcome"):
        if not outcome:
            busy.add(number)
        elif outcome != Outcome.ABANDONED:
            checked.add(number)
    return checked, busy


def _begin_at_table(
    match: Match,
    wanted: Collection[int],
    *,
    by: Actor,
    seed: str = "",
    eligible: Sequence[int] = (),
) -> tuple[DeckCheck, ...]:
    """Begin a check of each wanted player at a table; one log line."""
    event = match.round.event
    entries = [entry for entry in _players_at(match) if entry.number in wanted]
    checks = tuple(_create_check(event, e, match.round, match, seed, by=by) for e in entries)
    drawn = {"seed": seed, "tables": list(eligible)} if seed else {}
    record(
        event,
        CHECK_STARTED,
        by=by,
        subject=", ".join(entry.name for entry in entries),
        after={"table": match.plays_at} | drawn,
    )
    return checks


def _create_check(
    event: Event,
    entry: Entry,
    round_: Round | None,
    match: Match | None,
    seed: str = "",
    *,
    by: Actor,
) -> DeckCheck:
    return DeckCheck.objects.create(
        event=event,
        entry=entry,
        round=round_,
        match=match,
        submission=entry.submission,
        seed=seed,
        by=by.user,
    )


def _refuse_repeated(name: str, *, is_open: bool) -> None:
    if is_open:
        raise RuleError(
            "check_open",
            "A check of %(name)s is already open.",
            name=name,
        )
    raise RuleError(
        "checked_already",
        "%(name)s: already checked. Tick “Allow a second check” to repeat the check.",
        name=name,
    )
