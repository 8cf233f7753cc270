"""What an event needs next, from draft to finish, and how many players it has."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from rules.events.lifecycle import is_allowed
from rules.formulas.base import Formula
from tournaments.core.formulas import formula_of
from tournaments.models import Entry, Event, Stage
from tournaments.players.selectors.answers import PLAYING, is_closed_by_time

MOVES = ("open_registration", "close_registration", "start", "finish", "reopen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The code of the ``next`` step, the ``moves`` that are possible, and the players.

    ``for_waiting`` places are free while players wait, until the start; ``wrong_size`` says that
    the tournament format needs more or fewer players, "" if it does not.
    """

    next: str
    moves: frozenset[str]
    playing: int
    for_waiting: int
    wrong_size: str


def setup_of(event: Event) -> Setup:
    """Return the next step of an event and its players; at most two queries."""
    playing, waiting = _counts(event)
    formula = formula_of(event.formula)
    over = is_closed_by_time(event)
    return Setup(
        next=_next_step(event, playing, formula.minimum),
        moves=frozenset(
            move
            for move in MOVES
            if is_allowed("event", event.state, move)
            and not (over and move == "close_registration")
        ),
        playing=playing,
        for_waiting=_free_for_waiting(event, playing, waiting),
        wrong_size=_wrong_size(event, formula, playing),
    )


def wrong_size(event: Event, players: int) -> str:
    """Return that an event before its start needs more or fewer players, "" if it does not."""
    return _wrong_size(event, formula_of(event.formula), players)


def _wrong_size(event: Event, formula: Formula, players: int) -> str:
    if event.plan is None and players < formula.minimum:
        words = _("Players: %(players)s. The tournament format needs at least %(minimum)s.")
        return words % {"players": players, "minimum": formula.minimum}
    if event.plan is None and formula.maximum is not None and players > formula.maximum:
        words = _("Players: %(players)s. The tournament format is for at most %(maximum)s.")
        return words % {"players": players, "maximum": formula.maximum}
    return ""


def _free_for_waiting(event: Event, playing: int, waiting: int) -> int:
    if event.plan is not None:
        return 0
    free = waiting if event.capacity is None else max(0, event.capacity - playing)
    return min(waiting, free)


def _counts(event: Event) -> tuple[int, int]:
    """Return the number of players in the field and on the waiting list; one query."""
    found = event.entries.aggregate(
        playing=Count("pk", filter=Q(status__in=PLAYING)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    return found["playing"], found["waiting"]


def _next_step(event: Event, playing: int, minimum: int) -> str:
    if event.state == Event.State.RUNNING:
        return "desk" if event.stages.exclude(state=Stage.State.CLOSED).exists() else "finish"
    if event.state == Event.State.FINISHED:
        return "standings"
    if playing < minimum:
        return "open" if event.state == Event.State.DRAFT else "players"
    return "start"
