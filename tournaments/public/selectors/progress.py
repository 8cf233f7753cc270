"""How far a running event is, for its card in the list of events."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from config.wording import translate
from rules.events.clock import ClockState, face
from rules.formulas.durations import matches_by_round
from rules.plans.plan import FormulaPlan, StagePlan
from rules.stages.kind import full_state, kind_of
from tournaments.core.clocks import STORED, clock_from
from tournaments.core.mapping import plan_of
from tournaments.core.monotonic_clock import moment_now
from tournaments.models import Event, Match, Round
from tournaments.models.match import put_up

PublishedRound = tuple[int, int, int, int, list[Any], int]
"""Its number, its stage's, its tables, those without a final result, columns of its clock, and the
matches of earlier rounds that were played beside it."""


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
    """The progress of a running event: ``percent`` of its formula's matches are played.

    ``missing`` of ``tables`` of the round, with those beside it, have no final result; ``clock`` is
    there while any of the round has none. ``over``: nothing is left to play.
    """

    words: str
    percent: int
    missing: int
    tables: int
    over: bool = False
    clock: CardClock | None = None


def published_rounds(running: Iterable[Event]) -> Mapping[int, list[PublishedRound]]:
    """Return the published rounds of each event; one query, two if any match was put up again."""
    started = [event.pk for event in running if event.plan]
    if not started:
        return {}
    rows = (
        Match.objects.filter(round__event__in=started, round__state=Round.State.PUBLISHED)
        .order_by("round__ordinal")
        .values_list(
            *("round__event", "round__ordinal", "round__stage__number"),
            *(f"round__clock__{column}" for column in STORED),
        )
        .annotate(
            tables=Count("pk", filter=Q(table__isnull=False)),
            missing=Count("pk", filter=~Q(state=Match.State.FINAL)),
            given=Count("pk", filter=~Q(earlier=[])),
        )
    )
    beside = _played_beside({event for event, *_columns, given in rows if given})
    by_event: dict[int, list[PublishedRound]] = {}
    for event, ordinal, stage, *clock, tables, missing, _given in rows:
        played = beside[event, ordinal]
        by_event.setdefault(event, []).append((ordinal, stage, tables, missing, clock, played))
    return by_event


def _played_beside(events: Collection[int]) -> Counter[tuple[int, int]]:
    """Return how many matches of earlier rounds were played beside each round of events."""
    final = Match.objects.filter(round__event__in=events, state=Match.State.FINAL)
    given = final.exclude(earlier=[]).values_list("round__event", "earlier") if events else ()
    return Counter((event, put_up(earlier).get("beside", 0)) for event, earlier in given)


def progress_of(event: Event, rounds: list[PublishedRound]) -> Progress | None:
    """Return the progress of an event from its published rounds; no query."""
    return _so_far(event, plan_of(event), rounds) if event.plan else None


def _so_far(event: Event, plan: FormulaPlan, rounds: list[PublishedRound]) -> Progress:
    """Return the progress of an event from its published rounds."""
    total = sum(sum(matches_by_round(stage)) for stage in plan.stages)
    if not rounds:
        return Progress(words=_("about to begin"), percent=0, missing=0, tables=0)
    ordinal, number, tables, missing, clock, beside = rounds[-1]
    made = sum(tables - left for _ordinal, _stage, tables, left, *_more in rounds)
    waiting = sum(each[3] for each in rounds[:-1] if each[1] == number)
    stage = plan.stages[number - 1]
    in_stage = sum(number == each[1] for each in rounds)
    last = number == len(plan.stages) and in_stage >= len(matches_by_round(stage))
    return Progress(
        words=_stage_and_round(plan, stage, ordinal, in_stage),
        percent=max(2, min(99, round(100 * made / total))) if total else 0,
        missing=missing + waiting,
        tables=tables + waiting + beside,
        over=last and not missing and not waiting,
        clock=_clock(event, stage, clock) if missing else None,
    )


def _stage_and_round(plan: FormulaPlan, stage: StagePlan, ordinal: int, made: int) -> str:
    """Return stage and round as the event's own page names them: "2 of 3", or "Semi-finals".

    In the only bracket of a plan the round's own name is enough. Extra matches after the last round
    of a stage have no number among its rounds.
    """
    total = len(matches_by_round(stage))
    values = {"stage": translate(stage.label), "round": ordinal, "made": made, "all": total}
    if made > total:
        return _("%(stage)s, round %(round)s") % values
    kind = kind_of(stage)
    if not kind.names_rounds:
        return _("%(stage)s, round %(made)s of %(all)s") % values
    words = translate(kind.describe_round(full_state(stage), made))
    several = sum(kind_of(each).names_rounds for each in plan.stages) > 1
    return f"{values['stage']} · {words}" if several and words != values["stage"] else words


def _clock(event: Event, stage: StagePlan, stored: Iterable[Any]) -> CardClock:
    """Return the clock of an event's latest round; ``stored`` are its columns ``clocks.STORED``."""
    if not stage.timed:
        return CardClock(words=_("no time limit"))
    clock, now = clock_from(stored, event.minutes), moment_now()
    left, state = clock.left(now), clock.state_at(now)
    if state in (ClockState.RUNNING, ClockState.OVER):
        end = now.at + timedelta(seconds=left + 0.5)
        return CardClock(words=_("time is up"), until=end.replace(microsecond=0))
    words = _("clock stopped") if state is ClockState.PAUSED else _("not started yet")
    return CardClock(words=words, face=face(left))
