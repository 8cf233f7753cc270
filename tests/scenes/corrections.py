"""Acts by which a correction is carried through."""

from functools import partial
from typing import Any

from rules.matches.match_rules import Claim
from rules.matches.settling import settle
from tests import factories as make
from tests.scenes.base import SWISS, scene
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import correction_of
from tournaments.corrections.services import results as services
from tournaments.models import Event, Match

TURNED = Claim(games=("b", "b"))


def quarter_final(by: Actor) -> tuple[Event, Match, str]:
    """Return an event whose semi-finals are played, a quarter-final, and what turning it does."""
    event = make.halfway(by, 8, rounds=2, formula="single-elimination", format=SWISS["format"])
    related = Match.objects.select_related("round__event", "group__stage", "decision", "a", "b")
    match = related.get(round__event=event, round__ordinal=1, number=1)
    outcome = settle(match_rules(match, event), TURNED)
    return event, match, correction_of(load_facts(event), match, outcome).mark


def corrected(way: Any, match: Match, shown: str, by: Actor, **more: object) -> Any:
    return partial(
        way,
        match=match,
        version=match.version,
        claim=TURNED,
        reason="Slip",
        shown=shown,
        by=by,
        **more,
    )


@scene("correction.followed")
def _(by):
    event, match, shown = quarter_final(by)
    return event, corrected(services.follow, match, shown, by)


@scene("correction.taken_back")
def _(by):
    event, match, shown = quarter_final(by)
    return event, corrected(services.take_back, match, shown, by, confirm=event.name)
