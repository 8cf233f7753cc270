"""Columns, boxes and lines of formula and bracket diagrams."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.plans.places import WinnerOf
from rules.plans.plan import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages.kind import shape_of
from tournaments.core.event_state import EventFacts
from tournaments.core.labels import place_from, place_label
from tournaments.core.match_names import numbers_in_round
from tournaments.core.places import known_places
from tournaments.core.rows import AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A seat or side of a match: the place in words, and its holder if known.

    ``code`` is the place's label, for pictures without room for words beside a name; ``short`` says
    ``place`` where there is little room, "" if nothing shorter is needed.
    """

    place: str
    entry: AnyEntry | None = None
    mark: str = ""
    strong: bool = False
    code: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A group or bracket match; ``feeds`` is the number of the match its winner goes to."""

    heading: str
    lines: tuple[Line, ...]
    number: int = 0
    feeds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A group stage, or a round of a bracket; ``first`` marks the first column of a stage.

    ``at`` is its position in the stage, from 1, if not the next one; ``below`` places it under
    the earlier columns, as for a lower bracket. ``short`` is the round's label without the stage,
    ``opens`` the label of the bracket that begins with it.
    """

    stage: str
    heading: str
    state: str
    first: bool
    boxes: tuple[Box, ...]
    goes_on: str = ""
    at: int = 0
    below: bool = False
    short: str = ""
    opens: str = ""


@dataclass(frozen=True, kw_only=True)
class Known:
    """Entries and place holders known while the columns are built, and the plan's stages."""

    entries: Mapping[PlayerId, AnyEntry]
    stages: tuple[StagePlan, ...]
    places: dict[str, PlayerId] = field(default_factory=dict)

    def line(self, place: str, number: PlayerId | None = None, **more: object) -> Line:
        """Return the line of a place, with its holder if known."""
        holder = number if number is not None else self.places.get(place)
        words, code, short = self.words(place), place_label(place), self.short(place)
        entry = self.entry(holder)
        return Line(place=words, code=code, short=short, entry=entry, **more)  # type: ignore[arg-type]

    def short(self, place: str) -> str:
        """Return a place that is won in a preliminary where there is little room, "" of others."""
        for plan in self.stages:
            won = next((each for each in plan.places if each.name == place), None)
            if isinstance(won, WinnerOf) and plan.survivors > 1:
                (match,) = [each for each in shape_of(plan) if each.number == won.match]
                number, _of = numbers_in_round(plan).get(won.match, (0, 0))  # none of a bye
                return winner_in_short(match.round, number) if number else ""
        return ""

    def words(self, place: str) -> str:
        """Return a place in words, as a line of its own begins."""
        return capfirst(place_from(self.stages, place))

    def entry(self, number: PlayerId | None) -> AnyEntry | None:
        """Return the entry with a player's number."""
        return self.entries.get(number) if number is not None else None


def winner_in_short(level: int, number: int) -> str:
    """Return who wins a match of a round, by their numbers."""
    return _("Winner, round %(round)s · %(number)s") % {"round": level, "number": number}


def known_of(facts: EventFacts, plan: FormulaPlan | None = None, *, holders: bool = True) -> Known:
    """Return what is known of an event; ``plan`` is the provisional one before the start.

    Without ``holders`` places are not filled but by the stage that is drawn.
    """
    plan = plan or facts.plan
    return Known(
        entries=facts.entries,
        stages=plan.stages if plan else (),
        places=known_places(facts) if holders else {},
    )
