"""Builders for tests: each shows what it relies on, and goes through the services."""

from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from decks.decklists.samples import sample_deck
from rules.errors import RuleError
from rules.matches.match_rules import Claim
from rules.people.person_names import read_people
from tests.recipes import recipe
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_defaults
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.events import services as events
from tournaments.lots import services as draws
from tournaments.models import DeckSubmission, Entry, Event, Match, Round, StaffRole
from tournaments.players.services import entries
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.stages import services as stages
from tournaments.starting import services as starting

NAMES = (
    *("Ada", "Bea", "Carlo", "Dora", "Elio", "Fosca", "Gino", "Hugo", "Ines", "Jole", "Karl"),
    *("Lia", "Mara", "Nino", "Olga", "Pino", "Quinto", "Rita", "Sara", "Tea", "Ugo", "Vera"),
)
EVENT: dict[str, Any] = {
    "name": "Trofeo di prova",
    "venue": "Sala grande",
    "starts_at": datetime(2026, 12, 5, 10, 0, tzinfo=ZoneInfo("Europe/Rome")),
    "format": "doomtrooper-original",
    "formula": "mutant-chronicles",
    "minutes": 50,
    "decklists": Event.Decklists.OFF,
    "here_minutes": 32_000,  # players may say that they are here whenever a test is run
}
WITH_THIRD_PLACE = ("swiss-cut", "groups-knockout", "single-elimination")
TABLES: dict[str, Any] = {
    "format": "thoom",
    "formula": "tables-cut",
    "options": {"rounds": 2, "cut": 4},
}
"""Settings of an event of tables of four and three: two rounds, then the best four."""
_numbers = count(1)


def refusal(act: Callable[..., object], *args: Any, **values: Any) -> str:
    """Return the code with which an act is refused, as it must be."""
    with pytest.raises(RuleError) as refused:
        act(*args, **values)
    return refused.value.code


def start_again() -> None:
    """Number users from 1 again: the same test makes the same people."""
    global _numbers
    _numbers = count(1)


def user(email: str = "", **fields: Any) -> User:
    """Return a user who can sign in with the password "girone-test"."""
    address = email or f"user{next(_numbers)}@example.org"
    name = fields.pop("name", address.partition("@")[0])
    return User.objects.create_user(address, "girone-test", name=name, **fields)


def organiser() -> Actor:
    """Return an actor who may create events."""
    return Actor(user=user())


def staff(event: Event, role: str = StaffRole.Role.JUDGE) -> Actor:
    """Return an actor with a role in the event."""
    person = user()
    StaffRole.objects.create(event=event, user=person, role=role)
    return Actor(user=person)


def event(by: Actor, **values: Any) -> Event:
    """Return an event in draft with :data:`EVENT`'s settings and the given ones.

    Brackets have a match for third place unless told otherwise: with all kinds of matches.
    """
    values = EVENT | values
    if values["formula"] in WITH_THIRD_PLACE:
        values["options"] = {"third_place": True} | values.get("options", {})
    return events.create_event(values=values, by=by)


def open_event(by: Actor, **values: Any) -> Event:
    """Return an event with registration open."""
    return events.change_event_state(event=event(by, **values), action="open_registration", by=by)


def player_name(index: int) -> str:
    """Return the name of the ``index``-th player, from 0."""
    lap, place = divmod(index, len(NAMES))
    return NAMES[place] if lap == 0 else f"{NAMES[place]} {lap + 1}"


def players(of: Event, how_many: int, by: Actor) -> list[Entry]:
    """Enter ``how_many`` players by paste; return their entries."""
    text = "\n".join(player_name(index) for index in range(how_many))
    return entries.add_entries(event=of, people=read_people(text), by=by)


def with_accounts(entries: Iterable[Entry]) -> None:
    """Give players accounts without password: gioca1@example.org, gioca2@example.org …"""
    for entry in entries:
        email = f"gioca{entry.number}@example.org"
        entry.user = User.objects.create(email=email, name=entry.name)
        entry.save(update_fields=["user"])


def players_more(of: Event, names: Iterable[str], by: Actor) -> list[Entry]:
    """Enter more players by paste."""
    return entries.add_entries(event=of, people=read_people("\n".join(names)), by=by)


def hand_in(entry: Entry, number: int = 1, by: Actor | None = None, **more: Any) -> DeckSubmission:
    """Hand in the ``number``-th legal list, by the player unless by somebody else."""
    text = sample_deck(entry.event.format, number)
    return decklists.submit_decklist(entry=entry, text=text, by=by or Actor(entry=entry), **more)


def with_decks(of: Event, by: Actor) -> None:
    """Hand in a legal list for everybody."""
    for index, entry in enumerate(of.entries.all()):
        decklists.submit_decklist(entry=entry, text=sample_deck(of.format, index), by=by)


@recipe
def started(by: Actor, how_many: int, *, seed: str = "seed", **values: Any) -> Event:
    """Return a running event with ``how_many`` players, drawn from a public seed."""
    fresh = open_event(by, **values)
    players(fresh, how_many, by)
    if fresh.decklists == Event.Decklists.REQUIRED:
        with_decks(fresh, by)
    draw = draws.draw_start_order(event=fresh, seed=seed, by=by)
    starting.start_event(event=fresh, draw_number=draw.number, by=by)
    return Event.objects.get(pk=fresh.pk)


def next_round(of: Event, by: Actor) -> Round:
    """Make and publish the next round of the stage in progress."""
    expected = load_facts(of).last_ordinal + 1
    return rounds.draft_round(event=of, expected_round=expected, publish=True, by=by)


@recipe
def playing(by: Actor, how_many: int, **values: Any) -> Event:
    """Return a running event whose first round is out."""
    running = started(by, how_many, **values)
    next_round(running, by)
    return running


def among(matches: Any, numbers: Iterable[int]) -> Any:
    """Return those of some matches of two in which both are among these players, by number."""
    both = [*numbers]
    first = matches.filter(match_seats__number=1, match_seats__entry__number__in=both)
    return first.filter(match_seats__number=2, match_seats__entry__number__in=both)


def pairs_of(matches: Iterable[Match]) -> list[tuple[int, ...]]:
    """Return the numbers of the players of matches, in the order of their seats."""
    return [tuple(player.number for player in match.players) for match in matches]


def a_wins(match: Match, index: int = 0) -> Claim:
    """Return a result that a wins, different from table to table where scores are.

    At a table of three and more another seat wins at each; every fourth is drawn.
    """
    if match.size > 2:
        if index % 4 == 3:
            return Claim(drawn=(1, 3))
        return Claim(first=1 + index % 3)
    if match.best_of > 1 or match_defaults(match.round.event).score == "games":
        return Claim(games=("a",) * (match.best_of // 2 + 1))
    return Claim(score=(40, 10 + index % 29))


def play_round(round_: Round, by: Actor, claims: Any = a_wins) -> None:
    """Enter a result at every table; ``claims`` makes one out of (match, index)."""
    going_on = round_.matches.exclude(state=Match.State.FINAL).select_related("round__event")
    for index, match in enumerate(going_on):
        claim = claims(match, index)
        results.decide_result(match=match, version=match.version, claim=claim, by=by)


def play_stage(of: Event, by: Actor, claims: Any = a_wins) -> None:
    """Play every round of the stage in progress that is not made yet."""
    while (stage := load_facts(of).open_stage) is not None and not stage.rounds_done:
        play_round(next_round(of, by), by, claims)


def draw_lots(of: Event, by: Actor) -> None:
    """Draw lots until every place of the stage in progress is decided."""
    while needed := load_facts(of).open_stage.outcome.lots_needed:
        draws.draw_tied_order(event=of, tied=needed[0], seed=str(needed[0]), by=by)


def close_stage(of: Event, by: Actor, **more: Any) -> None:
    """Close the stage in progress, which is played; lots are drawn where they are needed."""
    draw_lots(of, by)
    number = load_facts(of).open_stage.stage.number
    stages.close_stage(event=of, expected_stage=number, by=by, **more)


def play_event(of: Event, by: Actor, claims: Any = a_wins) -> Event:
    """Play an event to its end, drawing lots where they are needed."""
    while load_facts(of).open_stage is not None:
        play_stage(of, by, claims)
        close_stage(of, by)
    return events.change_event_state(event=of, action="finish", by=by)


@recipe
def halfway(by: Actor, how_many: int, *, rounds: int = 1, **values: Any) -> Event:
    """Return a running event with ``rounds`` rounds played; player a wins each match."""
    running = started(by, how_many, **values)
    for _round in range(rounds):
        play_round(next_round(running, by), by)
    return Event.objects.get(pk=running.pk)


@recipe
def stage_played(by: Actor, how_many: int, **values: Any) -> Event:
    """Return a running event whose first stage is played and not closed; a wins each match."""
    running = started(by, how_many, **values)
    play_stage(running, by)
    return Event.objects.get(pk=running.pk)


@recipe
def played(by: Actor, how_many: int, **values: Any) -> Event:
    """Return an event with ``how_many`` players, played to its end."""
    return play_event(started(by, how_many, **values), by)
