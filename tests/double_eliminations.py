"""Events of a double elimination."""

from django.utils.translation import override

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.lots import services as draws
from tournaments.models import Entry, Event, Match
from tournaments.personal.selectors.rounds import upcoming_matches
from tournaments.players.services.seeds import change_seeds
from tournaments.starting import services as starting


def double_elimination(by: Actor, how_many: int = 8, **values: object) -> Event:
    """Return an event in which the seeds are the players' numbers."""
    fresh = make.open_event(
        by, formula="double-elimination", format="creatures-of-exo", decklists="off", **values
    )
    make.players(fresh, how_many, by)
    change_seeds(event=fresh, seeds={n: str(n) for n in range(1, how_many + 1)}, by=by)
    draw = draws.draw_start_order(event=fresh, seed="seed", by=by)
    starting.start_event(event=fresh, draw_number=draw.number, by=by)
    return Event.objects.get(pk=fresh.pk)


def seed_wins(match: Match, _index: int = 0) -> Claim:
    first = match.players[0].number < match.players[1].number
    return Claim(games=("a" if first else "b",) * 2)


def other_wins(match: Match, _index: int = 0) -> Claim:
    first = match.players[0].number < match.players[1].number
    return Claim(games=("b" if first else "a",) * 2)


def play(event: Event, by: Actor, how_many: int) -> None:
    for _round in range(how_many):
        make.play_round(make.next_round(event, by), by, seed_wins)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def entry(event: Event, number: int) -> Entry:
    return event.entries.get(number=number)


def ahead(event: Event, number: int) -> tuple[str, ...] | None:
    with override("en"):
        found = upcoming_matches(load_facts(event, for_staff=False), entry(event, number))
    return ("out",) if found and found.is_out else found.sentences if found else None
