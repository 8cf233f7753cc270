"""Demo events with brackets: a double elimination, and a saved formula."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone, translation

from config.wording import translate
from rules.formulas.custom import write_definition
from rules.formulas.examples import CONSOLATION
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.demo.people import give_staff_roles
from tournaments.demo.playing import Play
from tournaments.events.services.events import create_event, move_event
from tournaments.formulas.services import save_formula
from tournaments.models import Event
from tournaments.rounds.selectors.discards import accepted_names
from tournaments.rounds.services import discard_round

ZONE = ZoneInfo("Europe/Rome")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoEvent:
    """A demo event, the point of its life, and personal links as pairs (name, token)."""

    event: Event
    point: str
    links: tuple[tuple[str, str], ...] = ()


def create_demo_event(by: Actor, slug: str, name: str, days: int, **values: Any) -> Event:
    """Create an event ``days`` from now, at ten in the morning, with the demo's staff."""
    day = timezone.localtime(timezone=ZONE).date() + timedelta(days=days)
    event = create_event(
        values={
            "slug": f"demo-{slug}",
            "name": name,
            "venue": "Sala della Luna",
            "starts_at": datetime(day.year, day.month, day.day, 10, tzinfo=ZONE),
            "format": "doomtrooper-original",
            "formula": "mutant-chronicles",
        }
        | values,
        by=by,
    )
    give_staff_roles(event, by)
    return event


def with_registration_open(event: Event, by: Actor) -> Event:
    """Open an event's registration."""
    return move_event(event=event, action="open_registration", by=by)


LANGUAGE = "it"  # the demo's events have Italian names


def double_elimination(by: Actor) -> DemoEvent:
    """Return a running double elimination with one result missing in round 3.

    The round was discarded once with a result in it, so there is a snapshot.
    """
    event = create_demo_event(
        by,
        "double-elimination",
        "Sfida dei Due Tabelloni",
        0,
        format="saint-seiya",
        formula="double-elimination",
        decklists=Event.Decklists.OFF,
    )
    play = Play(with_registration_open(event, by), by, "double")
    play.fill(8)
    play.start()
    for _round in range(2):
        play.enter_results(play.next_round())
    third = play.next_round()
    play.enter_results(third, how_many=1)
    facts = load_facts(play.event)
    if facts.open_stage is not None:
        name, *_others = accepted_names(facts.open_stage, third)
        discard_round(event=play.event, ordinal=third.ordinal, confirm=name, by=by)
    play.enter_results(play.next_round(), how_many=1)
    return DemoEvent(event=play.event, point="double elimination, somebody is out")


def own_formula(by: Actor) -> DemoEvent:
    """Return a running event with a saved formula in which quarter-final losers play for places."""
    if by.user is None:
        raise LookupError("A formula belongs to somebody.")
    with translation.override(LANGUAGE):
        data = write_definition(CONSOLATION.definition(translate))
    saved = save_formula(owner=by.user, data=data)
    event = create_demo_event(
        by,
        "places",
        "Gran Premio dei Piazzamenti",
        0,
        formula=saved.slug,
        decklists=Event.Decklists.OFF,
    )
    play = Play(with_registration_open(event, by), by, "places")
    play.fill(12)
    play.start()
    for _stage in ("groups", "quarter-finals"):
        play.play_stage()
        play.close_stage()
    play.enter_results(play.next_round(), how_many=1)
    return DemoEvent(event=play.event, point="own formula, losers of quarter-finals play on")
