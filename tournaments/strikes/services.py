"""Strike players who left a group early, and what that changes: their matches become void.

Source: tournament rules, Points: results are kept unless the organiser strikes them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config import transaction
from rules.errors import BadInput, RuleError
from rules.people.person_names import join_names
from rules.results import Winner, void_outcome
from rules.stages.base import has_multiplayer_tables, outcome_by_rule, strike_player
from rules.wording import gettext_noop
from tournaments.core.acts import Act, CacheEffect, RowUndo
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.labels import group_label, place_phrase
from tournaments.core.mapping import outcome_from_report
from tournaments.core.permissions import Actor, can_manage
from tournaments.core.rows import AnyEntry, MatchRow
from tournaments.log.services import begin_act
from tournaments.matches.services import add_outcome, settle_match
from tournaments.matches.words import match_seat_names, result_with_names
from tournaments.models import Entry, Event, Match, Report, Seat
from tournaments.models.play import matches_with_players
from tournaments.players.selectors.returns import Attendance, group_attendance
from tournaments.results.selectors import stage_change_effects
from tournaments.results.services.reports import restore_player_reports
from tournaments.standings.selectors.rank_details import RankChange
from tournaments.undo.services import undoable

act = partial(
    Act,
    may=can_manage,
    state="play",
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
)
STRUCK = act(key="entry.struck", words=gettext_lazy("Matches voided"))
STRIKE_LIFTED = act(key="entry.strike_lifted", words=gettext_lazy("Results restored"))


NOT_HERE = gettext_noop("Only matches of a group in progress can be voided.")
TOUCHED = (Seat, Match, Report)
"""The tables in which striking a player, and lifting it, changes something."""


@transaction.atomic
def strike(*, entry: Entry, reason: str, by: Actor) -> list[int]:
    """Void all group matches of a player who dropped early.

    Returns the ordinals of the rounds in which a match changed. Raises RuleError
    ``strike_not_possible``, ``cannot_strike``, ``struck_already``, ``half_played``; BadInput
    ``reason_missing``.
    """
    event, entry, found = _attendance(entry, reason, by)
    if found.struck:
        raise RuleError("struck_already")
    if not found.may_be_struck:
        raise RuleError(
            "half_played",
            "You can only void matches of players who dropped before playing half of them.",
        )
    with undoable(event, STRUCK, TOUCHED, by=by, subject=entry.name, reason=reason) as act:
        Seat.objects.filter(stage=found.stage.stage, entry=entry).update(struck_at=timezone.now())
        voided = []
        for match in _matches_to_write(found):
            if match.decision is not None and match.decision.winner == Winner.VOID:
                continue
            settle_match(match, void_outcome(match.size), by=by)
            voided.append(_round_of(found, match))
        act.after = {"group": found.group, "rounds": voided}
    return voided


@transaction.atomic
def lift_strike(*, entry: Entry, reason: str, by: Actor) -> list[int]:
    """Restore the results voided by a strike.

    Returns the ordinals of the rounds in which a match changed. A match of two struck players stays
    void until both strikes are lifted; an unplayed one becomes a forfeit. Raises RuleError
    ``strike_not_possible``, ``cannot_strike``, ``not_struck``; BadInput ``reason_missing``.
    """
    event, entry, found = _attendance(entry, reason, by)
    if not found.struck:
        raise RuleError("not_struck")
    with undoable(event, STRIKE_LIFTED, TOUCHED, by=by, subject=entry.name, reason=reason) as act:
        Seat.objects.filter(stage=found.stage.stage, entry=entry).update(struck_at=None)
        after_all = group_attendance(load_facts(event), entry) or found
        restored = []
        for match in _matches_to_write(found):
            if match.decision is not None and match.decision.kind != Report.Kind.AUTOMATIC:
                continue  # a judge made it void
            if _restore_result(match, after_all, by=by):
                restored.append(_round_of(found, match))
        act.after = {"group": found.group, "rounds": restored}
    return restored


STRIKES: Mapping[str, Callable[..., list[int]]] = {"strike": strike, "lift": lift_strike}
"""What a form can ask for, each with ``entry``, ``reason`` and ``by``."""


def _attendance(entry: Entry, reason: str, by: Actor) -> tuple[Event, Entry, Attendance]:
    event = begin_act(entry.event, STRUCK, by=by)
    if not reason.strip():
        raise BadInput("reason_missing", "Give a reason.")
    entry = event.entries.get(pk=entry.pk)
    facts = load_facts(event)
    found = group_attendance(facts, entry)
    stage = facts.open_stage
    if stage is not None and has_multiplayer_tables(stage.plan):
        raise RuleError("cannot_strike", NOT_HERE)
    if found is None:
        raise RuleError("strike_not_possible", NOT_HERE)
    return event, entry, found


def _matches_to_write(found: Attendance) -> list[Match]:
    """Return the matches to write to, in the order of play; one query."""
    keys = [row.pk for row in found.matches]
    stored = {match.pk: match for match in matches_with_players("decision", pk__in=keys)}
    return [stored[key] for key in keys]


def _restore_result(match: Match, found: Attendance, *, by: Actor) -> bool:
    """Restore a match's former or automatic result; return whether it has one."""
    state = found.stage.state
    by_key = {item.pk: item for item in found.stage.event.entries.all()}
    seats = [by_key[key].number for key in match.seats]
    if not state.struck.isdisjoint(seats):
        return False
    own = match.reports.filter(version__gt=match.version_before)
    former = own.exclude(kind=Report.Kind.AUTOMATIC, winner=Winner.VOID).last()
    if former is None:
        settle_match(match, outcome_by_rule(seats, state) or void_outcome(match.size), by=by)
        return True
    if former.kind == Report.Kind.REPORT:
        restore_player_reports(match)
        return True
    automatic = former.kind == Report.Kind.AUTOMATIC
    kind = Report.Kind.AUTOMATIC if automatic else Report.Kind.DECISION
    match.decision = add_outcome(
        match, kind, outcome_from_report(former, match.size), by=by, note=former.note
    )
    match.save(update_fields=["version", "decision"])
    return True


def _round_of(found: Attendance, match: Match) -> int:
    return next(item.ordinal for item in found.stage.rounds if item.pk == match.round_id)


def strike_context(facts: EventFacts, entry: AnyEntry) -> dict[str, Any] | None:
    """Return the template context of striking a player or lifting the strike; no query.

    None outside an open group stage.
    """
    found = group_attendance(facts, entry)
    if found is None:
        return None
    stage, entries_by_pk = found.stage, facts.entries_by_pk
    changed = replace(stage, state=strike_player(stage.state, entry.number))
    effects = stage_change_effects(facts, stage, changed)
    ordinals = {item.pk: item.ordinal for item in stage.rounds}

    def told(match: MatchRow) -> str:
        a, b = match_seat_names(match, entries_by_pk)
        result = result_with_names(match.decision, a, b) if match.decision else "–"
        return f"{join_names((a, b))}: {result}"

    def holder(number: object) -> str:
        return _("nobody yet") if number is None else str(facts.entries[number])  # type: ignore[index]

    return {
        "attendance": found,
        "group": group_label(stage.plan, found.group),
        "matches": tuple(
            (_("Round %(number)s") % {"number": ordinals[match.round_id]}, told(match))
            for match in found.matches
        ),
        "moves": tuple(
            RankChange(
                name=str(facts.entries[move["number"]]), before=move["before"], after=move["after"]
            )
            for move in effects.moves
        ),
        "places": tuple(
            (
                capfirst(place_phrase(stage.plan, change.place)),
                holder(change.before),
                holder(change.after),
            )
            for change in effects.places
        ),
    }
