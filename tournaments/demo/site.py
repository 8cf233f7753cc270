"""Demo events, one at each point of an event's life."""

from collections.abc import Callable

from django.db import transaction

from accounts.models import User
from decks.cards.samples import sample_catalogue
from decks.cards.services import load_cards
from decks.decklists.samples import sample_deck
from decks.labels import games
from decks.models import Catalogue
from rules.events.clock import ClockAction
from rules.matches.match_rules import Claim, MatchRules
from tournaments.checks.services.checks import check_table
from tournaments.checks.services.ticks import finish_check, tick
from tournaments.clock.services import run_clock
from tournaments.core.permissions import Actor
from tournaments.decklists.services.decklists import submit_decklist
from tournaments.decklists.services.published_lists import publish_lists
from tournaments.demo.brackets import (
    DemoEvent,
    create_demo_event,
    double_elimination,
    own_formula,
    with_registration_open,
)
from tournaments.demo.people import ORGANISER, PLAYER
from tournaments.demo.playing import Play
from tournaments.judging.services.calls import call_judge
from tournaments.judging.services.notes import announce, note_match, rule_match
from tournaments.models import DeckCheck, Event, Match, Penalty, Round
from tournaments.player_pages.services import show_person
from tournaments.players.services.entries import register
from tournaments.players.services.links import make_link
from tournaments.results.services.reports import report_result


def demo_cards() -> None:
    """Load the sample catalogue of each game without a site catalogue."""
    for game in games():
        known = Catalogue.objects.loaded().filter(game=game, owner__isnull=True).exists()
        cards = sample_catalogue(game)
        if cards and not known:
            load_cards(game=game, cards=cards)


def demo_site() -> list[DemoEvent]:
    """Make the demo's events and card catalogues, all or none; nothing when they are there already.

    The demo's accounts must exist.
    """
    organiser = User.objects.get(email=ORGANISER)
    if Event.objects.filter(created_by=organiser, slug__startswith="demo-").exists():
        return []
    with transaction.atomic():
        demo_cards()
        return [scene(Actor(user=organiser)) for scene in SCENES]


def draft_event(by: Actor) -> DemoEvent:
    """Return a draft, visible to staff only."""
    return DemoEvent(event=create_demo_event(by, "draft", "Trofeo del Vento", 40), point="draft")


def registration_event(by: Actor) -> DemoEvent:
    """Return an event open for registration; some players lack a legal decklist."""
    event = with_registration_open(
        create_demo_event(by, "registration", "Coppa di Selce", 12, capacity=16), by
    )
    player = User.objects.get(email=PLAYER)
    own = register(event=event, name=player.name, user=player, by=Actor(user=player))
    show_person(user=player)
    names = ("Alba", "Bruno", "Cesare", "Diana", "Enea", "Flora", "Guido", "Irene")
    entered = [register(event=event, name=name, user=None, by=Actor()) for name in names]
    for entry in entered[:5]:
        text = sample_deck(event.format, entry.number)
        submit_decklist(entry=entry, text=text, by=Actor(entry=entry))
    short = sample_deck(event.format, 3).replace("5 ", "6 ", 1)
    submit_decklist(entry=entered[5], text=short, by=Actor(entry=entered[5]))
    links = ((entered[6].name, make_link(entry=entered[6], by=by)),)
    return DemoEvent(event=own.event, point="registration open, lists missing", links=links)


def groups_event(by: Actor) -> DemoEvent:
    """Return an event in round 2 with some results entered, one reported and one disputed."""
    play = Play(
        with_registration_open(create_demo_event(by, "groups", "Trofeo dell’Alba", 0), by),
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
    """Check the decks of a table: one check finished with a caution, one in progress."""
    done, begun = check_table(event=event, table=match.table or 1, by=by)
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
    tick(check=begun, version=begun.version, lines=(0, 1, 2), points=("1",), by=by)


def _add_judging(event: Event, item: Round, match: Match, by: Actor) -> None:
    """Start the clock; add a judge call, a ruling, a staff note and an announcement."""
    run_clock(event=event, ordinal=item.ordinal, action=ClockAction.START, by=by)
    caller = match.players[0]
    call_judge(match=match, entry=caller, reason="Una carta da chiarire.", by=Actor(entry=caller))
    rule_match(match=match, text="La carta si legge come è stampata.", by=by)
    note_match(match=match, text="Prima occhiata: tutto in ordine.", by=by)
    announce(event=event, text="Pausa di un’ora dopo questo turno.", minutes=600, by=by)


def lots_event(by: Actor) -> DemoEvent:
    """Return a running event in which three level players need a draw of lots."""
    play = Play(
        with_registration_open(create_demo_event(by, "lots", "Sfida della Duna", 0), by), by, "lots"
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


def knock_out(by: Actor) -> DemoEvent:
    """Return an event in round 1 of its knock-out, with open decklists."""
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
    play = Play(with_registration_open(event, by), by, "knock-out")
    play.fill(16)
    play.start()
    play.play_stage()
    play.close_stage()
    play.enter_results(play.next_round(), how_many=1)
    return DemoEvent(event=play.event, point="knock-out")


def finished_event(by: Actor) -> DemoEvent:
    """Return a finished event with published decklists, in which the player with an account was."""
    play = Play(
        with_registration_open(create_demo_event(by, "finished", "Trofeo d’Inverno", -7), by),
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
    publish_lists(event=play.event, by=by)
    return DemoEvent(event=play.event, point="finished")


SCENES: tuple[Callable[[Actor], DemoEvent], ...] = (
    draft_event,
    registration_event,
    groups_event,
    lots_event,
    knock_out,
    double_elimination,
    own_formula,
    finished_event,
)
