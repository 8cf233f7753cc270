"""A player's page of an event: match in progress, earlier matches, standing, decklist."""

from dataclasses import dataclass

from config.wording import translate
from rules.events.lifecycle import allowed
from tournaments.clock.selectors import ClockShown, current_clock
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.mapping import play_of
from tournaments.judging.selectors import call_at, rulings_on
from tournaments.models import DeckSubmission, Entry, Event, JudgeCall, PersonalLink, Ruling, Stage
from tournaments.penalties.selectors import OwnPenalty, own_penalties
from tournaments.personal.selectors.own_matches import MyMatch, own_matches
from tournaments.personal.selectors.upcoming_match import UpcomingMatches, upcoming_matches
from tournaments.players.selectors.players import link_to_tell
from tournaments.prospects.selectors.prospects import OwnProspect, own_prospect
from tournaments.standings.selectors.standings import StandingRow, StandingsTable, stage_standings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """The page of one player in one event. ``rests``: they do not play in the current round.

    ``clock``, ``call`` and ``rulings`` belong to the match in progress; ``call_reasons``
    are the game's reasons to call a judge. ``link`` is the latest personal link that an
    organiser has made for the player.
    """

    event: Event
    entry: Entry
    current: MyMatch | None
    rests: str
    matches: tuple[MyMatch, ...]
    table: StandingsTable | None
    row: StandingRow | None
    submission: DeckSubmission | None
    can_check_in: bool
    can_drop: bool
    penalties: tuple[OwnPenalty, ...]
    clock: ClockShown | None
    call: JudgeCall | None
    call_reasons: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    prospect: OwnProspect | None
    ahead: UpcomingMatches | None
    link: PersonalLink | None


def player_page(event: Event, entry: Entry, facts: EventFacts) -> PlayerPage:
    """Return the content of the player's page; thirteen queries whatever the event's size."""
    current = _current(facts, entry)
    matches = own_matches(facts, entry)
    now = next((m for m in matches if current and m.match.round_id == current[1]), None)
    table, row = _standing(facts, entry)
    before_start = event.plan is None
    return PlayerPage(
        event=event,
        entry=entry,
        current=now,
        rests=current[2] if current and now is None and _sits(current[0], entry) else "",
        matches=tuple(m for m in reversed(matches) if m is not now),
        table=table,
        row=row,
        submission=submission_of(entry) if event.decklists != Event.Decklists.OFF else None,
        can_check_in=before_start and allowed("entry", entry.status, "check_in"),
        can_drop=event.state != Event.State.FINISHED and allowed("entry", entry.status, "withdraw"),
        penalties=own_penalties(entry),
        clock=current_clock(facts, now.match.extra_minutes) if now and not now.is_final else None,
        call=call_at(now.match.pk) if now else None,
        call_reasons=tuple(map(translate, play_of(event).calls)) if now else (),
        rulings=rulings_on(now.match.pk) if now else (),
        prospect=own_prospect(facts, entry),
        ahead=upcoming_matches(facts, entry),
        link=link_to_tell(entry),
    )


def submission_of(entry: Entry) -> DeckSubmission | None:
    """Return the valid decklist of an entry; one query."""
    return DeckSubmission.objects.select_related("decklist").filter(current_of=entry).first()


def _current(facts: EventFacts, entry: Entry) -> tuple[StageFacts, int, str] | None:
    """Return (stage, round, round's label) in progress."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or stage.last_round is None:
        return None
    last = stage.last_round
    return stage, last.pk, round_label(stage, last)


def _sits(stage: StageFacts, entry: Entry) -> bool:
    return stage.stage.state == Stage.State.OPEN and entry.number in stage.state.players


def _standing(facts: EventFacts, entry: Entry) -> tuple[StandingsTable | None, StandingRow | None]:
    """Return the latest table in which the player stands, and the row."""
    for stage in stage_standings(facts):
        for table in stage.tables:
            for row in table.rows:
                if row.entry.pk == entry.pk and not table.compared:
                    return table, row
    return None, None
