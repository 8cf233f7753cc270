"""The page before the start: what blocks it or needs an answer, and an order that was drawn."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from config.wording import error_message, translate
from decks.decklists.selectors import ViolationRow, stored_violations, violation_rows
from rules.advancement.outcome import seat_players
from rules.errors import BadInput
from rules.events.timetable import read_breaks
from rules.formulas.forecast import EventTimes, end_time, next_time_of_day, plan_slots
from rules.plans import FormulaPlan, StagePlan, start_places
from rules.stages import stage_kind
from rules.stages.base import StageState
from tournaments.core.formulas import build_plan
from tournaments.core.labels import time_and_day_text
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.decklists.selectors.rules import event_deck_rules, is_legal
from tournaments.models import Draw, Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistFault:
    """A player whose missing or illegal decklist prevents the start."""

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
        rows = violation_rows(stored_violations(self.entry.submission.decklist))
        return tuple(row for row in rows if row.severity == "error")


def decklist_faults(event: Event) -> list[DecklistFault]:
    """Return the players whose decklist is missing or illegal now.

    Missing ones count if decklists are required. One query, and those of `event_deck_rules` if
    there are decklists; none if decklists are off.
    """
    if event.decklists == Event.Decklists.OFF:
        return []
    players = event.entries.playing().select_related("submission__decklist").order_by("number")
    rules = event_deck_rules(event) if any(entry.submission_id for entry in players) else None
    faults = []
    for entry in players:
        if entry.submission is None:
            if event.decklists == Event.Decklists.REQUIRED:
                faults.append(DecklistFault(entry=entry))
        elif rules is not None and not is_legal(rules, entry.submission.decklist):
            faults.append(DecklistFault(entry=entry))
    return faults


def latest_start_draw(event: Event) -> Draw | None:
    """Return the latest random draw of the starting order, None without one; one query."""
    return event.draws.filter(kind=Draw.Kind.START).order_by("-number").first()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPreview:
    """The groups or bracket that a starting order would give, as names.

    ``groups``: (name, players) of the first stage; ``matches``: its first matches, as dicts, if it
    is a bracket (``knockout``); ``later``: (stage, players who enter there).
    """

    stage: str
    knockout: bool
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    matches: tuple[dict[str, Any], ...]
    later: tuple[tuple[str, tuple[str, ...]], ...]


def start_page(event: Event) -> dict[str, Any]:
    """Return the template context of the page before the start; 8 queries at most.

    Keys: ``refusal``: text, why the event can't start; ``words``: label of the button; ``absent``:
    players not checked in if others are; ``late``: text that warns of an end after the latest time;
    ``byes_unused``: text, why awarded byes have no effect, "" if they do.

    ``draw``: a random draw that fits the present players; ``outdated``: one made by hand that
    doesn't; ``preview``: seats given by ``draw``, None if the first stage is Swiss.
    """
    marks = load_name_marks(event)
    entrants = attach_name_marks(tuple(event.entries.playing().order_by("number")), marks)
    latest = latest_start_draw(event)
    plan, refusal = _plan_or_reason(event, len(entrants))
    fits = latest is not None and latest.entrants == [[one.number, one.seed] for one in entrants]
    draw = latest if fits else None
    faults = decklist_faults(event)
    attach_name_marks((fault.entry for fault in faults), marks)
    seated = plan is not None and not stage_kind(plan.stages[0]).pairs_by_points
    return {
        "entrants": entrants,
        "faults": faults,
        "refusal": refusal,
        "words": _words_of(event, plan),
        "late": _late_in_words(event, plan),
        "absent": _absent_beside_others(entrants),
        "byes_unused": _why_no_byes(plan) if plan and any(one.byes for one in entrants) else "",
        "draw": draw,
        "outdated": latest if latest is not None and latest.by_hand and not fits else None,
        "seated": seated,
        "preview": preview_seats(plan, draw.order, entrants) if seated and plan and draw else None,
    }


def start_words(event: Event, players: int | None = None) -> str:
    """Return the label of the start button; one query without ``players``, their number."""
    if players is None:
        players = event.entries.playing().count()
    plan, _refusal = _plan_or_reason(event, players)
    return _words_of(event, plan)


def _words_of(event: Event, plan: FormulaPlan | None) -> str:
    first = plan.stages[0] if plan else None
    if first is not None and stage_kind(first).all_meet and len(first.groups) > 1:
        return _("Draw the groups")
    if first is not None and event.paired_elsewhere and stage_kind(first).pairs_by_points:
        return _("Start the event")
    return _("Pair round 1")


def has_absent_players(event: Event) -> bool:
    """Return whether some players are not checked in while others are; one query."""
    return bool(_absent_beside_others(tuple(event.entries.playing())))


def _absent_beside_others(entrants: Collection[Entry]) -> tuple[Entry, ...]:
    absent = tuple(one for one in entrants if one.status != Entry.Status.CHECKED_IN)
    return absent if len(absent) < len(entrants) else ()


def _why_no_byes(plan: FormulaPlan) -> str:
    """Return why awarded byes are not given in the first stage, "" if they are."""
    kind = stage_kind(plan.stages[0])
    if kind.honours_byes:
        return ""
    values = {"stage": translate(plan.stages[0].label)}
    return _("Byes given to players don’t apply in “%(stage)s”.") % values


def preview_seats(plan: FormulaPlan, order: list[int], entrants: tuple[Entry, ...]) -> SeatPreview:
    """Return the seats of the first stage for a starting order; no query.

    ``order``: player numbers.
    """
    first = plan.stages[0]
    names = {entry.number: entry.display_name for entry in entrants}
    places = dict(zip(start_places(len(order)), order, strict=True))
    seats = seat_players(first, places, {})
    return SeatPreview(
        stage=translate(first.label),
        knockout=stage_kind(first).has_bracket,
        groups=tuple(
            (
                group.name if len(first.groups) > 1 else translate(first.label),
                tuple(names[n] for n in seats[group.name] if isinstance(n, int)),
            )
            for group in first.groups
        ),
        matches=_first_matches(first, seats, names) if stage_kind(first).has_bracket else (),
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
        for pairing in stage_kind(plan).next_round(state)
    )


def _late_in_words(event: Event, plan: FormulaPlan | None) -> str:
    if plan is None or event.ends_by is None:
        return ""
    start, zone = event.starts_at, event.zone
    until = next_time_of_day(start, event.ends_by, zone)
    breaks = read_breaks(event.breaks)
    times = EventTimes(start=start, zone=zone, minutes=event.minutes, breaks=breaks)
    ends = end_time(plan_slots(plan, times), times.between)
    if ends <= until:
        return ""
    return _("Ends around %(time)s, but must end by %(until)s.") % {
        "until": time_and_day_text(until, start, zone),
        "time": time_and_day_text(ends, start, zone),
    }


def _plan_or_reason(event: Event, players: int) -> tuple[FormulaPlan | None, str]:
    if not players:
        return None, _("There are no players yet.")
    try:
        return build_plan(event, players), ""
    except BadInput as error:
        return None, error_message(error)
