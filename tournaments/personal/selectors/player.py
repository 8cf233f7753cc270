"""A player's page of an event: match in progress, earlier matches, standing, decklist."""

from dataclasses import dataclass
from typing import NamedTuple

from django.utils import timezone

from config.wording import translate
from rules.events.lifecycle import allowed
from tournaments.core.clocks import ClockShown, current_clock
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.mapping import play_of
from tournaments.core.rows import RoundRow
from tournaments.models import Entry, Event, JudgeCall, PersonalLink, Ruling
from tournaments.penalties.selectors import OwnPenalty, own_penalties
from tournaments.personal.selectors.beside import beside
from tournaments.personal.selectors.own_matches import MyMatch, own_matches
from tournaments.personal.selectors.own_standing import OwnStanding, own_standing
from tournaments.personal.selectors.upcoming_match import UpcomingMatches, upcoming_matches
from tournaments.players.selectors.players import latest_link_by_organiser
from tournaments.prospects.selectors.prospects import OwnProspect, own_prospect


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """The page of one player in one event. ``rests``: they do not play in the current round.

    ``clock``, ``call`` and ``rulings`` belong to the match in progress; ``call_reasons``
    are the game's reasons to call a judge. ``legal`` says so of the decklist, None without one.
    ``next_round`` is the number of the round to come, 0 if none is; ``rank`` the final one of
    ``field``, 0 while the player is in; ``bracket``: there is one to show. What is added here is
    added to ``marks``.
    """

    event: Event
    entry: Entry
    current: MyMatch | None
    rests: str
    matches: tuple[MyMatch, ...]
    standing: OwnStanding | None
    legal: bool | None
    can_check_in: bool
    too_early: bool
    can_drop: bool
    penalties: tuple[OwnPenalty, ...]
    clock: ClockShown | None
    call: JudgeCall | None
    call_reasons: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    prospect: OwnProspect | None
    ahead: UpcomingMatches | None
    next_round: int
    rank: int
    field: int
    bracket: bool


class InProgress(NamedTuple):
    """A round in progress and its label."""

    stage: StageFacts
    item: RoundRow
    label: str


def player_page(facts: EventFacts, entry: Entry) -> PlayerPage:
    """Return the content of the player's page; at most one query but for ``beside``."""
    event, known = facts.event, beside(facts)
    current = round_in_progress(facts)
    matches = own_matches(facts, entry)
    now = next((m for m in matches if current and m.match.round_id == current.item.pk), None)
    rests = current is not None and now is None and entry.number in current.stage.state.players
    before_start = event.plan is None
    return PlayerPage(
        event=event,
        entry=entry,
        current=now,
        rests=current.label if current and rests else "",
        matches=tuple(m for m in reversed(matches) if m is not now),
        standing=own_standing(facts, entry),
        legal=known.legal.get(entry.pk),
        can_check_in=before_start and allowed("entry", entry.status, "check_in"),
        too_early=is_too_early(event),
        can_drop=event.state != Event.State.FINISHED and allowed("entry", entry.status, "withdraw"),
        penalties=own_penalties(known.penalties.get(entry.pk, ())),
        clock=current_clock(facts, now.match.extra_minutes) if now and not now.is_final else None,
        call=known.calls.get(now.match.pk) if now else None,
        call_reasons=tuple(map(translate, play_of(event).calls)) if now else (),
        rulings=known.rulings.get(now.match.pk, ()) if now else (),
        prospect=own_prospect(facts, entry),
        ahead=upcoming_matches(facts, entry),
        next_round=next_round(facts),
        rank=final_rank(facts, entry),
        field=facts.plan.players if facts.plan else 0,
        bracket=any(stage.kind.has_bracket for stage in facts.stages),
    )


def link_by_organiser(facts: EventFacts, entry: Entry) -> PersonalLink | None:
    """Return the player's latest link if an organiser made or revoked it; one query if so."""
    return latest_link_by_organiser(entry) if entry.pk in beside(facts).link_by_organiser else None


def is_too_early(event: Event) -> bool:
    """Return whether it is too early for players to check themselves in."""
    return event.plan is None and timezone.now() < event.here_from


def next_round(facts: EventFacts) -> int:
    """Return the number of the round that comes after the latest one, 0 if none does; no query."""
    stage = facts.open_stage
    if stage is None or len(stage.regular_rounds) >= stage.total_rounds:
        return 0
    return facts.last_ordinal + 1


def final_rank(facts: EventFacts, entry: Entry) -> int:
    """Return the rank of a player who plays in no stage any more, 0 for others; no query."""
    stage = facts.open_stage
    if facts.plan is None or (stage is not None and entry.number in stage.state.players):
        return 0
    last = facts.plan.players - sum(len(level) for level in facts.ranking)
    for level in facts.ranking:
        if entry.number in level:
            return last + 1
        last += len(level)
    return 0


def round_in_progress(facts: EventFacts) -> InProgress | None:
    """Return the latest round of the open stage; no query."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or stage.last_round is None:
        return None
    return InProgress(stage, stage.last_round, round_label(stage, stage.last_round))
