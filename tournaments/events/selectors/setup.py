"""An event's steps from draft to finish, the next one and what blocks it."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.events.lifecycle import is_allowed
from rules.formulas.base import Formula
from tournaments.core.formulas import formula_of
from tournaments.models import Entry, Event, Stage
from tournaments.players.selectors.answers import is_closed_by_time
from tournaments.starting.selectors import decklist_faults

STEPS = ("draft", "registration", "closed", "running", "finished")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step from draft to finish; ``place`` is "done", "now" or "later"."""

    label: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Number of players by status."""

    playing: int
    checked_in: int
    waiting: int
    left: int

    @property
    def absent(self) -> int:
        """Return the number of players in the field who are not marked as present."""
        return self.playing - self.checked_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """A blocker of the start; ``filter`` selects the players concerned."""

    words: str
    filter: str = ""


def setup_of(event: Event) -> dict[str, Any]:
    """Return steps, counts and blockers of an event; at most two queries.

    The organiser's page. ``next`` is the code of the next step.

    ``for_waiting`` places are free while players wait, until the start.
    """
    counts = counts_of(event)
    formula = formula_of(event.formula)
    minimum = formula.minimum
    over = is_closed_by_time(event)
    here = STEPS.index(Event.State.CLOSED if over else event.state)
    moves = ("open_registration", "close_registration", "start", "finish", "reopen")
    return {
        "steps": tuple(
            Step(
                label=str(Event.State(key).label),
                place="done" if at < here else "now" if at == here else "later",
            )
            for at, key in enumerate(STEPS)
        ),
        "counts": counts,
        "blockers": tuple(_blockers(event, counts, formula)) if event.plan is None else (),
        "next": _next_step(event, counts, minimum),
        "moves": frozenset(
            move
            for move in moves
            if is_allowed("event", event.state, move)
            and not (over and move == "close_registration")
        ),
        "minimum": minimum,
        "for_waiting": _free_for_waiting(event, counts),
    }


def _free_for_waiting(event: Event, counts: Counts) -> int:
    if event.plan is not None:
        return 0
    free = counts.waiting if event.capacity is None else max(0, event.capacity - counts.playing)
    return min(counts.waiting, free)


def counts_of(event: Event) -> Counts:
    """Return the number of players by status; one query."""
    status = Entry.Status
    found = event.entries.aggregate(
        playing=Count("pk", filter=Q(status__in=[status.REGISTERED, status.CHECKED_IN])),
        checked_in=Count("pk", filter=Q(status=status.CHECKED_IN)),
        waiting=Count("pk", filter=Q(status=status.WAITING)),
        left=Count("pk", filter=Q(status__in=[status.WITHDRAWN, status.DISQUALIFIED])),
    )
    return Counts(**found)


def _next_step(event: Event, counts: Counts, minimum: int) -> str:
    if event.state == Event.State.RUNNING:
        return "desk" if event.stages.exclude(state=Stage.State.CLOSED).exists() else "finish"
    if event.state == Event.State.FINISHED:
        return "standings"
    if counts.playing < minimum:
        return "open" if event.state == Event.State.DRAFT else "players"
    return "start"


def _blockers(event: Event, counts: Counts, formula: Formula) -> list[Blocker]:
    found = []
    if counts.playing < formula.minimum:
        words = _("Players: %(players)s. The tournament format needs at least %(minimum)s.")
        found.append(Blocker(words=words % {"players": counts.playing, "minimum": formula.minimum}))
    if formula.maximum is not None and counts.playing > formula.maximum:
        words = _("Players: %(players)s. The tournament format is for at most %(maximum)s.")
        found.append(Blocker(words=words % {"players": counts.playing, "maximum": formula.maximum}))
    faults = decklist_faults(event)
    missing = sum(fault.missing for fault in faults)
    illegal = len(faults) - missing
    if missing:
        words = ngettext(
            "%(count)s player has no decklist.", "%(count)s players have no decklist.", missing
        )
        found.append(Blocker(words=words % {"count": missing}, filter="no-list"))
    if illegal:
        words = ngettext(
            "%(count)s decklist is illegal.", "%(count)s decklists are illegal.", illegal
        )
        found.append(Blocker(words=words % {"count": illegal}, filter="illegal"))
    return found
