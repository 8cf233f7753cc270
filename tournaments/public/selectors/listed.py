"""The list of events: progress of running ones, free places of upcoming ones, winners."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from config.wording import translate
from rules.events.clock import ClockState, face
from rules.formulas.adviser import matches_by_round
from rules.plans.plan import FormulaPlan, StagePlan
from rules.results import EndedBy
from rules.stages.kind import full_state, kind_of
from tournaments.clock.monotonic_clock import moment_now
from tournaments.clock.selectors import STORED, clock_from
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.mapping import plan_of
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import (
    EVERYTHING,
    EventCard,
    EventLists,
    Filters,
    event_lists,
)
from tournaments.models import Event, Match, Round
from tournaments.public.games import game_of
from tournaments.public.selectors.kept_by_head import kept_by_head
from tournaments.public.selectors.last_results import LastResult, last_results
from tournaments.public.selectors.tiles import scores_of
from tournaments.public.selectors.upcoming_event import Seats, seats_bar
from tournaments.standings.selectors.ranking import ranking_page

Won = tuple[tuple[str, ...], str, str]
"""Names of who won, of the second if there is one, and the score of their final."""
PublishedRound = tuple[int, int, int, int, list[Any]]
"""Its number, its stage's, its tables, those without a final result, columns of its clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardClock:
    """The clock of a round: ``until`` while it runs, else what it shows and ``words`` about that.

    An answer is kept for minutes: it holds the end and never what is left.
    """

    words: str
    face: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a running event is: ``percent`` of the matches of its whole formula are played.

    ``missing`` of ``tables`` of the round have no final result, ``clock`` is there while any has
    none.
    """

    words: str
    percent: int
    missing: int
    tables: int
    clock: CardClock | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An event in the list; only what fits its state is there."""

    card: EventCard
    game: str
    progress: Progress | None = None
    last: LastResult | None = None
    seats: Seats | None = None
    winners: tuple[str, ...] = ()
    second: str = ""
    score: str = ""

    @property
    def local(self) -> datetime:
        """Return when it begins, in its own zone."""
        return self.card.event.starts_at.astimezone(self.card.event.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The events that a reader may see, by state, with the pages that they are on."""

    running: tuple[Listed, ...]
    coming: tuple[Listed, ...]
    past: tuple[Listed, ...]
    going_page: Page[Any]
    past_page: Page[Any]

    @property
    def is_empty(self) -> bool:
        """Say whether there is no event in any state."""
        return not (self.running or self.coming or self.past)


def listed_events(
    actor: Actor,
    page: str | int = 1,
    going: str | int = 1,
    filters: Filters = EVERYTHING,
) -> Lists:
    """Return the lists; one query more than ``event_lists`` if an event runs.

    As long as the log of an event is the same, its last result is looked for once, with one query
    for all, and so are the winners of a finished one, with the queries of ``load_facts``.
    """
    found: EventLists = event_lists(actor, page, going, filters)
    running = [card.event for card in found.running]
    progress, last = _progress(running), last_results(running)
    winners = _winners([card.event for card in found.past])
    return Lists(
        running=tuple(
            Listed(
                card=card,
                game=_game(card),
                progress=progress.get(card.event.pk),
                last=last.get(card.event.pk),
            )
            for card in found.running
        ),
        coming=tuple(
            Listed(card=card, game=_game(card), seats=_seats(card)) for card in found.coming
        ),
        past=tuple(
            Listed(card=card, game=_game(card), **_won(winners.get(card.event.pk)))
            for card in found.past
        ),
        going_page=found.going_page,
        past_page=found.past_page,
    )


def _game(card: EventCard) -> str:
    return game_of(card.event.format)


def _seats(card: EventCard) -> Seats | None:
    capacity = card.event.capacity
    return seats_bar(card.players, capacity) if capacity else None


def _won(known: Won | None) -> dict[str, Any]:
    winners, second, score = known or ((), "", "")
    return {"winners": winners, "second": second, "score": score}


def _progress(running: Iterable[Event]) -> Mapping[int, Progress]:
    """Return the progress of each event; one query if there is any."""
    plans = {event.pk: (event, plan_of(event)) for event in running if event.plan}
    if not plans:
        return {}
    rows = (
        Match.objects.filter(round__event__in=plans, round__state=Round.State.PUBLISHED)
        .order_by("round__ordinal")
        .values_list(
            *("round__event", "round__ordinal", "round__stage__number"),
            *(f"round__clock__{column}" for column in STORED),
        )
        .annotate(
            tables=Count("pk", filter=Q(table__isnull=False)),
            missing=Count("pk", filter=~Q(state=Match.State.FINAL)),
        )
    )
    by_event: dict[int, list[PublishedRound]] = {}
    for event, ordinal, stage, *clock, tables, missing in rows:
        by_event.setdefault(event, []).append((ordinal, stage, tables, missing, clock))
    return {
        key: _so_far(event, plan, by_event.get(key, [])) for key, (event, plan) in plans.items()
    }


def _so_far(event: Event, plan: FormulaPlan, rounds: list[PublishedRound]) -> Progress:
    """Return the progress of an event from its published rounds."""
    total = sum(sum(matches_by_round(stage)) for stage in plan.stages)
    if not rounds:
        return Progress(words=_("about to begin"), percent=0, missing=0, tables=0)
    ordinal, number, tables, missing, clock = rounds[-1]
    made = sum(tables - left for _ordinal, _stage, tables, left, _clock in rounds)
    stage = plan.stages[number - 1]
    return Progress(
        words=_where(plan, stage, ordinal, sum(number == each[1] for each in rounds)),
        percent=max(2, min(99, round(100 * made / total))) if total else 0,
        missing=missing,
        tables=tables,
        clock=_clock(event, stage, clock) if missing else None,
    )


def _where(plan: FormulaPlan, stage: StagePlan, ordinal: int, made: int) -> str:
    """Return stage and round as the event's own page names them: "2 of 3", or "Semi-finals".

    In the only bracket of a plan the round's own name is enough. Extra matches after the last round
    of a stage have no number among its rounds.
    """
    total = len(matches_by_round(stage))
    values = {"stage": translate(stage.label), "round": ordinal, "made": made, "all": total}
    if made > total:
        return _("%(stage)s, round %(round)s") % values
    kind = kind_of(stage)
    if kind.has_table:
        return _("%(stage)s, round %(made)s of %(all)s") % values
    words = translate(kind.describe_round(full_state(stage), made))
    several = sum(kind_of(each).has_bracket for each in plan.stages) > 1
    return f"{values['stage']} · {words}" if several and words != values["stage"] else words


def _clock(event: Event, stage: StagePlan, stored: Iterable[Any]) -> CardClock:
    """Return the clock of a round that is being played."""
    if not stage.timed:
        return CardClock(words=_("no time limit"))
    clock, now = clock_from(stored, event.minutes), moment_now()
    left, state = clock.left(now), clock.state_at(now)
    if state in (ClockState.RUNNING, ClockState.OVER):
        end = now.at + timedelta(seconds=left + 0.5)
        return CardClock(words=_("time is up"), until=end.replace(microsecond=0))
    words = _("clock stopped") if state is ClockState.PAUSED else _("not started yet")
    return CardClock(words=words, face=face(left))


def _winners(past: Iterable[Event]) -> Mapping[int, Won]:
    """Return (winners, second, score) of finished events."""
    return kept_by_head(
        "winners", past, lambda events: {event.pk: _first_two(event) for event in events}
    )


def _first_two(event: Event) -> Won:
    facts = load_facts(event, drafts=False)
    podium = ranking_page(facts).podium
    first = [row.entry for row in podium if row.rank == 1]
    second = [row.entry for row in podium if row.rank == 2]
    names = tuple(entry.name for entry in first)
    if len(first) > 1 or len(second) != 1:
        return names, "", ""
    return names, second[0].name, _final_score(facts, first[0].pk, second[0].pk)


def _final_score(facts: EventFacts, first: int, second: int) -> str:
    """Return the score of the bracket's last match between two entries, that of the first before.

    Empty where the last stage is no bracket, or the match was not played.
    """
    if not facts.stages or not facts.stages[-1].kind.has_bracket:
        return ""
    found = [m for m in facts.stages[-1].matches if {m.a_id, m.b_id} == {first, second}]
    decision = found[-1].decision if found else None
    if decision is None or decision.ended_by not in (EndedBy.PLAYED, EndedBy.TIME):
        return ""
    scores = scores_of(decision)
    return "–".join(scores if found[-1].a_id == first else reversed(scores))


def filters_of(sent: Mapping[str, str]) -> Filters:
    """Return the filters of a request; invalid ones are ignored."""
    plain = {
        name: sent.get(name, "").replace("\x00", "").strip()[:80]
        for name in ("q", "game", "place", "month")
    }
    return Filters(
        words=plain["q"],
        game=plain["game"],
        place=plain["place"],
        month=_month(plain["month"]),
    )


def _month(text: str) -> tuple[datetime, datetime] | None:
    """Return the first moment of a month such as 2026-11, and that of the next one."""
    try:
        year, month = map(int, text.split("-"))
        first = datetime(year, month, 1, tzinfo=timezone.get_current_timezone())
        after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    except (ValueError, OverflowError):
        return None
    return first, after
