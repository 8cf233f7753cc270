"""Events in which nothing separates some players, for tests of lots and extra matches."""

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match


def all_drawn(match: Match, index: int) -> Claim:
    """Return a drawn result, the same at every table."""
    return Claim(score=(20, 20))


def four_level(by: Actor) -> Event:
    """Return a group of four after a stage of draws; two players advance."""
    event = make.started(by, 4)
    make.play_stage(event, by, all_drawn)
    return event


def two_level(by: Actor) -> Event:
    """Return a group of four whose second and third are level for the second place to go on."""
    event = make.started(by, 4)
    (seats,) = load_facts(event).open_stage.state.seats.values()
    best, _second, _third, worst = seats

    def claims(match: Match, index: int) -> Claim:
        for number, made in ((best, 40), (worst, 10)):
            if match.players[0].number == number:
                return Claim(score=(made, 50 - made))
            if match.players[1].number == number:
                return Claim(score=(50 - made, made))
        return all_drawn(match, index)

    make.play_stage(event, by, claims)
    return event


def two_groups_level(by: Actor) -> Event:
    """Return two groups of four; of the first two players are level, of the other three."""
    event = make.started(by, 8, formula="groups-knockout")
    first, second = load_facts(event).open_stage.state.seats.values()
    ahead, behind = {first[0], second[0]}, {first[3]}

    def claims(match: Match, index: int) -> Claim:
        for numbers, made in ((ahead, 40), (behind, 10)):
            if match.players[0].number in numbers:
                return Claim(score=(made, 50 - made))
            if match.players[1].number in numbers:
                return Claim(score=(50 - made, made))
        return all_drawn(match, index)

    make.play_stage(event, by, claims)
    return event
