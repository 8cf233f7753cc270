"""The state of a player's page (`rules.events.own_page`), and what leaving would cost."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from rules.events.own_page import (
    DeckState,
    DropConsequence,
    ExclusionReason,
    PlayerPageInput,
    PlayerPageState,
    PlayerState,
    current_match_index,
    player_page_state,
)
from rules.results import PlayerId
from rules.scenarios.final_places import FinalPlaces
from rules.scenarios.verdicts import (
    FutureMatches,
    Prospect,
    Verdict,
    future_matches,
    has_match_after_losing,
)
from rules.stages.base import has_multiplayer_tables
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.rows import MatchRow
from tournaments.decklists.selectors.versions import can_submit_decklist
from tournaments.models import Entry, Event, Match, Stage
from tournaments.personal.selectors.beside import own_page_data
from tournaments.personal.selectors.decisions import find_exclusion_reason
from tournaments.personal.selectors.rounds import (
    RoundInProgress,
    count_open_tables,
    player_matches_in_play,
    round_in_progress,
)
from tournaments.players.selectors.returns import players_with_rounds_left, rejoin_state
from tournaments.prospects.selectors import public_prospects, public_verdicts
from tournaments.stages.selectors import next_stages
from tournaments.standings.selectors.rank_details import certain_verdicts
from tournaments.standings.selectors.ranking import possible_places, ranking_page

DAY_BEGINS = timedelta(hours=6)
"""How long before its start the day of an event begins at the latest."""
IN_ROUND = {
    Match.State.OPEN: PlayerState.PLAYING,
    Match.State.REPORTED: PlayerState.REPORTED,
    Match.State.DISPUTED: PlayerState.DISPUTED,
    Match.State.FINAL: PlayerState.DECIDED,
}


def current_page_state(
    facts: EventFacts, entry: Entry, to_confirm: Collection[int] = ()
) -> PlayerPageState:
    """Return the present state of a player's own page; no query beyond ``own_page_data``.

    ``to_confirm`` are keys of matches with a report that the player may confirm.
    """
    event = facts.event
    more = FutureMatches.SURE
    places: FinalPlaces | None = None
    if facts.plan is not None:
        more, places = _plays_on(facts, entry.number)
    asks_why = more is FutureMatches.NO or entry.status == Entry.Status.WITHDRAWN
    found = replace(
        _by_time(event, entry),
        deck=_deck(facts, entry),
        deck_open=can_submit_decklist(event, entry),
        in_round=_in_round(facts, entry, to_confirm),
        round_over=not count_open_tables(facts),
        plays_on=more,
        places=places,
        returning=rejoin_state(facts, entry),
        exclusion=find_exclusion_reason(facts, entry.number) if asks_why else ExclusionReason.NOT,
    )
    return player_page_state(found, timezone.now())


def state_before_start(event: Event, entry: Entry) -> PlayerPageState | None:
    """Return the state of a player's own page before the event starts, None after.

    Only what depends on time is considered.
    """
    if event.plan is not None:
        return None
    return player_page_state(_by_time(event, entry), timezone.now())


def _by_time(event: Event, entry: Entry) -> PlayerPageInput:
    """Return the facts by which time alone decides."""
    return PlayerPageInput(
        event_state=event.state,
        player_status=entry.status,
        registration_open=(
            event.state == Event.State.REGISTRATION and not event.is_past_registration_close
        ),
        day=_day_of(event),
        begins=event.starts_at,
        check_in_from=event.here_from,
    )


def _day_of(event: Event) -> datetime:
    midnight = datetime.combine(event.begins.date(), time(), event.zone)
    return min(midnight, event.starts_at - DAY_BEGINS)


def _deck(facts: EventFacts, entry: Entry) -> DeckState:
    asked = facts.event.decklists
    if asked == Event.Decklists.OFF:
        return DeckState.NONE
    legal = own_page_data(facts).legal.get(entry.pk)
    if legal is None:
        return DeckState.MISSING if asked == Event.Decklists.REQUIRED else DeckState.OPTIONAL
    return DeckState.LEGAL if legal else DeckState.ILLEGAL


def match_state(match: MatchRow, to_confirm: Collection[int]) -> PlayerState:
    """Return a player's state in a match.

    ``to_confirm`` are keys of matches with a report that the player may confirm.
    """
    if match.missed:
        return PlayerState.MISSED
    if len(match.seats) == 1:
        return PlayerState.BYE
    found = IN_ROUND[Match.State(match.state)]
    reported = found is PlayerState.REPORTED and match.pk in to_confirm
    return PlayerState.TO_CONFIRM if reported else found


def _in_round(facts: EventFacts, entry: Entry, to_confirm: Collection[int]) -> PlayerState:
    states = [match_state(match, to_confirm) for match in player_matches_in_play(facts, entry)]
    if states:
        return states[current_match_index(states)]
    current = round_in_progress(facts)
    rests = current is not None and entry.number in _players_of(current)
    return PlayerState.RESTS if rests else PlayerState.BETWEEN


def _players_of(current: RoundInProgress) -> Collection[PlayerId]:
    """Return whom a round is for: of tiebreaker matches those whose order they decide."""
    if not current.round_.is_extra:
        return current.stage.state.players
    levels = (
        extra.level for item, extra in current.stage.extra_sets if item.pk == current.round_.pk
    )
    return [player for level in levels for player in level]


def _plays_on(facts: EventFacts, number: PlayerId) -> tuple[FutureMatches, FinalPlaces | None]:
    """Return whether a player plays on, and the final places that are still possible if not."""
    stage, ranked = facts.open_stage, _places_in_ranking(facts).get(number)
    if stage is None or number not in stage.state.players:
        return (FutureMatches.NO if ranked or stage is None else FutureMatches.SURE), ranked
    if (order := _order_open(facts, stage, number)) is not None:
        return order, None
    if ranked:
        return FutureMatches.NO, ranked
    prospect = public_prospects(facts).get(number) or _by_points(facts, stage, number)
    more = future_matches(
        stage.state,
        number,
        to_come=players_with_rounds_left(stage),
        used=stage.used,
        prospect=prospect,
    )
    return more, possible_places(facts).get(number) if more is FutureMatches.NO else None


def _by_points(facts: EventFacts, stage: StageFacts, number: PlayerId) -> Prospect | None:
    """Return the verdict that the public standings tell while a round's table is held back."""
    for group, standings in stage.outcome.standings.items() if stage.kind.has_table else ():
        verdict = certain_verdicts(facts, stage, group, standings).get(number)
        if verdict is not None:
            return Prospect(player=number, verdict=verdict)
    return None


def _order_open(facts: EventFacts, stage: StageFacts, number: PlayerId) -> FutureMatches | None:
    """Return SURE while tiebreaker matches decide a player's order, UNSURE if lots might; else
    None.

    Lots among players who all advance decide from which place, and leave nobody unsure.
    """
    current = round_in_progress(facts)
    if current is not None and current.round_.is_extra and number in _players_of(current):
        ended = all(match.state == Match.State.FINAL for match in stage.matches_of(current.round_))
        if not ended:
            return FutureMatches.SURE
    if is_tied_at_cut(facts, number):
        prospect = public_prospects(facts).get(number)
        through = prospect is not None and prospect.verdict is Verdict.THROUGH
        return FutureMatches.SURE if through else FutureMatches.UNSURE
    return None


def _places_in_ranking(facts: EventFacts) -> Mapping[PlayerId, FinalPlaces]:
    """Return the places that the public ranking tells of each player in it; no query."""

    def make() -> Mapping[PlayerId, FinalPlaces]:
        return {row.entry.number: row.places for row in ranking_page(facts).rows}

    return cached_value(facts, "places_in_ranking", make)


def waits_for_random_draw(facts: EventFacts) -> bool:
    """Return whether the open stage waits only for a random draw or tiebreaker match.

    No query.
    """
    stage = facts.open_stage
    if stage is None or stage.held or stage.missing or not stage.rounds_done:
        return False
    return bool(stage.outcome.lots_needed)


def is_tied_at_cut(facts: EventFacts, number: PlayerId) -> bool:
    """Return whether a player is tied at the cut.

    A random draw or tiebreaker match must decide who advances. No query.
    """
    stage = facts.open_stage
    if stage is None or not waits_for_random_draw(facts):
        return False
    return any(number in level for level in stage.outcome.lots_needed)


def all_matches_played(facts: EventFacts) -> bool:
    """Return whether every match of the event is played, so that only closing remains.

    No query.
    """
    last = facts.stages[-1] if facts.stages else None
    if last is None or last.stage.state == Stage.State.PENDING:
        return False
    if last.stage.state == Stage.State.CLOSED:
        return True
    return last.rounds_done and not last.missing and not last.outcome.lots_needed


def drop_consequences(
    facts: EventFacts, number: PlayerId, state: PlayerPageState
) -> tuple[str, ...]:
    """Return sentences on what a player loses by dropping now, and what they keep.

    They can lose the match in play, and a place in the next stage. No query.
    """
    return tuple(_sentences(facts, number, state))


def _sentences(facts: EventFacts, number: PlayerId, state: PlayerPageState) -> Iterator[str]:
    if state.leaving is DropConsequence.LOSES_MATCH:
        yield _("You will lose the match in progress.")
    if _gives_up_place(facts, number, state):
        yield _("You will give up your place in the next stage.")
    yield _("Your results are kept.")


def _gives_up_place(facts: EventFacts, number: PlayerId, state: PlayerPageState) -> bool:
    """Return whether a player without a match to come may have a place in a later stage."""
    stage = facts.open_stage
    if stage is None or _has_later_matches(stage, number, state):
        return False
    if number in next_stages(facts, stage):
        return True
    sits = number in stage.state.players and stage.kind.has_table and bool(stage.used)
    return sits and public_verdicts(facts).get(number) is not Verdict.OUT


def _has_later_matches(stage: StageFacts, number: PlayerId, state: PlayerPageState) -> bool:
    """Return whether others would have met a player in later matches of the open stage."""
    if number not in stage.state.players:
        return False
    if stage.kind.pairs_by_points:
        return number in players_with_rounds_left(stage)
    if has_multiplayer_tables(stage.plan):
        return False
    if not stage.kind.has_bracket:
        return number in players_with_rounds_left(stage)
    loses = state.leaving is DropConsequence.LOSES_MATCH
    return not loses or has_match_after_losing(stage.state, number)
