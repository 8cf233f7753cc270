"""Invented events for trials, made through the services.

``create_demo_site`` makes one event at each point of its life; events are filled and played by
chance from a fixed seed.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count, islice
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from accounts.models import User
from config.wording import translate
from decks.decklists.samples import sample_deck
from rules.events.clock import ClockAction
from rules.formulas.custom import definition_to_json
from rules.formulas.starting_points import CONSOLATION
from rules.matches.match_rules import Claim, MatchRules, result_presets
from rules.people.person_names import Person
from rules.results import MatchEnding
from tournaments.checks.services import begin_table_check, finish_check, replace_ticks
from tournaments.clock.services import run_clock
from tournaments.core.event_state import StageFacts, load_facts
from tournaments.core.mapping import match_rules_without_marks
from tournaments.core.permissions import Actor
from tournaments.decklists.services import publish_decklists, submit_decklist
from tournaments.events.services import change_event_state, create_event
from tournaments.formulas.services import save_formula
from tournaments.judging.services import add_ruling, add_staff_note, call_judge, create_announcement
from tournaments.lots.services import draw_start_order, draw_tied_order
from tournaments.models import DeckCheck, Event, Match, Penalty, Round, StaffRole, Stage
from tournaments.player_pages.services import publish_profile
from tournaments.players.services.entries import add_entries, make_link, register
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import decide_result
from tournaments.rounds.selectors.discards import accepted_names
from tournaments.rounds.services import discard_round, draft_round
from tournaments.series.services import create_series
from tournaments.staff.services import give_role
from tournaments.stages.services import close_stage
from tournaments.starting.services import start_event

_FIRST = (
    *("Ada", "Alba", "Aldo", "Anna", "Bice", "Bruno", "Carla", "Cesare", "Chiara", "Dario"),
    *("Diana", "Elio", "Elsa", "Enea", "Ester", "Fabio", "Flora", "Gaia", "Gino", "Greta"),
    *("Guido", "Ilda", "Irene", "Ivo", "Jole", "Lara", "Leo", "Livia", "Luca", "Lucia"),
    *("Marco", "Mara", "Mirko", "Nadia", "Nico", "Nora", "Olga", "Oscar", "Paola", "Pietro"),
    *("Rita", "Rocco", "Sara", "Silvio", "Tea", "Tito", "Ugo", "Vera", "Vito", "Zoe"),
)
_SECOND = ("", " B.", " C.", " D.", " F.", " G.", " L.", " M.", " P.", " R.", " S.", " T.", " V.")


def demo_names(how_many: int) -> list[str]:
    """Return a number of different names for demo players, always the same ones."""
    return list(islice(_names(), how_many))


def _names() -> Iterator[str]:
    for lap in count():
        turn, letter = divmod(lap, len(_SECOND))
        ending = _SECOND[letter] + (f" {turn + 1}" if turn else "")
        yield from (f"{first}{ending}" for first in _FIRST)


DRAWN_SHARE = 0.08  # of the matches that may be drawn

Chooser = Callable[[Match, MatchRules], Claim]


@dataclass
class EventSimulation:
    """Plays an event through the services, as the actor ``by``.

    Results are random, from ``seed``.
    """

    event: Event
    by: Actor
    seed: str

    def fill(self, how_many: int) -> None:
        """Enter invented players, with legal decklists if the event collects them."""
        add_entries(
            event=self.event, people=[Person(name) for name in demo_names(how_many)], by=self.by
        )
        if self.event.decklists == Event.Decklists.OFF:
            return
        for entry in self.event.entries.order_by("number"):
            text = sample_deck(self.event.format, entry.number)
            submit_decklist(entry=entry, text=text, by=self.by)

    def start(self) -> None:
        """Draw the start order from the seed and start the event."""
        draw = draw_start_order(event=self.event, seed=self.seed[:64], by=self.by)
        start_event(event=self.event, draw_number=draw.number, by=self.by)
        self.event.refresh_from_db()

    def next_round(self) -> Round:
        """Draft and publish the next round."""
        expected = load_facts(self.event).last_ordinal + 1
        return draft_round(event=self.event, expected_round=expected, publish=True, by=self.by)

    def enter_results(
        self, round_: Round, *, how_many: int | None = None, choose: Chooser | None = None
    ) -> None:
        """Enter results by table, all or the first ones."""
        stage = self._stage_of(round_)
        choose = choose or self.chance(f"round {round_.ordinal}")
        waiting = round_.matches.exclude(state=Match.State.FINAL).select_related("round")
        for match in waiting.order_by("number")[:how_many]:
            rules = match_rules_without_marks(match, self.event, timed=stage.plan.timed)
            claim = choose(match, rules)
            decide_result(match=match, version=match.version, claim=claim, by=self.by)

    def play_stage(self, choose: Chooser | None = None) -> None:
        while (stage := load_facts(self.event).open_stage) and not stage.rounds_done:
            self.enter_results(self.next_round(), choose=choose)

    def close_stage(self) -> Stage | None:
        """Draw the lots needed and close the stage; return the next one."""
        while needed := self._open_stage().outcome.lots_needed:
            tied = [int(number) for number in needed[0]]
            lots = f"{self.seed[:40]} {self.event.draws.count()}"
            draw_tied_order(event=self.event, tied=tied, seed=lots, by=self.by)
        number = self._open_stage().stage.number
        return close_stage(event=self.event, expected_stage=number, by=self.by)

    def to_the_end(self) -> None:
        """Play the remaining stages and finish the event."""
        while load_facts(self.event).open_stage is not None:
            self.play_stage()
            self.close_stage()
        self.event = change_event_state(event=self.event, action="finish", by=self.by)

    def chance(self, what: str) -> Chooser:
        """Return a function that chooses legal results, seeded by ``what``."""
        random = Random(f"{self.seed} {what}")  # noqa: S311 - invented results keep no secret

        def choose(_match: Match, rules: MatchRules) -> Claim:
            if rules.by_points:
                return _promotion_points(random, rules)
            possible = [preset.claim for preset in result_presets(rules)]
            likely = possible[: 2 * rules.needed] or possible
            return random.choice(likely)

        return choose

    def _open_stage(self) -> StageFacts:
        stage = load_facts(self.event).open_stage
        if stage is None:
            raise LookupError("No stage is in progress.")
        return stage

    def _stage_of(self, round_: Round) -> StageFacts:
        return next(s for s in load_facts(self.event).stages if s.stage.pk == round_.stage_id)


def _promotion_points(random: Random, rules: MatchRules) -> Claim:
    """Return a plausible score: a player reaches the target, or time is called."""
    if rules.draws and random.random() < DRAWN_SHARE:
        level = random.randrange(10, rules.target)
        return Claim(score=(level, level), ended_by=MatchEnding.TIME)
    won = rules.target + random.randrange(0, 6)
    lost = random.randrange(4, rules.target - 1)
    return Claim(score=(won, lost) if random.random() < 0.5 else (lost, won))


ORGANISER = "organiser@example.org"
PLAYER = "player@example.org"
STAFF = {
    "headjudge@example.org": ("Livio", StaffRole.Role.HEAD_JUDGE),
    "judge@example.org": ("Gemma", StaffRole.Role.JUDGE),
    "scorekeeper@example.org": ("Piero", StaffRole.Role.SCOREKEEPER),
}
OPEN_PASSWORD = "girone-demo"  # noqa: S105 - printed for everybody, on a developer's machine only


def demo_organiser() -> User:
    """Return the demo organiser's account; create it without a password if missing."""
    found = User.objects.filter(email=ORGANISER).first()
    return found or User.objects.create_user(ORGANISER, name="Marta", can_create_events=True)


def demo_accounts() -> list[tuple[str, str, str]]:
    """Create missing demo accounts; return (email address, role, password) of all.

    The password is "" for accounts that keep their own. If only this machine reaches the site
    (``ONLY_HERE``) it is fixed, else random.
    """
    names = {ORGANISER: ("Marta", "organiser"), PLAYER: ("Nora", "player")}
    names |= {email: (name, str(role)) for email, (name, role) in STAFF.items()}
    fresh = OPEN_PASSWORD if settings.ONLY_HERE else secrets.token_urlsafe(12)
    made = []
    for email, (name, role) in names.items():
        user = User.objects.filter(email=email).first()
        if user is None:
            user = User.objects.create_user(email, name=name, can_create_events=email == ORGANISER)
        password = "" if user.has_usable_password() and not settings.ONLY_HERE else fresh
        if password and not user.check_password(password):
            user.set_password(password)
            user.save(update_fields=["password"])
        made.append((email, role, password))
    return made


def lock_demo_accounts() -> list[str]:
    """Lock demo accounts that still have the fixed password; return their addresses.

    Anybody who can reach the site could sign in otherwise. `demo_accounts` unlocks them.
    """
    closed = []
    for user in User.objects.filter(email__in=[ORGANISER, PLAYER, *STAFF]).order_by("email"):
        if user.check_password(OPEN_PASSWORD):
            user.set_unusable_password()
            user.save(update_fields=["password"])
            closed.append(user.email)
    return closed


def give_staff_roles(event: Event, by: Actor) -> None:
    """Give the demo's staff accounts their roles in an event."""
    for email, (_name, role) in STAFF.items():
        give_role(event=event, email=email, role=role, by=by)


ZONE = ZoneInfo("Europe/Rome")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoEvent:
    """A created demo event; ``point`` says what it demonstrates.

    ``links`` are personal links as (player's name, token).
    """

    event: Event
    point: str
    links: tuple[tuple[str, str], ...] = ()


def create_demo_event(by: Actor, slug: str, name: str, days: int, **values: Any) -> Event:
    """Create a demo event at 10:00, ``days`` from today, with staff.

    Its slug is "demo-" and ``slug``. values: further settings.
    """
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


def open_registration(event: Event, by: Actor) -> Event:
    """Open an event's registration; return the event."""
    return change_event_state(event=event, action="open_registration", by=by)


LANGUAGE = "it"  # the demo's events have Italian names


def create_double_elimination(by: Actor) -> DemoEvent:
    """Create a running double elimination; one result of round 3 is entered.

    A discarded draft of that round left a snapshot.
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
    play = EventSimulation(open_registration(event, by), by, "double")
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


def create_custom_formula_event(by: Actor) -> DemoEvent:
    """Create a running event whose saved formula plays out all places."""
    if by.user is None:
        raise LookupError("A formula belongs to somebody.")
    with translation.override(LANGUAGE):
        data = definition_to_json(CONSOLATION.definition(translate))
    saved = save_formula(owner=by.user, data=data)
    event = create_demo_event(
        by,
        "places",
        "Gran Premio dei Piazzamenti",
        0,
        formula=saved.slug,
        decklists=Event.Decklists.OFF,
    )
    play = EventSimulation(open_registration(event, by), by, "places")
    play.fill(12)
    play.start()
    for _stage in ("groups", "quarter-finals"):
        play.play_stage()
        play.close_stage()
    play.enter_results(play.next_round(), how_many=1)
    return DemoEvent(event=play.event, point="own formula, losers of quarter-finals play on")


def create_demo_site() -> list[DemoEvent]:
    """Create all demo events in one transaction; return [] if they exist already.

    The demo's accounts must exist. There are no card catalogues: invented cards would warn about
    real ones.
    """
    organiser = User.objects.get(email=ORGANISER)
    if Event.objects.filter(created_by=organiser, slug__startswith="demo-").exists():
        return []
    with transaction.atomic():
        by = Actor(user=organiser)
        return [*(scene(by) for scene in SCENES), *create_series_events(by)]


def create_draft_event(by: Actor) -> DemoEvent:
    """Create a draft event without players."""
    return DemoEvent(event=create_demo_event(by, "draft", "Trofeo del Vento", 40), point="draft")


def create_registration_event(by: Actor) -> DemoEvent:
    """Create an event open for registration; some players lack a legal decklist."""
    event = open_registration(
        create_demo_event(by, "registration", "Coppa di Selce", 12, capacity=16), by
    )
    player = User.objects.get(email=PLAYER)
    own = register(event=event, name=player.name, user=player, by=Actor(user=player))
    publish_profile(user=player)
    names = ("Alba", "Bruno", "Cesare", "Diana", "Enea", "Flora", "Guido", "Irene")
    entered = [register(event=event, name=name, user=None, by=Actor()) for name in names]
    for entry in entered[:5]:
        text = sample_deck(event.format, entry.number)
        submit_decklist(entry=entry, text=text, by=Actor(entry=entry))
    short = sample_deck(event.format, 3).replace("5 ", "6 ", 1)
    submit_decklist(entry=entered[5], text=short, by=Actor(entry=entered[5]))
    links = ((entered[6].name, make_link(entry=entered[6], by=by)),)
    return DemoEvent(event=own.event, point="registration open, lists missing", links=links)


def create_groups_event(by: Actor) -> DemoEvent:
    """Create an event in round 2 with two results entered, one reported and one disputed."""
    play = EventSimulation(
        open_registration(create_demo_event(by, "groups", "Trofeo dell’Alba", 0), by),
        by,
        "groups",
    )
    play.fill(12)
    play.start()
    play.enter_results(play.next_round())
    second = play.next_round()
    play.enter_results(second, how_many=2)
    unplayed = second.matches.exclude(state=Match.State.FINAL).order_by("number")
    reported, disputed, waiting = unplayed[:3]
    (alba, *confirming), (one, other) = reported.players, disputed.players
    report_result(match=reported, claim=Claim(score=(40, 23)), by=Actor(entry=alba))
    report_result(match=disputed, claim=Claim(score=(41, 30)), by=Actor(entry=one))
    report_result(match=disputed, claim=Claim(score=(30, 41)), by=Actor(entry=other))
    _checked_decks(play.event, waiting, by)
    _add_judging(play.event, second, waiting, by)
    players = (*confirming, *waiting.players)
    links = tuple((entry.name, make_link(entry=entry, by=by)) for entry in players)
    return DemoEvent(event=play.event, point="groups, results missing", links=links)


def _checked_decks(event: Event, match: Match, by: Actor) -> None:
    done, begun = begin_table_check(event=event, table=match.table or 1, by=by)
    finish_check(
        check=done,
        version=done.version,
        lines=range(12),
        points=("1", "2"),
        outcome=DeckCheck.Outcome.PENALTY,
        note="Aveva contato male, corretto al tavolo.",
        level=Penalty.Level.CAUTION,
        infraction="Una bustina rovinata, sostituita.",
        by=by,
    )
    replace_ticks(check=begun, version=begun.version, lines=(0, 1, 2), points=("1",), by=by)


def _add_judging(event: Event, round_: Round, match: Match, by: Actor) -> None:
    """Start the clock; add a judge call, a ruling, a staff note and an announcement."""
    run_clock(event=event, ordinal=round_.ordinal, action=ClockAction.START, by=by)
    caller = match.players[0]
    call_judge(match=match, entry=caller, reason="Una carta da chiarire.", by=Actor(entry=caller))
    add_ruling(match=match, text="La carta si legge come è stampata.", by=by)
    add_staff_note(match=match, text="Prima occhiata: tutto in ordine.", by=by)
    create_announcement(event=event, text="Pausa di un’ora dopo questo turno.", minutes=600, by=by)


def create_random_draw_event(by: Actor) -> DemoEvent:
    """Create a running event in which three tied players need a random draw."""
    play = EventSimulation(
        open_registration(create_demo_event(by, "lots", "Sfida della Duna", 0), by), by, "lots"
    )
    play.fill(4)
    play.start()
    play.play_stage(_everybody_beats_the_next)
    return DemoEvent(event=play.event, point="lots needed")


def _everybody_beats_the_next(match: Match, _rules: MatchRules) -> Claim:
    """Return results that leave players 1, 2 and 3 level on all criteria."""
    a, b = (player.number for player in match.players)
    a_wins = b in (a % 3 + 1, 4) if a != 4 else False
    return Claim(score=(40, 20) if a_wins else (20, 40))


def create_top_cut_event(by: Actor) -> DemoEvent:
    """Create an event in round 1 of its top cut, with open decklists."""
    event = create_demo_event(
        by,
        "knock-out",
        "Notte delle Creature",
        0,
        format="creatures-of-exo",
        formula="groups-knockout",
        open_lists=["knockout"],
        show_leaders=True,
    )
    play = EventSimulation(open_registration(event, by), by, "knock-out")
    play.fill(16)
    play.start()
    play.play_stage()
    play.close_stage()
    play.enter_results(play.next_round(), how_many=1)
    return DemoEvent(event=play.event, point="knock-out")


def create_finished_event(by: Actor) -> DemoEvent:
    """Create a finished event with public decklists; the demo's player takes part."""
    play = EventSimulation(
        open_registration(create_demo_event(by, "finished", "Trofeo d’Inverno", -7), by),
        by,
        "finished",
    )
    play.fill(11)
    player = User.objects.get(email=PLAYER)
    own = register(event=play.event, name=player.name, user=player, by=Actor(user=player))
    text = sample_deck(play.event.format, own.number)
    submit_decklist(entry=own, text=text, by=Actor(user=player))
    play.start()
    play.to_the_end()
    publish_decklists(event=play.event, by=by)
    return DemoEvent(event=play.event, point="finished")


SCENES: tuple[Callable[[Actor], DemoEvent], ...] = (
    create_draft_event,
    create_registration_event,
    create_groups_event,
    create_random_draw_event,
    create_top_cut_event,
    create_double_elimination,
    create_custom_formula_event,
    create_finished_event,
)


def create_series_events(by: Actor) -> list[DemoEvent]:
    """Create a series of three finished events; each player's best two results count.

    Return the events.
    """
    names, evenings = demo_names(8), []
    for number in (1, 2, 3):
        event = create_demo_event(
            by,
            f"league-{number}",
            f"Lega della Luna, {number}ª tappa",
            7 * number - 31,
            format="creatures-of-exo",
            formula="single-group",
            decklists=Event.Decklists.OFF,
        )
        play = EventSimulation(open_registration(event, by), by, f"league {number}")
        here = names[number - 1 : number + 5]
        add_entries(event=event, people=[Person(name) for name in here], by=by)
        play.start()
        play.to_the_end()
        evenings.append(DemoEvent(event=play.event, point="evening of a series"))
    create_series(
        values={
            "slug": "demo-league",
            "name": "Lega della Luna",
            "events": [one.event.slug for one in evenings],
            "points": {"match_points": 1, "taking_part": 1, "best": 2},
            "names_are_people": True,
        },
        by=by,
    )
    return evenings
