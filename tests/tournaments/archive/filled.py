"""An event of which no table of an archive is empty, and every kind of JSON stands in a column."""

from datetime import date, timedelta

from django.utils import timezone

from accounts.models import User
from decks.card_lists.services import load_lists
from decks.house_formats.services import change_house_format, create_house_format
from rules.events.clock import ClockAction
from tests import factories as make
from tests.level_players import all_drawn
from tests.rules.formulas import definitions
from tournaments.checks import services as checks
from tournaments.checks import services as ticks
from tournaments.clock import services as clock
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.formulas.services import save_formula
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.keeping_apart.services import add_separated_pair
from tournaments.lots import services as draws
from tournaments.models import Entry, Event, Match, Round
from tournaments.models.tables import clear_row_marks
from tournaments.penalties import services as penalties
from tournaments.players.services import departures, entries
from tournaments.rounds import services as rounds
from tournaments.rounds.services import make_extra_round
from tournaments.starting import services as starting
from tournaments.undo.selectors import undo_options
from tournaments.undo.services import undo

BASE = "doomtrooper-original"
QUESTIONS = [
    {"key": "q1", "kind": "yes_no", "text": "Prima volta?", "required": False, "choices": []},
    {"key": "q2", "kind": "choice", "text": "Pranzo?", "required": False, "choices": ["A", "B"]},
]


def filled_event(by: Actor) -> Event:
    """Return a running event: lists, a check, penalties, kept-apart players, a draft by hand, extra
    matches, questions, breaks, a house format, a saved formula and card lists of its own.
    """
    assert by.user is not None
    event = _started(by.user, by)
    first = make.next_round(event, by)
    _judged(event, first, by)
    make.play_round(first, by, all_drawn)
    last = undo_options(Event.objects.get(pk=event.pk)).last
    undo(event=event, expected=last.line.number, by=by)
    make.play_round(first, by, all_drawn)
    make.play_round(_paired_by_hand(event, by), by, all_drawn)
    needed = load_facts(event).open_stage.outcome.lots_needed
    facts = load_facts(event)
    make_extra_round(
        event=event, sets=[needed[0]], expected_round=facts.last_ordinal + 1, publish=True, by=by
    )
    departures.withdraw(entry=_entry(event, 6), reason="Treno", by=by)
    return Event.objects.get(pk=event.pk)


def _formula() -> definitions.Data:
    """Return two Swiss rounds and a final."""
    ranks = (definitions.rank(1, "A", rank) for rank in (1, 2))
    return definitions.formula(
        definitions.stage("Svizzero", "swiss", definitions.group("A"), rounds=2),
        definitions.stage("Finale", "knockout", definitions.group("F", *ranks)),
        lowest=4,
        highest=10,
        name="Svizzero e finale",
    )


def _paired_by_hand(event: Event, by: Actor) -> Round:
    """Make the second round, swap two players in its draft, and publish it."""
    item = rounds.draft_round(event=event, expected_round=2, by=by)
    one, other = item.matches.filter(match_seats__number=2).order_by("table")[:2]
    swap = ChangeRequest(action="swap", players=(one.players[0].number, other.players[0].number))
    change_draft(event=event, ordinal=2, asked=swap, by=by)
    return rounds.publish_round(event=event, ordinal=2, by=by)


def _started(owner: User, by: Actor) -> Event:
    house = create_house_format(base=BASE, name="Corta", changes={}, by=owner)
    rows = [{"list": "banned", "card": "Altra", "aliases": "Other"}]
    load_lists(slug=BASE, rows=rows, dated=date(2026, 11, 22), for_site=False, by=owner)
    event = make.open_event(
        by,
        format=house.slug,
        formula=save_formula(owner=owner, data=_formula()).slug,
        decklists="required",
        about="Due parole",
        fee="5 €",
        information="# Dove",
        questions=QUESTIONS,
        breaks=[{"at": "13:00", "minutes": 40, "label": "Pranzo"}],
        overtime=5,
        capacity=16,
        registration_opens=timezone.now() - timedelta(days=1),
    )
    make.players(event, 8, by)
    make.with_decks(event, by)
    add_separated_pair(event=event, numbers=(1, 2), by=by)
    entries.make_link(entry=_entry(event, 1), by=by)
    event.entries.filter(number=1).update(answers={"q1": True, "q2": "A"}, club="Nord")
    clear_row_marks()
    draw = draws.draw_start_order(event=event, seed="seme", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    change_house_format(slug=house.slug, version=1, name="Cortissima", changes={}, by=owner)
    return Event.objects.get(pk=event.pk)


def _judged(event: Event, round_: Round, by: Actor) -> None:
    """Fill the tables of judges: a check with a penalty, minutes, a call, notes, the clock."""
    match = Match.objects.filter(round=round_, match_seats__number=2).order_by("pk")[0]
    check = checks.begin_player_check(entry=match.players[0], by=by)
    ticks.finish_check(
        check=check, version=0, lines=[1, 2], points=[], outcome="clean", note="Tutto", by=by
    )
    penalties.give_penalty(entry=match.players[0], level="warning", infraction="Ritardo", by=by)
    clock.extend_time(match=match, minutes=5, reason="Controllo", by=by)
    clock.run_clock(event=event, ordinal=round_.ordinal, action=ClockAction.START, by=by)
    calls.call_judge(
        match=match, entry=match.players[0], reason="Dubbio", by=Actor(entry=match.players[0])
    )
    notes.add_ruling(match=match, text="Vale", by=by)
    notes.add_staff_note(match=match, text="Nervosi", by=by)
    notes.create_announcement(event=event, text="Pausa", minutes=5, by=by)


def _entry(event: Event, number: int) -> Entry:
    return event.entries.get(number=number)
