"""Draft, publish, remove and discard rounds; the acts of the log that tell it, and their
inverses.

``tournaments.start`` connects the signals; what a receiver raises undoes the act.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from decks.decklists.selectors import sentence_to_json
from rules.drafts.check import unpaired_players
from rules.drafts.given import ImportedTable, pairings_from_tables
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.results import SEAT_WINNERS, MatchEnding, Outcome, PlayerId, two_seats
from rules.stages import STAGE_KINDS
from rules.stages.base import Pairing
from rules.stages.tables import assign_tables, order_by_table, parse_table_ranges
from rules.ties.decisions import next_tiebreaker_round
from tournaments.core.acts import Act, CacheEffect, Inverse, RowUndo
from tournaments.core.event_state import EventFacts, StageFacts, load_facts, store_withheld_stage
from tournaments.core.mapping import round_seating_cost_json
from tournaments.core.names import check_confirmation_name
from tournaments.core.permissions import (
    Actor,
    can_manage,
    can_rule,
    can_run_rounds,
    require_permission,
)
from tournaments.core.rows import GroupRow
from tournaments.judging.services import close_earlier_calls
from tournaments.keeping_apart.selectors import pairs_to_avoid
from tournaments.log.services import begin_act, lock_event, record
from tournaments.lots.selectors import tied_sets
from tournaments.matches.services import settle_match
from tournaments.models import Entry, Event, LogLine, Match, MatchSeat, Round, Stage
from tournaments.models.play import build_seats, matches_with_players
from tournaments.rounds.selectors.discards import (
    DiscardLoss,
    accepted_names,
    discard_loss,
    draft_matches,
    has_reported_results,
    reported_results,
    round_version,
    state_before_draft,
)
from tournaments.stages.services import check_expected_round, close_stage, stage_ready_for_round
from tournaments.undo.services import undoable

round_published = Signal()
"""Sent with ``event``, ``ordinal`` and ``by`` after a round is published."""
before_discard = Signal()
"""Sent with ``event`` and ``by`` before a round is deleted together with its results."""


act = partial(Act, may=can_run_rounds, state="play")
DRAFTED = act(
    key="round.drafted",
    words=_("Round drafted"),
    undo=Inverse("tournaments.rounds.services.undo_draft"),
    shows=CacheEffect.ADDS,
    ask_undo=_("Discard the round and its pairings?"),
)
PUBLISHED = act(
    key="round.published",
    words=_("Round published"),
    undo=Inverse("tournaments.rounds.services.undo_publication"),
    shows=CacheEffect.ADDS,
    ask_undo=_("Unpublish the round? It becomes a draft that only the staff can see."),
    type_undo="tournaments.rounds.services.confirmation_names_for_unpublishing",
)
TAKEN_BACK = act(
    key="round.taken_back",
    words=_("Round discarded"),
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
    ask_redo=_("Discard the round and its pairings?"),
)
DISCARDED = act(
    key="round.discarded",
    words=_("Round discarded"),
    may=can_manage,
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
    ask_redo=_("Discard the round and its results?"),
    type_redo="tournaments.rounds.services.confirmation_names_for_deletion",
)


def pairings_for_log(pairings: Iterable[Pairing]) -> list[list[PlayerId | None]]:
    """Return pairings as lists of player numbers for the log; None is a bye's opponent."""
    return [seats_for_log(pairing.seats) for pairing in pairings]


def seats_for_log(seats: Sequence[PlayerId]) -> list[PlayerId | None]:
    """Return player numbers by seat for the log; None is a bye's opponent."""
    return [*seats] if len(seats) > 2 else [*two_seats(seats, None)]


def store_pairings(
    round_: Round,
    groups: Sequence[GroupRow],
    pairings: Sequence[Pairing],
    facts: EventFacts,
    tables: Sequence[int | None] = (),
) -> None:
    """Store a round's matches with seats and tables; settle byes and forfeits.

    ``tables`` are table numbers in the order of ``pairings``; unless each match has one, tables are
    assigned from the event's ranges.
    """
    by_name = {group.name: group.pk for group in groups}
    keys: dict[PlayerId, int] = {number: entry.pk for number, entry in facts.entries.items()}
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    pairs = {p.number: p.seats for p in pairings if p.outcome is None and len(p.seats) > 1}
    hall = parse_table_ranges(facts.event.tables)
    given = {
        p.number: table for p, table in zip(pairings, tables, strict=False) if p.number in pairs
    }
    at: dict[int, int | None] = given
    if pairs.keys() != {number for number, table in given.items() if table}:
        at = dict(zip(pairs, assign_tables([*pairs.values()], fixed, hall), strict=True))
    matches = [
        Match(
            round=round_,
            group_id=by_name[pairing.group],
            number=pairing.number,
            table=at.get(pairing.number),
            leg=pairing.leg,
            best_of=pairing.best_of,
            draws=pairing.draws,
            reason=_reason_of(pairing),
            missed=pairing.missed,
        )
        for pairing in pairings
    ]
    Match.objects.bulk_create(matches)
    seated = zip(matches, pairings, strict=True)
    MatchSeat.objects.bulk_create(
        chain.from_iterable(
            build_seats(match, [keys[one] for one in p.seats]) for match, p in seated
        )
    )
    for match, pairing in zip(matches, pairings, strict=True):
        if pairing.outcome is not None:
            settle_match(match, _without_play(pairing, pairing.outcome, facts), by=Actor())


def _reason_of(pairing: Pairing) -> dict[str, Any]:
    """Return why two were paired, as it is stored."""
    if pairing.reason is None:
        return {}
    return sentence_to_json(pairing.reason) | ({"by_hand": True} if pairing.by_hand else {})


def _without_play(pairing: Pairing, outcome: Outcome, facts: EventFacts) -> Outcome:
    """Return the outcome of a match that nobody plays: who is disqualified does not concede it."""
    if outcome.winner not in SEAT_WINNERS or len(pairing.seats) > 2:
        return outcome
    lost = (one for one, place in zip(pairing.seats, outcome.places, strict=True) if place != 1)
    if any(facts.entries[one].status == Entry.Status.DISQUALIFIED for one in lost):
        return replace(outcome, ended_by=MatchEnding.DISQUALIFICATION)
    return outcome


@transaction.atomic
def draft_round(
    *,
    event: Event,
    expected_round: int,
    given: Sequence[ImportedTable] | None = None,
    publish: bool = False,
    by: Actor,
) -> Round:
    """Draft the next round of the open stage, and return it; or ``publish`` it at once.

    ``expected_round`` is the round's number as the page displayed it. ``given`` are the tables of a
    Swiss round paired elsewhere or by hand. Byes and forfeits are settled. Raises RuleError
    ``round_exists``, ``stale``, ``stage_not_open``, ``round_not_published``, ``results_missing``,
    ``stage_complete``, ``pairings_needed`` in an event paired elsewhere; the errors of
    ``pairings_from_tables``.
    """
    event = begin_act(event, DRAFTED, by=by)
    facts = load_facts(event)
    check_expected_round(facts, expected_round)
    current = stage_ready_for_round(facts)
    by_points = current.kind.pairs_by_points
    apart = pairs_to_avoid(event, facts.entries) if by_points else frozenset()
    before = replace(current.state, apart=apart)
    over = current.kind.is_over(before) if by_points else not current.kind.next_round(before)
    if over:
        raise RuleError(
            "stage_complete",
        )
    if given is not None:
        pairings = pairings_from_tables(before, given)
    elif by_points and event.paired_elsewhere:
        raise RuleError(
            "pairings_needed", "This event is paired elsewhere. Paste the pairings of the round."
        )
    else:
        pairings = order_by_table(before, current.kind.next_round(before))
    item = Round(
        ordinal=expected_round,
        drafted_by=by.user,
        apart=sorted(sorted(pair, key=int) for pair in apart),
        cost=round_seating_cost_json(before, pairings, by_rules=given is None),
    )
    tables = [table.table for table in given or ()]
    _store_draft(item, current, pairings, facts, tables, by=by)
    return publish_drafted(event, item, by=by) if publish else item


def _store_draft(
    round_: Round,
    current: StageFacts,
    pairings: Sequence[Pairing],
    facts: EventFacts,
    tables: Sequence[int | None] = (),
    *,
    by: Actor,
) -> None:
    """Store the next round of a stage with its matches, and log it."""
    round_.event, round_.stage, round_.number = facts.event, current.stage, len(current.rounds) + 1
    round_.save(force_insert=True)
    store_pairings(round_, current.groups, pairings, facts, tables)
    level = {"level": round_.level} if round_.level else {}
    after = {"pairings": pairings_for_log(pairings)} | level
    record(facts.event, DRAFTED, by=by, subject=str(round_.ordinal), after=after)


@transaction.atomic
def close_and_draft(
    *,
    event: Event,
    expected_stage: int,
    expected_round: int,
    by: Actor,
    hold: bool = False,
    lists_held: bool = False,
) -> tuple[Stage | None, Round | None]:
    """Close the open stage; return (next stage, its first round as a draft).

    Each is None if there is none; a stage paired elsewhere gets no draft. ``expected_stage`` and
    ``expected_round`` are numbers as the page displayed them; ``hold`` and ``lists_held`` are those
    of ``close_stage``. Raises the errors of ``close_stage`` and ``draft_round``.
    """
    following = close_stage(
        event=event, expected_stage=expected_stage, by=by, hold=hold, lists_held=lists_held
    )
    current = load_facts(event).open_stage
    if following is None or current is None or not current.kind.next_round(current.state):
        return following, None
    if event.paired_elsewhere and current.kind.pairs_by_points:
        return following, None
    return following, draft_round(event=event, expected_round=expected_round, by=by)


@transaction.atomic
def publish_round(*, event: Event, ordinal: int, expected: int | None = None, by: Actor) -> Round:
    """Publish a drafted round, and return it.

    ``ordinal`` is its number in the event, ``expected`` the ``round_version`` of the page. Raises
    RuleError ``round_published``, ``round_gone``, ``stale``, ``players_unpaired``.
    """
    event = begin_act(event, PUBLISHED, by=by)
    item = find_round(event, ordinal)
    next_state("round", item.state, "publish")
    check_round_version(event, ordinal, expected)
    check_all_paired(event, item)
    return publish_drafted(event, item, by=by)


def check_round_version(event: Event, ordinal: int, expected: int | None) -> None:
    """Raise RuleError ``stale`` if a round has changed since version ``expected``.

    A version of None is not checked.
    """
    if expected is not None and round_version(event, ordinal) != expected:
        raise RuleError("stale")


def check_all_paired(event: Event, round_: Round) -> None:
    """Raise RuleError ``players_unpaired`` if a Swiss draft leaves players out."""
    if round_.is_extra or not STAGE_KINDS.get(round_.stage.kind).pairs_by_points:
        return
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == round_.stage_id)
    left = unpaired_players(
        state_before_draft(facts, stage, round_), draft_matches(facts, stage, round_)
    )
    if left:
        raise RuleError(
            "players_unpaired",
            "Pair these players or give them a bye first: %(names)s.",
            names=tuple(str(facts.entries[player]) for player in left),
            players=left,
        )


@transaction.atomic
def delete_last_round(*, event: Event, ordinal: int, by: Actor) -> None:
    """Delete the last round of the open stage if it has no reported result.

    Raises RuleError ``round_gone``, ``not_last_round``, ``round_has_results``.
    """
    event = begin_act(event, TAKEN_BACK, by=by)
    item = find_round(event, ordinal)
    check_is_last(load_facts(event), item)
    remove_round(item, by=by)


def check_is_last(facts: EventFacts, round_: Round) -> StageFacts:
    """Return the open stage if the round is its last; else raise ``not_last_round``."""
    current = facts.open_stage
    if (
        current is None
        or round_.ordinal != facts.last_ordinal
        or round_.stage_id != current.stage.pk
    ):
        raise RuleError(
            "not_last_round",
        )
    return current


def remove_round(round_: Round, *, by: Actor) -> None:
    """Delete a round without reported results, and log it; can be undone.

    Call it inside a transaction with the event locked. Raises RuleError ``round_has_results``.
    """
    check_no_reported_results(round_)
    pairs = [
        seats_for_log([player.number for player in match.players])
        for match in matches_with_players(round=round_)
    ]
    with undoable(
        round_.event, TAKEN_BACK, by=by, subject=str(round_.ordinal), before={"pairings": pairs}
    ):
        delete_round(round_)


def delete_round(round_: Round) -> None:
    """Delete a round with its matches and their reports."""
    # Deleting a report clears ``decision``, which a final match must have: reopen them first.
    round_.matches.update(state=Match.State.OPEN, decision=None)
    round_.delete()


def check_no_reported_results(round_: Round) -> None:
    """Raise RuleError ``round_has_results`` if people have reported results of the round."""
    if has_reported_results(round_.pk):
        raise RuleError(
            "round_has_results",
            "Round %(number)s already has results. Correct them instead.",
            number=round_.ordinal,
        )


def publish_drafted(event: Event, round_: Round, *, by: Actor) -> Round:
    """Publish a drafted round of a locked event, and return it.

    Judge calls of earlier rounds are closed, and a closed stage's standings are no longer hidden.
    Raises RuleError ``round_published``.
    """
    close_earlier_calls(event, before=round_.ordinal, by=by)
    round_.state = next_state("round", round_.state, "publish")
    round_.published_at = timezone.now()
    round_.save(update_fields=["state", "published_at"])
    if event.held_stage is not None and round_.stage.number > event.held_stage:
        store_withheld_stage(event, None)  # its pairings tell who went on
    record(event, PUBLISHED, by=by, subject=str(round_.ordinal))
    round_published.send(sender=Round, event=event, ordinal=round_.ordinal, by=by)
    return round_


def find_round(event: Event, ordinal: int) -> Round:
    """Return a round of a locked event by its number. Raises RuleError ``round_gone``."""
    item = event.rounds.select_related("event", "stage", "clock").filter(ordinal=ordinal).first()
    if item is None:
        raise RuleError(
            "round_gone",
            "Not found. Reload the page.",
            number=ordinal,
        )
    item.event = event
    return item


@transaction.atomic
def discard_round(*, event: Event, ordinal: int, confirm: str, by: Actor) -> None:
    """Delete the last round of the open stage with its results; for organisers.

    ``confirm`` is the round's name as typed. A snapshot is taken, and it can be undone. Raises
    RuleError ``round_gone``, ``not_last_round``; BadInput ``not_confirmed``.
    """
    event = begin_act(event, DISCARDED, by=by)
    facts, item = load_facts(event), find_round(event, ordinal)
    stage = check_is_last(facts, item)
    check_confirmation_name(confirm, *accepted_names(stage, item))
    before_discard.send(sender=Round, event=event, by=by)
    results = reported_results(facts, stage, item)
    pairings = [
        seats_for_log([facts.numbers[key] for key in match.seats])
        for match in stage.matches_of(item)
    ]
    with undoable(
        event,
        DISCARDED,
        by=by,
        subject=str(ordinal),
        before={"pairings": pairings, "results": len(results)},
    ):
        delete_round(item)


def undo_draft(event: Event, line: LogLine, by: Actor) -> None:
    """Delete the round that a log line drafted."""
    delete_last_round(event=event, ordinal=int(line.subject), by=by)


def undo_publication(event: Event, line: LogLine, by: Actor) -> None:
    """Make a published round a draft again.

    Raises RuleError ``round_has_results``, ``clock_started``.
    """
    next_state("event", event.state, "play")
    item = find_round(event, int(line.subject))
    check_no_reported_results(item)
    clock = getattr(item, "clock", None)
    if clock is not None and clock.state != "ready":
        raise RuleError(
            "clock_started",
            "Reset the timer first.",
        )
    item.state, item.published_at = Round.State.DRAFT, None
    item.save(update_fields=["state", "published_at"])


def confirmation_names_for_unpublishing(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return the names to type before a round's publication is undone.

    () unless judge calls, rulings, notes or extra minutes depend on it. Results don't count: they
    prevent the undo.
    """
    return _names_if(event, line, lambda x: x.rulings + x.notes + x.extensions + x.calls)


def confirmation_names_for_deletion(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return the names to type if undoing deletes a round's results, else ()."""
    return _names_if(event, line, lambda loss: loss.reports)


def _names_if(event: Event, line: LogLine, count: Callable[[DiscardLoss], int]) -> tuple[str, ...]:
    facts = load_facts(event)
    found = facts.round_at(int(line.subject))
    return accepted_names(*found) if found and count(discard_loss(facts, *found)) else ()


@transaction.atomic
def make_extra_round(
    *,
    event: Event,
    sets: Sequence[Sequence[int]],
    expected_round: int,
    publish: bool = False,
    by: Actor,
) -> Round:
    """Draft the next round of tiebreaker matches, and return it; or ``publish`` it at once.

    ``sets`` are the numbers of tied players of the open stage: two play one match, more a round
    robin, one round per call. Dropped players don't play and rank last. Raises RuleError
    ``round_exists``, ``stale``, ``stage_not_open``, ``round_not_published``, ``results_missing``,
    ``rounds_missing``, ``not_tied``, ``sets_overlap``, ``nobody_to_play``.
    """
    event = lock_event(event)
    require_permission(can_rule(by, event))
    next_state("event", event.state, "play")
    facts = load_facts(event)
    check_expected_round(facts, expected_round)
    current = stage_ready_for_round(facts)
    if not current.rounds_done:
        raise RuleError(
            "rounds_missing",
        )
    known = {frozenset(level) for level in tied_sets(current)}
    if not sets or not known.issuperset(map(frozenset, sets)):
        raise RuleError(
            "not_tied",
        )
    levels = [sorted(set(level)) for level in sets]
    pairings = next_tiebreaker_round(current.state, levels)
    level = levels if len(levels) > 1 else levels[0]
    item = Round(ordinal=expected_round, drafted_by=by.user, level=level)
    _store_draft(item, current, pairings, facts, by=by)
    return publish_drafted(event, item, by=by) if publish else item
