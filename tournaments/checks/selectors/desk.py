"""The deck-check desk: open checks, finished checks, and players not yet checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _

from rules.events.deck_checks import eligible_tables
from rules.results import PlayerId
from rules.stages.bracket_progress import still_in
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.replays import InPlay, in_play
from tournaments.core.rows import AnyEntry, AnyRound
from tournaments.core.twins import tell_apart
from tournaments.models import DeckCheck, Event

Outcome = DeckCheck.Outcome
TONES = {
    Outcome.CLEAN: "good",
    Outcome.MENDED: "info",
    Outcome.PENALTY: "bad",
    Outcome.ABANDONED: "warn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRow:
    """A check; ``minutes`` is its duration, None while it is open."""

    check: DeckCheck
    entry: AnyEntry
    table: int | None
    round: str
    outcome: str
    tone: str
    minutes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """The checks of a round: the number of players, and of those with an issue found."""

    label: str
    players: int
    found: int
    so_far: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksPage:
    """The desk. ``known`` counts all checks; ``can_pick`` is False if no table is left.

    ``left`` are the active players without a check, with their table of the round in progress.
    """

    open: tuple[CheckRow, ...]
    finished: tuple[CheckRow, ...]
    playing: int
    checked: int
    left: tuple[tuple[AnyEntry, int | None], ...]
    rounds: tuple[RoundRow, ...]
    round_label: str
    known: int
    can_pick: bool
    can_pick_again: bool
    is_running: bool


def checks_page(facts: EventFacts) -> ChecksPage:
    """Return the deck-check desk of an event; one query besides those of the facts."""
    event = facts.event
    found = tuple(event.deck_checks.select_related("match", "by").order_by("-started_at", "-pk"))
    by_key = {entry.pk: entry for entry in facts.entries.values()}
    labels = {item.pk: round_label(stage, item) for stage in facts.stages for item in stage.rounds}
    rows = [_row(check, by_key[check.entry_id], labels) for check in found]
    checked = {check.entry_id for check in found if _is_done(check)}
    playing = _players_in_play(facts)
    item, matches = _round_played(facts)
    tables = {key: each.table for each in reversed(matches) for key in each.match.seats}
    seen = checked | {check.entry_id for check in found if not check.outcome}
    left = [(e, tables.get(e.pk)) for e in playing if e.pk not in seen]
    eligible, again = (_eligible(matches, found, again=again) for again in (False, True))
    return ChecksPage(
        open=tuple(row for row in rows if row.minutes is None),
        finished=tuple(row for row in rows if row.minutes is not None),
        playing=len(playing),
        checked=sum(entry.pk in checked for entry in playing),
        left=tuple(sorted(left, key=lambda row: (row[1] is None, row[1] or 0))),
        rounds=_rounds(facts, found, labels),
        round_label=labels[item.pk] if item else "",
        known=len(found),
        can_pick=bool(eligible),
        can_pick_again=bool(again),
        is_running=event.state == Event.State.RUNNING,
    )


def checked_at(players: Iterable[AnyEntry | None], event: Event) -> tuple[DeckCheck, ...]:
    """Return all checks of the players of a match, the latest first; one query."""
    seated = [entry for entry in players if entry]
    found = tuple(
        event.deck_checks.filter(entry__in=[entry.pk for entry in seated]).select_related(
            "entry", "round"
        )
    )
    marks = {entry.number: entry.mark for entry in seated}
    tell_apart((check.entry for check in found), marks)
    return found


def minutes_taken(check: DeckCheck) -> int | None:
    """Return the duration of a finished check in minutes, rounded up; None while it is open."""
    if check.finished_at is None:
        return None
    return -((check.started_at - check.finished_at) // timedelta(minutes=1))


def _is_done(check: DeckCheck) -> bool:
    """Return whether the check counts as done for its player."""
    return bool(check.outcome) and check.outcome != Outcome.ABANDONED


def _row(check: DeckCheck, entry: AnyEntry, labels: dict[int, str]) -> CheckRow:
    return CheckRow(
        check=check,
        entry=entry,
        table=check.match.plays_at if check.match else None,
        round=labels.get(check.round_id or 0, ""),
        outcome=check.get_outcome_display() if check.outcome else _("open"),
        tone=TONES[Outcome(check.outcome)] if check.outcome else "neutral",
        minutes=minutes_taken(check),
    )


def _round_played(facts: EventFacts) -> tuple[AnyRound | None, tuple[InPlay, ...]]:
    """Return the latest published round, and the matches in play at tables in their turn."""
    found = facts.latest_published
    if found is None:
        return None, ()
    stage, item = found
    playing = (each for each in in_play(stage) if each.table is not None)
    return item, tuple(sorted(playing, key=lambda each: each.turn))


def _eligible(
    matches: Sequence[InPlay], found: Sequence[DeckCheck], *, again: bool
) -> tuple[int, ...]:
    """Return the tables that may be picked; of two matches at one table the first counts."""
    tables = {each.table or 0: each.match.seats for each in reversed(matches) if each.is_open}
    checked = {check.entry_id for check in found if _is_done(check)}
    busy = {check.entry_id for check in found if not check.outcome}
    return eligible_tables(tables, checked=checked, busy=busy, again=again)


def _players_in_play(facts: EventFacts) -> tuple[AnyEntry, ...]:
    """Return the active players: in a bracket those not eliminated, else those seated."""
    stage = facts.open_stage
    seated = _numbers_in_play(stage) if stage is not None else set(facts.entries)
    return tuple(e for e in facts.entries.values() if e.plays and e.number in seated)


def _numbers_in_play(stage: StageFacts) -> set[PlayerId]:
    last = stage.last_round
    if not stage.kind.has_bracket or last is None:
        return set(stage.state.players)
    if stage.kind.two_brackets:
        return set(still_in(stage.state))
    pairings = [pairing for pairing, _result in stage.state.rounds[-1]]
    return {player for pairing in pairings for player in pairing.seats}


def _rounds(
    facts: EventFacts, found: Sequence[DeckCheck], labels: dict[int, str]
) -> tuple[RoundRow, ...]:
    rows, seen = [], set[int]()
    for item in facts.rounds:
        made = [check for check in found if check.round_id == item.pk and _is_done(check)]
        seen |= {check.entry_id for check in made}
        rows.append(
            RoundRow(
                label=labels[item.pk],
                players=len({check.entry_id for check in made}),
                found=sum(check.outcome != Outcome.CLEAN for check in made),
                so_far=len(seen),
            )
        )
    return tuple(rows)
