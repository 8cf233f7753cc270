"""The page before the start: entrants, decklist faults, the draw and the seats it gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from config.wording import explain, translate
from decks.decklists.selectors import ViolationRow, violation_rows, violations_of
from rules.advancement.outcome import seat
from rules.errors import BadInput
from rules.events.timetable import breaks_of
from rules.formulas.forecast import EventTimes, end_of, moment_until, slots_of
from rules.plans import FormulaPlan, StagePlan, start_places
from rules.stages import kind_of
from rules.stages.base import StageState
from tournaments.core.draw_origins import draw_origins
from tournaments.core.formulas import plan_for
from tournaments.core.labels import clock_words
from tournaments.core.names import marks_in, tell_apart
from tournaments.decklists.selectors.rules import is_legal, rules_of_event
from tournaments.decklists.selectors.versions import in_grace
from tournaments.models import Draw, Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistFault:
    """A player whose decklist prevents the start."""

    entry: Entry

    @property
    def missing(self) -> bool:
        """Return whether the player has handed in none."""
        return self.entry.submission is None

    @property
    def problems(self) -> tuple[ViolationRow, ...]:
        """Return the errors of the decklist."""
        if self.entry.submission is None:
            return ()
        rows = violation_rows(violations_of(self.entry.submission.decklist))
        return tuple(row for row in rows if row.severity == "error")


def decklist_faults(event: Event) -> list[DecklistFault]:
    """Return the players whose decklist is missing or illegal under the present rules.

    Missing ones are included only if decklists are required. One query, plus those of
    `rules_of_event` if there are decklists; none if decklists are off.
    """
    if event.decklists == Event.Decklists.OFF:
        return []
    players = event.entries.playing().select_related("submission__decklist").order_by("number")
    rules = rules_of_event(event) if any(entry.submission_id for entry in players) else None
    faults = []
    for entry in players:
        if entry.submission is None:
            if event.decklists == Event.Decklists.REQUIRED:
                faults.append(DecklistFault(entry=entry))
        elif rules is not None and not is_legal(rules, entry.submission.decklist):
            faults.append(DecklistFault(entry=entry))
    return faults


def latest_start_draw(event: Event) -> Draw | None:
    """Return the draw with which the event would start, None if none; one query."""
    return event.draws.filter(kind=Draw.Kind.START).order_by("-number").first()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The groups or bracket that a draw would give; with ``by_points`` an order of players alone.

    ``groups`` of the first stage (or its bracket) have their name and players, ``later`` the label
    of a later stage and the players who enter there.
    """

    stage: str
    knockout: bool
    by_points: bool
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    matches: tuple[dict[str, Any], ...]
    later: tuple[tuple[str, tuple[str, ...]], ...]


def start_page(event: Event) -> dict[str, Any]:
    """Return the page before the start; eight queries at most, however many players.

    Everything shown before the start; ``refusal`` is why nothing can be drawn.

    ``late`` says that the event would end after the time by which it must; ``here`` is the number
    of entrants who are marked as present.
    ``byes`` are the players who were awarded byes, each with their rounds in words;
    ``byes_unused`` is why the first stage gives none of them, "" if it does.
    ``in_grace`` are the players whose decklists a judge has reopened for some minutes.
    """
    marks = marks_in(event)
    entrants = tell_apart(tuple(event.entries.playing().order_by("number")), marks)
    draw = latest_start_draw(event)
    plan, refusal = _plan_or_reason(event, len(entrants))
    pairs = [[entry.number, entry.seed] for entry in entrants]
    outdated = draw is not None and draw.entrants != pairs
    drawn = list(event.draws.exclude(kind=Draw.Kind.LOTS))
    faults = decklist_faults(event)
    tell_apart((fault.entry for fault in faults), marks)
    fits = plan is not None and draw is not None and not outdated
    return {
        "entrants": entrants,
        "faults": faults,
        "refusal": refusal,
        "late": _late_in_words(event, plan),
        "announced": next((d for d in drawn if d.state == Draw.State.ANNOUNCED), None),
        "draw": draw,
        "origin": draw_origins(event, drawn)[draw.number] if draw else None,
        "outdated": outdated,
        "preview": preview(plan, draw.order, entrants) if fits and plan and draw else None,
        "earlier": sum(d.kind == Draw.Kind.START for d in drawn) - (draw is not None),
        "here": sum(entry.status == Entry.Status.CHECKED_IN for entry in entrants),
        "byes": tuple((entry, _rounds_of_bye(entry.byes)) for entry in entrants if entry.byes),
        "byes_unused": _why_no_byes(plan) if plan else "",
        "in_grace": tuple(entry for entry in entrants if in_grace(event, entry)),
    }


def _rounds_of_bye(byes: int) -> str:
    if byes == 1:
        return _("round 1")
    return _("rounds 1 to %(last)s") % {"last": byes}


def _why_no_byes(plan: FormulaPlan) -> str:
    """Return why awarded byes are not given in the first stage, "" if they are."""
    kind = kind_of(plan.stages[0])
    if kind.honours_byes:
        return ""
    values = {"stage": translate(plan.stages[0].label)}
    if kind.has_bracket:
        words = _(
            "“%(stage)s” has only the byes of its bracket, which go to the first seeds: these are "
            "not given. A seed position does as much."
        )
    elif kind.all_meet:
        words = _("In “%(stage)s” everybody meets everybody: these byes are not given.")
    else:
        words = _("“%(stage)s” has byes by its own rules alone: these are not given.")
    return words % values


def preview(plan: FormulaPlan, order: list[int], entrants: tuple[Entry, ...]) -> Preview:
    """Return the seats of the first stage for an order of player numbers; no query."""
    first = plan.stages[0]
    names = {entry.number: entry.display_name for entry in entrants}
    places = dict(zip(start_places(len(order)), order, strict=True))
    seats = seat(first, places, {})
    return Preview(
        stage=translate(first.label),
        knockout=kind_of(first).has_bracket,
        by_points=kind_of(first).pairs_by_points,
        groups=tuple(
            (
                group.name if len(first.groups) > 1 else translate(first.label),
                tuple(names[n] for n in seats[group.name] if isinstance(n, int)),
            )
            for group in first.groups
        ),
        matches=_first_matches(first, seats, names) if kind_of(first).has_bracket else (),
        later=tuple(
            (
                translate(stage.label),
                tuple(
                    names[places[name]]
                    for group in stage.groups
                    for name in group.seats
                    if name in places
                ),
            )
            for stage in plan.stages[1:]
            if any(name in places for group in stage.groups for name in group.seats)
        ),
    )


def _first_matches(
    plan: StagePlan, seats: Mapping[str, tuple[object, ...]], names: Mapping[int, str]
) -> tuple[dict[str, Any], ...]:
    state = StageState(plan=plan, seats=seats, legs=plan.legs)  # type: ignore[arg-type]
    return tuple(
        {
            "number": pairing.number,
            "players": tuple(names[int(player)] for player in pairing.seats if player in names),
        }
        for pairing in kind_of(plan).next_round(state)
    )


def _late_in_words(event: Event, plan: FormulaPlan | None) -> str:
    if plan is None or event.ends_by is None:
        return ""
    start, zone = event.starts_at, event.zone
    until = moment_until(start, event.ends_by, zone)
    breaks = breaks_of(event.breaks)
    times = EventTimes(start=start, zone=zone, minutes=event.minutes, breaks=breaks)
    ends = end_of(slots_of(plan, times), times.between)
    if ends <= until:
        return ""
    return _("It can’t end by %(until)s: it ends around %(time)s.") % {
        "until": clock_words(until, start, zone),
        "time": clock_words(ends, start, zone),
    }


def _plan_or_reason(event: Event, players: int) -> tuple[FormulaPlan | None, str]:
    if not players:
        return None, _("There are no players yet.")
    try:
        return plan_for(event, players), ""
    except BadInput as error:
        return None, explain(error)
