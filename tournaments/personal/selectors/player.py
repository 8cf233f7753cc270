"""A player's page of an event: its state, match in progress, earlier matches, standing, list;
and a digest: the page has changed if the digest has.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import format_moment, translate
from rules.events.lifecycle import OPEN, RejoinStatus
from rules.events.own_page import PlayerPageState, PlayerState, current_match_index
from rules.plans import RankPlace
from rules.results import PlayerId
from rules.scenarios.verdicts import Verdict, count_needed_drops
from tournaments.core.clocks import ClockDisplay, current_clock_display
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.mapping import match_defaults
from tournaments.core.permissions import Actor
from tournaments.core.replays import pending_replays
from tournaments.core.rows import AnyEntry
from tournaments.core.visibility import visible_decklists
from tournaments.decklists.selectors.versions import DeckWindow
from tournaments.models import (
    Announcement,
    Entry,
    Event,
    JudgeCall,
    Penalty,
    PersonalLink,
    Round,
    Ruling,
)
from tournaments.penalties.selectors import TONES
from tournaments.personal.selectors.beside import own_page_data
from tournaments.personal.selectors.decisions import (
    StaffDecision,
    disqualification_reason,
    format_event_time,
    logged_drop,
    name_of_dropped_predecessor,
    staff_decisions,
)
from tournaments.personal.selectors.ended import OwnStanding, finished_summary, own_standing
from tournaments.personal.selectors.own_matches import OwnMatch, own_matches, player_matches
from tournaments.personal.selectors.rounds import (
    UpcomingMatches,
    count_deciding_tables,
    deciding_result_lines,
    decision_time_text,
    expected_decision_time,
    next_round_number,
    player_matches_in_play,
    round_after_byes,
    round_in_progress,
    upcoming_matches,
)
from tournaments.personal.selectors.state import (
    all_matches_played,
    current_page_state,
    is_tied_at_cut,
    match_state,
    waits_for_random_draw,
)
from tournaments.personal.selectors.words import MOST_COUNTED, BoxTexts, PageValues, box_texts
from tournaments.players.selectors.players import latest_link_by_organiser
from tournaments.players.selectors.returns import (
    accepts_late_players,
    is_registration_full,
    waiting_list_position,
)
from tournaments.prospects.selectors import own_prospect, public_prospects
from tournaments.stages.selectors import next_stages

Level = Penalty.Level


def own_penalties(entry: AnyEntry, found: Iterable[Penalty]) -> tuple[dict[str, Any], ...]:
    """Return a player's penalties as template dicts, in the order of ``found``.

    ``found`` are loaded with their rounds. ``round`` is the round's number, 0 for none; ``lifted``:
    a disqualification that no longer holds. No query.
    """
    out = entry.status == Entry.Status.DISQUALIFIED
    return tuple(
        {
            "level": penalty.get_level_display(),
            "tone": TONES[Level(penalty.level)],
            "infraction": penalty.infraction,
            "round": penalty.round.ordinal if penalty.round else 0,
            "at": penalty.at,
            "lifted": penalty.level == Level.DISQUALIFICATION and not out,
        }
        for penalty in found
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinBox:
    """The box about rejoining the event; ``asks``: it has a button to ask the staff.

    ``line_offline`` replaces ``line`` in an offline copy, "" if that still holds.
    """

    title: str
    line: str
    line_offline: str = ""
    asks: bool = False


def rejoin_box(facts: EventFacts, entry: Entry, returning: RejoinStatus) -> RejoinBox | None:
    """Return the box about rejoining the event, None if there is none; no query."""
    if returning is RejoinStatus.NOT_OFFERED:
        return None
    mistake, desk = _("Was it a mistake?"), _("Ask at the desk.")
    if returning not in OPEN:
        against = _("You can’t come back because you have no matches left.")
        wrong = _("If this is wrong, ask at the desk.")
        return RejoinBox(title=mistake, line=f"{against} {wrong}")
    if returning is RejoinStatus.MAY_ASK:
        return RejoinBox(title=mistake, line=_cost(facts), line_offline=desk, asks=True)
    asked = _("You have asked to come back")
    if returning is RejoinStatus.ASKED:
        values = {"when": format_event_time(facts.event, entry.return_asked_at)}
        return RejoinBox(
            title=asked, line=_("Request sent (%(when)s). The desk will decide.") % values
        )
    values = {"when": format_event_time(facts.event, entry.return_refused_at)}
    line = _("The staff declined your request (%(when)s).") % values
    return RejoinBox(title=asked, line=f"{line} {desk}")


def _cost(facts: EventFacts) -> str:
    """Return what coming back costs, as a sentence; "" for nothing."""
    if facts.plan is None:
        return (
            _("All places are taken. The staff will decide on your request.")
            if is_registration_full(facts)
            else ""
        )
    stage, number = facts.open_stage, next_round_number(facts)
    if stage is None or stage.kind.has_bracket:
        return _("You lose any matches you miss.")
    words = _("You can play again from round %(number)s.")
    return words % {"number": number} if number else ""


def moved_up_text(facts: EventFacts, number: PlayerId) -> str:
    """Return a sentence naming the dropped players in whose place a player advances.

    "" for others, and once the next stage has a public round. No query.
    """
    stage = _last_played(facts)
    if stage is None or stage.held:
        return ""
    places = stage.advanced.places
    ranks = [each for each in stage.plan.places if isinstance(each, RankPlace)]
    held = next((each for each in ranks if places.get(each.name) == number), None)
    if held is None or held.name not in stage.used:
        return ""
    last = max(each.rank for each in ranks if each.group == held.group and each.name in stage.used)
    ahead = [row.player for row in stage.outcome.standings[held.group].rows[:last]]
    gone = [player for player in ahead if player not in places.values()]
    if number in ahead or not gone:
        return ""
    names = ", ".join(facts.entries[player].display_name for player in gone)
    return _("You advance in place of %(names)s.") % {"names": names}


def later_stage_label(facts: EventFacts, number: PlayerId) -> str:
    """Return the label of the later stage in which a player has a seat, "" for none."""
    if facts.plan is None or facts.open_stage is None:
        return ""
    index = next_stages(facts, facts.open_stage).get(number)
    return translate(facts.plan.stages[index].label) if index is not None else ""


def _last_played(facts: EventFacts) -> StageFacts | None:
    """Return the stage whose places are held now: the open one, once it has begun."""
    stage = facts.open_stage
    if stage is None or any(item.state == Round.State.PUBLISHED for item in stage.rounds):
        return stage
    return facts.stages[stage.stage.number - 2] if stage.stage.number > 1 else None


AFTER_MATCH = frozenset({PlayerState.DECIDED, PlayerState.BETWEEN, PlayerState.UNSURE})
"""States in which the match of the round in progress is shown with its result."""
SHUT_OUT = frozenset({PlayerState.SEAT_LOST, PlayerState.LOTS_LOST, PlayerState.TAKEN_OUT})
"""States whose box says which decision it was."""
NEXT_IN_LINE = 2
"""Players behind the last who goes on that are told how many would have to leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """The content of a player's own page, which depends on ``state``.

    ``seat`` are the texts of the box at the top, under the heading ``where``. ``current`` is the
    first match in play; ``shown``: it is displayed apart from the earlier ``matches``; ``clock``,
    ``call``, ``call_reasons`` and ``rulings`` belong to it. ``others`` are further matches waiting
    for a result; ``to_play`` are unreported ones in the order of play, if one is of an earlier
    round. ``legal`` is None without a decklist. ``deciders`` are other results that decide whether
    the player advances, ``decision`` says when. ``ended`` is the summary once the event is over for
    them. ``reason`` is that of a disqualification. ``bracket``: the event has one. ``decisions``
    are the staff's decisions about the player, except the one that the box at the top explains.

    Add new fields to `page_digest` too.
    """

    event: Event
    entry: Entry
    state: PlayerPageState
    seat: BoxTexts
    where: str
    current: OwnMatch | None
    shown: bool
    others: tuple[dict[str, Any], ...]
    to_play: tuple[OwnMatch, ...]
    matches: tuple[OwnMatch, ...]
    standing: OwnStanding | None
    legal: bool | None
    penalties: tuple[dict[str, Any], ...]
    clock: ClockDisplay | None
    call: JudgeCall | None
    call_reasons: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    prospect: dict[str, Any] | None
    ahead: UpcomingMatches | None
    deciders: tuple[dict[str, Any], ...]
    decision: str
    ended: dict[str, Any] | None
    way_back: RejoinBox | None
    reason: str
    bracket: bool
    decisions: tuple[StaffDecision, ...]

    @property
    def picture(self) -> str:
        """Return the name of the player's picture: of whatever version, it leads to the latest."""
        return f"player-{self.entry.number}-{get_language()}-0"


def player_page(facts: EventFacts, entry: Entry) -> PlayerPage:
    """Return the content of a player's own page.

    At most one query beyond ``own_page_data``, one more for dropped and disqualified players.
    """
    event, known = facts.event, own_page_data(facts)
    matches = own_matches(facts, entry)
    to_confirm = {each.match.pk for each in matches if each.to_confirm}
    here = _in_play(facts, entry, matches)
    parts = [match_state(each.match, to_confirm) for each in here]
    now = here[current_match_index(parts)] if here else None
    state = current_page_state(facts, entry, to_confirm)
    others = [each for each in here if state.at_table and each is not now and not each.is_final]
    standing = own_standing(facts, entry) if state.plays else None
    shown = now is not None and (state.at_table or (state.state in AFTER_MATCH and not now.is_bye))
    told = now if now and state.at_table else None
    thrown_out = state.state is PlayerState.DISQUALIFIED
    decided = staff_decisions(facts, entry, plays=state.plays)
    out_by = decided[0] if state.state in SHUT_OUT and decided else None
    return PlayerPage(
        event=event,
        entry=entry,
        state=state,
        seat=box_texts(state, _known(facts, entry, state, standing, matches, out_by)),
        where=_where(facts, state, now if shown else None),
        current=now,
        shown=shown,
        others=tuple(
            {
                "mine": each,
                "call": known.calls.get(each.match.pk),
                "rulings": known.rulings.get(each.match.pk, ()),
            }
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
        penalties=own_penalties(entry, known.penalties.get(entry.pk, ())),
        clock=_clock(facts, told, state),
        call=known.calls.get(told.match.pk) if told else None,
        call_reasons=tuple(map(translate, match_defaults(event).calls)) if told else (),
        rulings=known.rulings.get(now.match.pk, ()) if now and shown else (),
        prospect=own_prospect(facts, entry) if state.plays else None,
        ahead=upcoming_matches(facts, entry) if state.plays else None,
        deciders=deciding_result_lines(facts, entry) if state.state is PlayerState.UNSURE else (),
        decision=decision_time_text(facts) if state.state is PlayerState.UNSURE else "",
        ended=None if state.plays or facts.plan is None else finished_summary(facts, entry),
        way_back=rejoin_box(facts, entry, state.returning),
        reason=disqualification_reason(facts, entry) if thrown_out else "",
        bracket=any(stage.kind.has_bracket for stage in facts.stages),
        decisions=tuple(each for each in decided if each is not out_by),
    )


def _in_play(facts: EventFacts, entry: Entry, matches: Sequence[OwnMatch]) -> list[OwnMatch]:
    """Return the player's matches in play, in the order of play."""
    by_key = {each.match.pk: each for each in matches}
    return [by_key[match.pk] for match in player_matches_in_play(facts, entry)]


def _to_play(here: Sequence[OwnMatch]) -> tuple[OwnMatch, ...]:
    """Return the matches without a report, in the order of play, if one was put up again."""
    found = tuple(each for each in here if each.is_open)
    return found if any(each.replay for each in found) else ()


def _clock(
    facts: EventFacts, match: OwnMatch | None, state: PlayerPageState
) -> ClockDisplay | None:
    """Return the clock of the match; in a dispute only where the table has minutes of its own.

    A match of an earlier round does not run by the clock.
    """
    if match is None or (match.replay and match.replay.beside):
        return None
    if state.state is PlayerState.DISPUTED and not match.match.extra_minutes:
        return None
    return current_clock_display(facts, match.match.extra_minutes)


def _known(
    facts: EventFacts,
    entry: Entry,
    state: PlayerPageState,
    standing: OwnStanding | None,
    matches: list[OwnMatch],
    out_by: StaffDecision | None,
) -> PageValues:
    event, stage = facts.event, facts.open_stage
    plays_here = stage is not None and entry.number in stage.state.players
    in_bracket = stage is not None and stage.kind.has_bracket
    return PageValues(
        name=entry.display_name,
        begins=": ".join((_("Start"), format_moment(event.begins, "all"))),
        next_round=next_round_number(facts) if plays_here and not in_bracket else 0,
        first_table=round_after_byes(facts, entry),
        later="" if plays_here else later_stage_label(facts, entry.number),
        rank=standing.ordinal if standing and not standing.after else "",
        field=facts.plan.players if facts.plan else 0,
        tables=count_deciding_tables(facts, entry.number),
        lots=waits_for_random_draw(facts),
        level=is_tied_at_cut(facts, entry.number),
        is_last=stage is not None and not stage.used,
        ended=matches[-1].title if matches and matches[-1].in_bracket else "",
        if_left=_leavers_needed(facts, entry),
        seat_of=name_of_dropped_predecessor(facts, entry) if state.state is PlayerState.OUT else "",
        decided=out_by.told if out_by else "",
        noted=logged_drop(facts, entry) if state.state is PlayerState.LEFT else None,
        in_line=waiting_list_position(facts, entry.number)
        if state.state is PlayerState.WAITING
        else 0,
        started=facts.plan is not None,
        admits=accepts_late_players(facts),
        moved_up=moved_up_text(facts, entry.number),
        begun=facts.last_ordinal > 0,
        held=stage is not None and bool(stage.held),
    )


def _leavers_needed(facts: EventFacts, entry: Entry) -> int:
    """Return how many have to leave for a player who is out to advance, 0 if not next in line."""
    stage, found = facts.open_stage, public_prospects(facts).get(entry.number)
    if stage is None or found is None or found.verdict is not Verdict.OUT:
        return 0
    needed = count_needed_drops(stage.state, found, stage.used)
    return needed if needed <= NEXT_IN_LINE else 0


def _where(facts: EventFacts, state: PlayerPageState, match: OwnMatch | None) -> str:
    """Return the heading of the box: stage and round, or what the event is at."""
    if facts.event.state == Event.State.FINISHED:
        return _("The event is over")
    if facts.plan is None:
        return _("To come")
    if match is not None:
        return match.where
    stage, current = facts.open_stage, round_in_progress(facts)
    if all_matches_played(facts):
        return _("All matches have been played")
    if state.has_won:
        return _("Others are still playing")
    if not state.plays or stage is None:
        return _("Running now")
    return current.label if current else translate(stage.plan.label)


def link_by_organiser(facts: EventFacts, entry: Entry) -> PersonalLink | None:
    """Return a player's latest link if an organiser made or revoked it.

    One query if so, else None and no query.
    """
    return (
        latest_link_by_organiser(entry)
        if entry.pk in own_page_data(facts).link_by_organiser
        else None
    )


GROWING = ("version", "head", "screen_view", "prints_rounds")
"""Columns of an event that change with every act, or that no player is shown."""


def page_digest(
    facts: EventFacts, entry: Entry, window: DeckWindow, announced: Sequence[Announcement]
) -> str:
    """Return a digest of everything that a player's own page displays, for its ETag.

    ``window`` is the decklist editing window, ``announced`` the announcements. The queries are
    those of ``own_page_data`` and ``staff_decisions``.
    """
    marks = (
        get_language(),
        (entry.pk, entry.display_name, entry.number, entry.status),
        window.shown,
        [(each.pk, each.text) for each in announced],
        cached_value(facts, "event", lambda: _event(facts.event)),
        list(_matches(facts, entry)),
        _round_in_progress(facts),
        [(each.table, each.when, each.shared) for each in pending_replays(facts, of=entry.number)],
        list(_state(facts, entry)),
        own_standing(facts, entry),
        own_prospect(facts, entry),
        upcoming_matches(facts, entry),
        list(_marks_of_beside(facts, entry)),
    )
    return sha256(repr(marks).encode()).hexdigest()[:20]


def _event(event: Event) -> str:
    """Return a digest of an event's columns, without GROWING."""
    names = (field.attname for field in Event._meta.concrete_fields)
    marks = [getattr(event, name) for name in names if name not in GROWING]
    return sha256(repr(marks).encode()).hexdigest()


def _matches(facts: EventFacts, entry: Entry) -> Iterator[object]:
    entries_by_pk = facts.entries_by_pk
    sight = visible_decklists(Actor(entry=entry), facts.event)
    for _stage, match in player_matches(facts, entry):
        others = [entries_by_pk[key] for key in match.seats if key != entry.pk]
        decided = match.decision.pk if match.decision else 0
        yield (match.pk, match.version, match.state, decided, match.table, match.missed)
        yield (match.extra_minutes, match.best_of, match.seats, match.again, match.absent)
        for other in others:
            seen = other.submission_id if sight.reads(other) else None
            yield (other.number, other.display_name, seen)


def _state(facts: EventFacts, entry: Entry) -> Iterator[object]:
    state = current_page_state(facts, entry)
    yield state
    yield staff_decisions(facts, entry, plays=state.plays)
    yield next_round_number(facts), moved_up_text(facts, entry.number)
    yield entry.return_asked_at, entry.return_refused_at
    if entry.number in facts.entries:
        yield facts.entries[entry.number].departure
    if state.state is PlayerState.WAITING:
        yield waiting_list_position(facts, entry.number)
    if facts.plan is not None:
        yield all_matches_played(facts), is_tied_at_cut(facts, entry.number)
        yield name_of_dropped_predecessor(facts, entry) if state.state is PlayerState.OUT else ""
        yield finished_summary(facts, entry) if not state.plays else None
    if state.state is PlayerState.UNSURE:
        tables = count_deciding_tables(facts, entry.number)
        yield min(tables, MOST_COUNTED + 1), waits_for_random_draw(facts)
        yield deciding_result_lines(facts, entry), expected_decision_time(facts)


def _round_in_progress(facts: EventFacts) -> object:
    """Return key, label and clock version of the round in progress, None without one."""
    found = round_in_progress(facts)
    if found is None:
        return None
    clock = getattr(found.round_, "clock", None)
    return found.round_.pk, found.label, clock.version if clock else None


def _marks_of_beside(facts: EventFacts, entry: Entry) -> Iterator[object]:
    known = own_page_data(facts)
    yield known.legal.get(entry.pk)
    yield known.links.get(entry.pk)
    yield [penalty.pk for penalty in known.penalties.get(entry.pk, ())]
    for _stage, match in player_matches(facts, entry):
        call = known.calls.get(match.pk)
        yield (call.pk, call.taken_at) if call else None
        yield [(ruling.pk, ruling.text) for ruling in known.rulings.get(match.pk, ())]
