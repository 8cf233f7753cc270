"""Acts by which a correction is carried through."""

from functools import partial
from typing import Any

from rules.matches.match_rules import Claim
from rules.matches.settling import resolve_claim
from tests import factories as make
from tests.scenes.base import GROUP, SWISS, scene
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import FOLLOW, TAKE_BACK, result_correction
from tournaments.corrections.selectors.start import (
    player_correction,
    seeds_correction,
    starting_order,
)
from tournaments.corrections.services import results as services
from tournaments.corrections.services.carrying import correct_seeds
from tournaments.corrections.services.results import correct_player, find_replacement
from tournaments.models import Event, Match

TURNED = Claim(games=("b", "b"))


def quarter_final(by: Actor) -> tuple[Event, Match, str]:
    """Return an event whose semi-finals are played, a quarter-final, and what turning it does."""
    event = make.halfway(by, 8, rounds=2, formula="single-elimination", format=SWISS["format"])
    related = Match.objects.select_related("round__event", "group__stage", "decision")
    match = related.get(round__event=event, round__ordinal=1, number=1)
    outcome = resolve_claim(match_rules(match, event), TURNED)
    return event, match, result_correction(load_facts(event), match, outcome).mark


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
    return event, corrected(services.correct_and_reseat, match, shown, by)


@scene("correction.taken_back")
def _(by):
    event, match, shown = quarter_final(by)
    return event, corrected(
        services.correct_and_delete_rounds, match, shown, by, confirm=event.name
    )


def first_and_last(event: Event) -> dict[int, int | None]:
    """Return seeds by which the first and the last of the start change places."""
    first, *others, last = map(int, starting_order(load_facts(event)))
    return {last: 1, **{player: at for at, player in enumerate(others, start=2)}, first: 99}


@scene("seeds.corrected")
def _(by):
    event = make.playing(by, 8, formula="single-elimination", format=SWISS["format"])
    seeds = first_and_last(event)
    mark = seeds_correction(load_facts(event), seeds).mark
    values = {"event": event, "seeds": seeds, "shown": mark, "reason": "Old list", "by": by}
    return event, partial(correct_seeds, way=FOLLOW, **values)


@scene("seeds.taken_back")
def _(by):
    event = make.halfway(by, 8, formula="single-elimination", format=SWISS["format"])
    seeds = first_and_last(event)
    mark = seeds_correction(load_facts(event), seeds).mark
    values = {"event": event, "seeds": seeds, "shown": mark, "reason": "Old list", "by": by}
    return event, partial(correct_seeds, way=TAKE_BACK, confirm=event.name, **values)


def not_in(by: Actor, way: str, **more: str) -> tuple[Event, Any]:
    event = make.halfway(by, 6, **GROUP)
    facts, entry = load_facts(event), event.entries.get(number=1)
    mark = player_correction(facts, 1, find_replacement(facts, None, more.get("name", ""))).mark
    values = {"entry": entry, "way": way, "shown": mark, "reason": "Another person", "by": by}
    return event, partial(correct_player, **values, **more)


@scene("player.replaced")
def _(by):
    return not_in(by, FOLLOW, name="Elena Gatti")


@scene("player.taken_back")
def _(by):
    event, act = not_in(by, TAKE_BACK)
    return event, partial(act, confirm=event.name)
