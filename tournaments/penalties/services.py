"""Give penalties, and remove those given by mistake.

The log records level and player; the note stays with the penalty, as it may name cards.
"""

from functools import partial

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import is_allowed, next_state
from rules.matches.match_rules import Claim
from rules.matches.settling import resolve_claim
from rules.results import SEAT_WINNERS, MatchEnding
from tournaments.core.acts import Act, CacheEffect, LogTopic, RowUndo, UndoTiming
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor, can_judge, can_rule, require_permission
from tournaments.log.services import begin_act
from tournaments.matches.services import (
    add_outcome,
    match_log_subject,
    report_log_json,
    set_decision,
)
from tournaments.models import DeckCheck, Entry, Event, Match, Penalty, Report, Round
from tournaments.models.tables import Model
from tournaments.players.services.departures import disqualify
from tournaments.undo.services import undoable

act = partial(Act, state="play", undo=RowUndo(), order=UndoTiming.WHILE_RUNNING)
PENALTY_GIVEN = act(
    key="penalty.given", words=_("Penalty given"), may=can_judge, shows=CacheEffect.ADDS
)
MATCH_LOST = act(
    key="penalty.match_lost",
    words=_("Match lost by a penalty"),
    may=can_judge,
    order=UndoTiming.IN_PLAY,
    shows=CacheEffect.ADDS,
    tells=(LogTopic.RESULT,),
)
PENALTY_TAKEN_BACK = act(
    key="penalty.taken_back", words=_("Penalty removed"), may=can_rule, shows=CacheEffect.TAKES_AWAY
)


Level = Penalty.Level
PENALTY_ALONE: tuple[Model, ...] = (Penalty,)
WITH_RESULT: tuple[Model, ...] = (Penalty, Match, Report)
"""The tables in which a penalty changes something, and one that decides a match."""


@transaction.atomic
def give_penalty(
    *, entry: Entry, level: str, infraction: str, note: str = "", by: Actor
) -> Penalty:
    """Give a player a penalty, tied to their match of the latest round; return it.

    A disqualification needs an organiser or head judge, and drops the player. A match loss decides
    a two-player match without final result; a final one must be corrected separately, and a game
    loss entered with the result. ``infraction``: text that the player can read; ``note``: for the
    staff only. Raises RuleError ``event_not_running``; BadInput ``infraction_missing``,
    ``impossible_penalty``.
    """
    event = begin_act(entry.event, PENALTY_GIVEN, by=by)
    entry = event.entries.get(pk=entry.pk)
    return store_penalty(event, entry, level, infraction, note=note, by=by)


@transaction.atomic
def remove_penalty(*, event: Event, penalty_id: int, by: Actor) -> Penalty:
    """Delete a penalty given by mistake, and return it; for organisers and head judges.

    A disqualification and a lost match stay; undoing the penalty in the log reverts them too.
    Raises RuleError ``event_not_running``, ``penalty_gone``.
    """
    event = begin_act(event, PENALTY_TAKEN_BACK, by=by)
    penalty = event.penalties.select_related("entry").filter(pk=penalty_id).first()
    if penalty is None:
        raise RuleError(
            "penalty_gone",
        )
    name, was = penalty.entry.name, {"level": penalty.level}
    with undoable(event, PENALTY_TAKEN_BACK, (Penalty,), by=by, subject=name, before=was):
        penalty.delete()
    return penalty


def store_penalty(
    event: Event,
    entry: Entry,
    level: str,
    infraction: str,
    *,
    note: str = "",
    check: DeckCheck | None = None,
    by: Actor,
) -> Penalty:
    """Store a penalty in an event that is already locked, and return it.

    ``check``: the deck check that led to it. Raises as ``give_penalty``.
    """
    next_state("event", event.state, "play")
    if level not in Level.values:
        raise BadInput("impossible_penalty", "Choose one of the options.")
    if not infraction.strip():
        raise BadInput("infraction_missing", "This field is required.")
    require_permission(level != Level.DISQUALIFICATION or can_rule(by, event))
    item, match = (check.round, check.match) if check else latest_round_and_match(event, entry)
    decides = level == Level.MATCH_LOSS and match is not None and _is_undecided(match)
    lost = match if decides else None
    act, tables, subject = PENALTY_GIVEN, PENALTY_ALONE, entry.name
    if lost is not None:
        act, tables, subject = MATCH_LOST, WITH_RESULT, match_log_subject(lost)
    given = {"level": level}
    with undoable(event, act, tables, by=by, subject=subject, after=given) as told:
        penalty = Penalty.objects.create(
            event=event,
            entry=entry,
            round=item,
            match=match,
            check_made=check,
            level=level,
            infraction=infraction.strip()[:200],
            note=note.strip()[:500],
            by=by.user,
        )
        if lost is not None:
            told.before = {"state": lost.state}
            told.after |= report_log_json(lost, _decide_by_penalty(event, lost, entry, by=by))
    if level == Level.DISQUALIFICATION and entry.status != Entry.Status.DISQUALIFIED:
        disqualify(entry=entry, reason=gettext("A penalty was given."), by=by)
        event.refresh_from_db(fields=["version", "head"])
        if check is not None and check.match is not None:
            check.match.refresh_from_db(fields=["state"])
    return penalty


def _is_undecided(match: Match) -> bool:
    """Return whether a judge may still decide the match: of two, and without a result.

    At a multiplayer table the others play on, and the penalty alone decides nothing.
    """
    return (
        match.size == 2
        and is_allowed("round", match.round.state, "enter_result")
        and is_allowed("match", match.state, "decide")
    )


def _decide_by_penalty(event: Event, match: Match, entry: Entry, *, by: Actor) -> Report:
    """Decide a match against one of its players by a penalty, and return the report."""
    winner = SEAT_WINNERS[1 - match.seats.index(entry.pk)]
    claim = Claim(winner=winner, ended_by=MatchEnding.PENALTY, by_staff=True)
    outcome = resolve_claim(match_rules(match, event), claim)
    report = add_outcome(match, Report.Kind.DECISION, outcome, by=by)
    set_decision(match, report, next_state("match", match.state, "decide"))
    return report


def latest_round_and_match(event: Event, entry: Entry) -> tuple[Round | None, Match | None]:
    """Return (latest published round, the player's match in it); two queries.

    Each is None if there is none.
    """
    item = event.rounds.filter(state=Round.State.PUBLISHED).order_by("-ordinal").first()
    if item is None:
        return None, None
    return item, item.matches.filter(match_seats__entry=entry).first()
