"""Results entered and corrected by the staff, and their undo; absences said by players, and reports
that confirm themselves.

Reports are only added; ``Match.decision`` names the one that counts.

Source: tables, 7 and 8: nobody waits for what an absent player says of the result.

No process waits for the time to pass until a report confirms itself. The front of pages and API
(``pages.access.load_visible_event``) triggers this write before it reads an event, and a finished
answer ends at the moment when the next report is due (``pages.access``), so that whoever asks then
passes the front. The write has its own transaction, lock and log lines, is nobody's act, and is the
same whoever triggers it, once: asking stays without consequence for who asks, as a ``GET`` must.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import gettext

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from rules.matches.match_rules import Claim
from rules.matches.settling import (
    check_table_claim,
    impossible_table_result_error,
    resolve_claim,
    seats_absent_so_far,
)
from rules.results import Outcome
from rules.wording import gettext_noop as _
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules, outcome_from_report
from tournaments.core.permissions import Actor, require_permission
from tournaments.log.services import check_allowed, lock_event
from tournaments.matches.services import (
    StaleError,
    add_outcome,
    check_match_stamp,
    check_opponent,
    lock_match,
    log_result,
    match_log_subject,
    set_decision,
    settle_after_absence,
)
from tournaments.models import Event, LogLine, Match, Report, Round, Stage
from tournaments.players.services.departures import check_not_struck, withdraw
from tournaments.results.acts import ABSENT, CONFIRMED, CORRECTED, ENTERED
from tournaments.results.selectors import Effects, correction_effects, due_reports, may_correct
from tournaments.results.services.reports import same_outcome
from tournaments.rounds.services import check_no_reported_results, remove_round
from tournaments.stages.services import reopen_last_stage, undo_stage_opening
from tournaments.undo.services import not_undoable_error, undoable


@transaction.atomic
def mark_absent(*, match: Match, version: int, claim: Claim, by: Actor) -> Match:
    """Store which players of a table are absent while others play on; return the match.

    ``claim`` has marks but no result (`seats_absent_so_far`). If the remaining players agree on a
    report, it becomes final. Repeating it changes nothing. Raises StaleError; RuleError
    ``match_gone``, ``match_final``, ``round_not_published``, ``event_not_running``; BadInput
    ``impossible_result``.
    """
    match = lock_match(match)
    event = match.round.event
    check_allowed(event, ABSENT, by=by)
    next_state("round", match.round.state, "enter_result")
    next_state("match", match.state, "decide")
    if match.version != version:
        raise StaleError(match)
    rules = match_rules(match, event)
    check_table_claim(rules, claim)
    seats = seats_absent_so_far(rules, claim)
    if seats is None:
        raise impossible_table_result_error(rules.size, "Choose one of the options.")
    before, players = match.absent, match.players
    absent = [player.number for seat, player in enumerate(players, start=1) if seat in seats]
    if absent == before:
        return match
    with undoable(
        event,
        ABSENT,
        (Match, Report),
        by=by,
        subject=match_log_subject(match),
        before={"absent": before},
        after={"match": match.number, "absent": absent},
    ):
        match.absent = absent
        match.save(update_fields=["absent"])
        if match.state != Match.State.OPEN:
            settle_after_absence(match)
    return match


PLAYED_ON = _("Round %(number)s already has results. Keep it, or discard it at the desk first.")


CHANGED = frozenset({"stale", "match_final"})
"""Error codes of a result whose match has changed since the page showed it."""


class ChoiceNeededError(RuleError):
    """Error: a correction contradicts later rounds, and ``take_back`` was left open."""

    def __init__(self, effects: Effects) -> None:
        super().__init__(
            "choice_needed",
            _("Choose whether to keep or discard the later rounds and stages."),
        )
        self.effects = effects


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredResult:
    """A match after a result was entered; ``effects`` are those of a correction.

    ``refused`` is the outcome that wasn't stored because the match had got another one.
    """

    match: Match
    effects: Effects | None = None
    refused: Outcome | None = None


@transaction.atomic
def enter_result(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str | None,
    take_back: bool | None = False,
    compare: bool = False,
    shown: str = "",
    by: Actor,
) -> EnteredResult:
    """Enter a result as staff: decide an open match, or correct a final one.

    A correction needs a ``reason``; ``take_back`` is that of `correct_result`, None if the user has
    not chosen. ``shown`` is the page's table and players (`check_match_stamp`). With ``compare`` a
    match that changed meanwhile raises nothing: ``refused`` has the outcome unless it is the stored
    one.

    Raises the errors of `check_match_stamp`, `decide_result`, `correct_result`; ChoiceNeededError.
    """
    match = lock_match(match)
    check_match_stamp(match, shown)
    if reason is not None and match.state == Match.State.FINAL:
        effects = _correct(match, version, claim, reason=reason, take_back=take_back, by=by)
        return EnteredResult(match=match, effects=effects)
    try:
        _decide(match, version, claim, by=by)
    except RuleError as error:
        if not compare or error.code not in CHANGED:
            raise
        outcome = _outcome(match, claim)
        stored = match.decision
        same = stored is not None and same_outcome(outcome_from_report(stored, match.size), outcome)
        return EnteredResult(match=match, refused=None if same else outcome)
    return EnteredResult(match=match)


@transaction.atomic
def decide_result(*, match: Match, version: int, claim: Claim, by: Actor) -> Match:
    """Decide a match as staff, whatever was reported, and return it.

    Raises StaleError; RuleError ``match_gone``, ``match_final``, ``no_opponent``,
    ``round_not_published``, ``event_not_running``; BadInput ``impossible_result``.
    """
    match = lock_match(match)
    _decide(match, version, claim, by=by)
    return match


@transaction.atomic
def decide_and_withdraw(
    *, match: Match, version: int, claim: Claim, leaving: str = "", by: Actor
) -> Match:
    """Decide a match, drop some of its players, and return it.

    ``leaving`` are their seats as letters, "a" for the first. A claim that only names absent
    players is stored by `mark_absent`. Raises the errors of `decide_result` and `withdraw`.
    """
    absence = seats_absent_so_far(match_rules(match, match.round.event), claim)
    store = decide_result if absence is None else mark_absent
    decided = store(match=match, version=version, claim=claim, by=by)
    for side, entry in zip("abcde", decided.players, strict=False):
        if side in leaving and entry.plays:
            entry.event = decided.round.event
            withdraw(entry=entry, by=by)
    return decided


@transaction.atomic
def correct_result(
    *, match: Match, version: int, claim: Claim, reason: str, take_back: bool = False, by: Actor
) -> tuple[Match, Effects]:
    """Replace a final result; return (match, effects).

    ``take_back`` deletes the rounds and stages that contradict the new result, else they stay. The
    old report stays on record. `may_correct` says who may. Raises StaleError; RuleError
    ``match_gone``, ``no_opponent``, ``round_has_results`` if a round to delete has results;
    BadInput ``reason_missing``, ``impossible_result``.
    """
    match = lock_match(match)
    return match, _correct(match, version, claim, reason=reason, take_back=take_back, by=by)


def _decide(match: Match, version: int, claim: Claim, *, by: Actor) -> None:
    """Decide a locked match by the claim."""
    event = match.round.event
    check_allowed(event, ENTERED, by=by)
    next_state("round", match.round.state, "enter_result")
    check_opponent(match)
    if match.version != version:
        raise StaleError(match)
    was, state = match.state, next_state("match", match.state, "decide")
    outcome = _outcome(match, claim)
    report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=claim.note)
    set_decision(match, report, state)
    log_result(match, ENTERED, by=by, report=report, was=was)


def _correct(
    match: Match, version: int, claim: Claim, *, reason: str, take_back: bool | None, by: Actor
) -> Effects:
    """Correct a locked, final match by the claim and return the effects."""
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    effects = correction_effects(load_facts(match.round.event), match, outcome)
    if take_back is None and effects.reaches_further:
        raise ChoiceNeededError(effects)
    before = outcome_from_report(match.decision, match.size) if match.decision else None
    report = store_correction(match, outcome, reason=reason, by=by)
    kept = {"kept": effects.kept} if effects.stages and not take_back else {}
    log_result(
        match, CORRECTED, by=by, report=report, before=before, reason=reason, further_values=kept
    )
    if take_back and effects.reaches_further:
        try:
            _take_back(match, effects, by=by)
        except RuleError as error:
            if error.code != "round_has_results":
                raise
            raise RuleError(error.code, PLAYED_ON, **error.sentence.values) from error
    return effects


def checked_correction(
    match: Match, version: int, claim: Claim, *, reason: str, by: Actor
) -> Outcome:
    """Check that a locked match may be corrected, and return the new outcome.

    Raises the errors of `correct_result`, PermissionDenied.
    """
    require_permission(may_correct(by, match))
    next_state("event", match.round.event.state, "play")
    if match.version != version:
        raise StaleError(match)
    next_state("match", match.state, "correct")
    check_opponent(match)
    check_not_struck(match.group.stage, *match.seats)
    if not reason.strip():
        raise BadInput("reason_missing", _("Give a reason."))
    return _outcome(match, claim)


def store_correction(match: Match, outcome: Outcome, *, reason: str, by: Actor) -> Report:
    """Store another outcome as the decision of a final match; return the report."""
    report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=reason)
    set_decision(match, report, next_state("match", match.state, "correct"))
    return report


def _outcome(match: Match, claim: Claim) -> Outcome:
    """Return the outcome of a claim by the staff; raises BadInput ``impossible_result``."""
    return resolve_claim(match_rules(match, match.round.event), replace(claim, by_staff=True))


def _take_back(match: Match, effects: Effects, *, by: Actor) -> None:
    """Remove the stages after the match's own, and the contradicted rounds of its stage.

    The match's stage is open afterwards.
    """
    event, own = match.round.event, match.group.stage.number
    if match.group.stage.state == Stage.State.CLOSED:
        for item in Round.objects.filter(event=event, stage__number__gt=own):
            check_no_reported_results(item)
        facts = load_facts(event)
        if facts.open_stage is None:
            reopen_last_stage(facts, by=by)
    while (current := load_facts(event).open_stage) is not None and current.stage.number > own:
        _remove_rounds(event.rounds.filter(stage=current.stage), event, by=by)
        facts = load_facts(event)
        undo_stage_opening(facts, facts.stages[current.stage.number - 1], by=by)
    if effects.rounds:
        first = min(item.ordinal for item in effects.rounds)
        later = event.rounds.filter(stage=match.group.stage, ordinal__gte=first)
        _remove_rounds(later, event, by=by)


def _remove_rounds(rounds: Iterable[Round], event: Event, *, by: Actor) -> None:
    for item in sorted(rounds, key=lambda item: -item.ordinal):
        item.event = event
        remove_round(item, by=by)


def confirm_reports_if_due(event: Event) -> Event:
    """Confirm the reports whose time limit is over, and return the event.

    No query without a time limit, one if nothing is due.
    """
    if not (event.confirms_reports and due_reports(event, timezone.now()).exists()):
        return event
    return confirm_due_reports(event)


@transaction.atomic
def confirm_due_reports(event: Event) -> Event:
    """Confirm all reports whose time limit is over, and return the event read afresh."""
    event = lock_event(event)
    nobody = Actor()
    for report in due_reports(event, timezone.now()):
        match = report.match
        match.round.event = event
        state = next_state("match", match.state, "confirm")
        outcome = outcome_from_report(report, match.size)
        confirmation = add_outcome(match, Report.Kind.CONFIRMATION, outcome, by=nobody)
        set_decision(match, confirmation, state)
        log_result(match, CONFIRMED, by=nobody, report=confirmation)
    return event


def why_not_undoable(event: Event, line: LogLine) -> str:
    """Return why an entered result can't be undone, "" if it can.

    It can't if players had reported the match before. ``line`` is the log line of the result.
    """
    if line.before.get("state") == Match.State.OPEN:
        return ""
    return gettext("Correct the result instead.")


def undo_result(event: Event, line: LogLine, by: Actor) -> None:
    """Remove the result that a log line entered; the match is open again."""
    match = _match_of(event, line)
    match.decision, match.state = None, Match.State.OPEN
    match.save(update_fields=["decision", "state"])


def undo_correction(event: Event, line: LogLine, by: Actor) -> None:
    """Restore the result from before the correction in a log line, as a new report."""
    match = _match_of(event, line)
    former = match.reports.filter(version__lt=match.version).last()
    if former is None:
        raise not_undoable_error()
    kind = Report.Kind.DECISION
    match.decision = add_outcome(
        match, kind, outcome_from_report(former, match.size), by=by, note=former.note
    )
    match.save(update_fields=["version", "decision"])


def _match_of(event: Event, line: LogLine) -> Match:
    """Return the match of a log line about a result, if it has not changed since."""
    ordinal = line.subject.partition("/")[0]
    found = Match.objects.select_related("round", "decision").filter(
        round__event=event, round__ordinal=int(ordinal), number=line.after.get("match", 0)
    )
    match = found.first()
    if match is None or match.version != line.after["version"]:
        raise not_undoable_error()
    next_state("event", event.state, "play")
    return match
