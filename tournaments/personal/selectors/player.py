"""A player's page of an event: its state, match in progress, earlier matches, standing, list."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from config.wording import translate
from rules.events.in_round import first_of
from rules.events.own_page import OwnState, PlayerState
from rules.people.surnames import surname_of
from rules.scenarios.playing_on import leavers_needed
from rules.scenarios.verdicts import Verdict
from tournaments.core.clocks import ClockShown, current_clock
from tournaments.core.event_state import EventFacts
from tournaments.core.mapping import play_of
from tournaments.models import Entry, Event, JudgeCall, PersonalLink, Ruling
from tournaments.personal.selectors.beside import beside
from tournaments.personal.selectors.deciders import DeciderLine, decider_lines
from tournaments.personal.selectors.decision import decision_words
from tournaments.personal.selectors.decisions import Decision, decisions_on
from tournaments.personal.selectors.departure import (
    departure_of,
    disqualification_of,
    results_stay,
    seat_left_to,
)
from tournaments.personal.selectors.ended import Ended, ended_of
from tournaments.personal.selectors.moved_up import later_stage, moved_up
from tournaments.personal.selectors.own_matches import MyMatch, own_matches
from tournaments.personal.selectors.own_penalties import OwnPenalties, own_penalties
from tournaments.personal.selectors.own_standing import OwnStanding, own_standing
from tournaments.personal.selectors.road import sits_in
from tournaments.personal.selectors.rounds import (
    first_table,
    matches_now,
    next_round,
    round_in_progress,
    tables_deciding,
)
from tournaments.personal.selectors.state import (
    all_played,
    is_level,
    lots_decide,
    state_at,
    state_of,
)
from tournaments.personal.selectors.upcoming_match import UpcomingMatches, upcoming_matches
from tournaments.personal.selectors.way_back import WayBack, way_back
from tournaments.personal.selectors.words import Known, SeatWords, seat_words
from tournaments.players.selectors.players import latest_link_by_organiser
from tournaments.players.selectors.returns import admits_late
from tournaments.players.selectors.waiting_list import place_in_line
from tournaments.prospects.selectors.prospects import (
    OwnProspect,
    own_prospect,
    public_prospects,
)

AFTER_MATCH = frozenset({PlayerState.DECIDED, PlayerState.BETWEEN, PlayerState.UNSURE})
"""States in which the match of the round in progress is shown with its result."""
SHUT_OUT = frozenset({PlayerState.SEAT_LOST, PlayerState.LOTS_LOST, PlayerState.TAKEN_OUT})
"""States whose box says which decision it was."""
NEXT_IN_LINE = 2
"""Players behind the last who goes on that are told how many would have to leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMatch:
    """Another match in play of the player, whose result does not count yet; its call, rulings."""

    mine: MyMatch
    call: JudgeCall | None
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """The page of one player in one event.

    All of it follows from ``state``. ``seat`` are the words of the box at the top, under the
    heading ``where``. ``current`` is the match in play that comes first (``own_page``), ``shown``:
    it is not yet one of the earlier ``matches``. ``clock``, ``call`` and ``rulings`` belong to it,
    ``call_reasons`` are the game's reasons to call a judge. ``others`` are further matches in play
    that wait for a result; ``to_play`` are those without any report, in the order of play, where
    one of an earlier round is among them. ``legal`` says so of the decklist, None
    without one.
    ``deciders`` are the results of others that decide about a player who has played, ``decision``
    says when. ``ended`` is all of a player's event when it is over for them. ``way_back`` is said
    to whoever has left, ``reason`` why to whoever is disqualified. ``bracket``: there is one to
    show. ``decisions`` are those about the player that the box does not tell. What is added here
    is added to ``marks``.
    """

    event: Event
    entry: Entry
    state: OwnState
    seat: SeatWords
    where: str
    current: MyMatch | None
    shown: bool
    others: tuple[OtherMatch, ...]
    to_play: tuple[MyMatch, ...]
    matches: tuple[MyMatch, ...]
    standing: OwnStanding | None
    legal: bool | None
    penalties: OwnPenalties
    clock: ClockShown | None
    call: JudgeCall | None
    call_reasons: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    prospect: OwnProspect | None
    ahead: UpcomingMatches | None
    deciders: tuple[DeciderLine, ...]
    decision: str
    ended: Ended | None
    way_back: WayBack | None
    reason: str
    bracket: bool
    decisions: tuple[Decision, ...]

    @property
    def picture(self) -> str:
        """Return the name of the player's picture: of whatever version, it leads to the latest."""
        return f"player-{self.entry.number}-{get_language()}-0"


def player_page(facts: EventFacts, entry: Entry) -> PlayerPage:
    """Return the content of the player's page.

    At most one query but for ``beside``; one more for who has left or is disqualified.
    """
    event, known = facts.event, beside(facts)
    matches = own_matches(facts, entry)
    to_confirm = {each.match.pk for each in matches if each.to_confirm}
    here = _in_play(facts, entry, matches)
    parts = [state_at(each.match, to_confirm) for each in here]
    now = here[first_of(parts)] if here else None
    state = state_of(facts, entry, to_confirm)
    others = [each for each in here if state.at_table and each is not now and not each.is_final]
    standing = own_standing(facts, entry) if state.plays else None
    shown = now is not None and (state.at_table or (state.state in AFTER_MATCH and not now.is_bye))
    told = now if now and state.at_table else None
    thrown_out = state.state is PlayerState.DISQUALIFIED
    decided = decisions_on(facts, entry, plays=state.plays)
    out_by = decided[0] if state.state in SHUT_OUT and decided else None
    return PlayerPage(
        event=event,
        entry=entry,
        state=state,
        seat=seat_words(state, _known(facts, entry, state, standing, matches, out_by)),
        where=_where(facts, state, now if shown else None),
        current=now,
        shown=shown,
        others=tuple(
            OtherMatch(
                mine=each,
                call=known.calls.get(each.match.pk),
                rulings=known.rulings.get(each.match.pk, ()),
            )
            for each in others
        ),
        to_play=_to_play(here) if state.at_table else (),
        matches=tuple(
            each
            for each in reversed(matches)
            if not (shown and each is now) and each.match.pk not in [one.match.pk for one in others]
        ),
        standing=standing,
        legal=known.legal.get(entry.pk),
        penalties=own_penalties(facts, entry, known.penalties.get(entry.pk, ())),
        clock=_clock(facts, told, state),
        call=known.calls.get(told.match.pk) if told else None,
        call_reasons=tuple(map(translate, play_of(event).calls)) if told else (),
        rulings=known.rulings.get(now.match.pk, ()) if now and shown else (),
        prospect=own_prospect(facts, entry) if state.plays else None,
        ahead=upcoming_matches(facts, entry) if state.plays else None,
        deciders=decider_lines(facts, entry) if state.state is PlayerState.UNSURE else (),
        decision=decision_words(facts) if state.state is PlayerState.UNSURE else "",
        ended=None if state.plays or facts.plan is None else ended_of(facts, entry),
        way_back=way_back(facts, entry, state.returning),
        reason=disqualification_of(facts, entry) if thrown_out else "",
        bracket=any(stage.kind.has_bracket for stage in facts.stages),
        decisions=tuple(each for each in decided if each is not out_by),
    )


def _in_play(facts: EventFacts, entry: Entry, matches: Sequence[MyMatch]) -> list[MyMatch]:
    """Return the player's matches in play, in the order of play."""
    by_key = {each.match.pk: each for each in matches}
    return [by_key[match.pk] for match in matches_now(facts, entry)]


def _to_play(here: Sequence[MyMatch]) -> tuple[MyMatch, ...]:
    """Return the matches without a report, in the order of play, if one was put up again."""
    found = tuple(each for each in here if each.is_open)
    return found if any(each.replay for each in found) else ()


def _clock(facts: EventFacts, match: MyMatch | None, state: OwnState) -> ClockShown | None:
    """Return the clock of the match; in a dispute only where the table has minutes of its own.

    A match of an earlier round does not run by the clock.
    """
    if match is None or (match.replay and match.replay.beside):
        return None
    if state.state is PlayerState.DISPUTED and not match.match.extra_minutes:
        return None
    return current_clock(facts, match.match.extra_minutes)


def _known(
    facts: EventFacts,
    entry: Entry,
    state: OwnState,
    standing: OwnStanding | None,
    matches: list[MyMatch],
    out_by: Decision | None,
) -> Known:
    event, stage = facts.event, facts.open_stage
    plays_here = stage is not None and entry.number in stage.state.players
    in_bracket = stage is not None and stage.kind.has_bracket
    begins = _("It begins: %(when)s.")
    if state.overdue:
        begins = _("It was to begin: %(when)s. It has not begun yet.")
    return Known(
        given=given_name(entry),
        begins=begins % {"when": in_words(event.begins, "all")},
        next_round=next_round(facts) if plays_here and not in_bracket else 0,
        first_table=first_table(facts, entry),
        later="" if plays_here else later_stage(facts, entry.number),
        rank=standing.ordinal if standing and not standing.after else "",
        field=facts.plan.players if facts.plan else 0,
        tables=tables_deciding(facts, entry.number),
        lots=lots_decide(facts),
        level=is_level(facts, entry.number),
        is_last=stage is not None and not stage.used,
        ended=matches[-1].title if matches and matches[-1].in_bracket else "",
        if_left=_leavers_needed(facts, entry),
        seat_of=seat_left_to(facts, entry) if state.state is PlayerState.OUT else "",
        decided=out_by.told if out_by else "",
        noted=departure_of(facts, entry) if state.state is PlayerState.LEFT else None,
        in_line=place_in_line(facts, entry.number) if state.state is PlayerState.WAITING else 0,
        started=facts.plan is not None,
        seated=any(sits_in(each, entry.number) for each in facts.stages),
        stays=not state.plays and results_stay(facts, entry),
        admits=admits_late(facts),
        moved_up=moved_up(facts, entry.number),
        begun=facts.last_ordinal > 0,
        held=stage is not None and bool(stage.held),
    )


def _leavers_needed(facts: EventFacts, entry: Entry) -> int:
    """Return how many have to leave for a player who is out to go on, 0 if not next in line."""
    stage, found = facts.open_stage, public_prospects(facts).get(entry.number)
    if stage is None or found is None or found.verdict is not Verdict.OUT:
        return 0
    needed = leavers_needed(stage.state, found, stage.used)
    return needed if needed <= NEXT_IN_LINE else 0


def _where(facts: EventFacts, state: OwnState, match: MyMatch | None) -> str:
    """Return the heading of the box: stage and round, or what the event is at."""
    if facts.event.state == Event.State.FINISHED:
        return _("The event is over")
    if facts.plan is None:
        return _("Before the event")
    if match is not None:
        return match.where
    stage, current = facts.open_stage, round_in_progress(facts)
    if all_played(facts):
        return _("All matches are played")
    if state.has_won:
        return _("Others are still playing")
    if not state.plays or stage is None:
        return _("The event goes on")
    return current.label if current else translate(stage.plan.label)


def given_name(entry: Entry) -> str:
    """Return the name without the surname; the whole where nothing is left."""
    surname = entry.surname or surname_of(entry.name)
    return " ".join(entry.name.replace(surname, " ", 1).split()).strip(", ") or entry.name


def link_by_organiser(facts: EventFacts, entry: Entry) -> PersonalLink | None:
    """Return the player's latest link if an organiser made or revoked it; one query if so."""
    return latest_link_by_organiser(entry) if entry.pk in beside(facts).link_by_organiser else None
