"""Pairings pasted at the desk, and results as a publisher's program asks for them."""

import pytest

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import page, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import stored_plan
from tournaments.models import Contact, Event, Round, StaffRole
from tournaments.plan_changes.services import change_plan
from tournaments.players.services.departures import withdraw
from tournaments.publishers.selectors import publisher_programs, round_report
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
ELSEWHERE = {
    "formula": "swiss-cut",
    "options": {"rounds": 2, "cut": 0},
    "format": "creatures-of-exo",
    "paired_elsewhere": True,
}
FIRST = """Table  Player 1   Player 2
1  Ada (0)  vs.  Bea (0)
2  Carlo (0)  vs.  Dora (0)
   Elio (0)  BYE
"""
SECOND = "1 Ada Carlo\n2 Elio Bea\nDora bye"


@pytest.fixture
def event(by) -> Event:
    return make.started(by, 5, **ELSEWHERE)


def paste(client, event, words: str, **more):
    sent = {"text": words, "expected_round": load_facts(event).last_ordinal + 1} | more
    return client.post(url("desk-pairings", event), sent)


@pytest.mark.deep
def test_a_pasted_round_is_drafted_and_published(event, by) -> None:
    client = signed_in(by)
    assert "Paste the pairings of round 1" in page(client, "desk", event)
    assert "Pairings: Round 1" in page(client, "desk-pairings", event)
    sent = paste(client, event, FIRST)
    assert sent["Location"] == url("desk-round", event, 1)
    item = event.rounds.get()
    assert item.state == Round.State.DRAFT
    assert make.pairs_of(item.matches.order_by("number")) == [(1, 2), (3, 4), (5,)]
    draft = page(client, "desk-round", event, 1)
    assert "Paired elsewhere" not in draft  # as all of them are
    assert client.get(url("desk-pairings", event))["Location"] == url("desk-round", event, 1)
    client.post(url("desk-publish", event, 1))
    assert event.rounds.get().state == Round.State.PUBLISHED
    assert "Review the draft" not in page(client, "desk", event)


def test_faults_stand_at_their_lines_and_a_similar_name_is_one_click(event, by) -> None:
    client = signed_in(by)
    wrong = FIRST.replace("Carlo", "Carl0ta").replace("Elio (0)  BYE", "Elio")
    answer = paste(client, event, wrong)
    shown = text(answer)
    assert answer.status_code == 400
    assert not event.rounds.exists()
    assert "No player is called Carl0ta." in shown
    assert "Elio has no opponent. Write BYE for a bye." in shown
    assert "Missing players: Carlo." in shown
    assert shown.index("Line 3:") < shown.index("Line 4:")
    wrong = FIRST.replace("Carlo", "Carlos")
    assert "Use Carlo" in text(paste(client, event, wrong))
    sent = paste(client, event, wrong, accept="3\tCarlos\tCarlo")
    assert sent.status_code == 302
    assert event.rounds.get().matches.count() == 3


def test_who_dropped_there_is_dropped_here_first(event, by) -> None:
    client = signed_in(by)
    withdraw(entry=event.entries.get(number=5), by=by)
    shown = text(paste(client, event, FIRST))
    assert "Elio is not playing." in shown
    shown = text(paste(client, event, "Ada Bea"))
    assert "Missing players: Carlo, Dora." in shown
    assert paste(client, event, "Ada Bea\nCarlo Dora").status_code == 302


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "This field is required."),
        ("Zoe Uma", "The list contains no players of this event."),
        ("Ada\n" * 10_000, "Paste one round"),
        ("x" * 900_000, "Ensure this value has at most 200000 characters"),
        ("PK\x03\x04\x00\ufffd", "Null characters are not allowed."),
    ],
)
def test_rubbish_is_refused(event, by, words: str, said: str) -> None:
    answer = paste(signed_in(by), event, words)
    assert (answer.status_code, event.rounds.exists()) == (400, False)
    assert said in text(answer)


def test_a_body_of_two_megabytes_is_refused(event, by) -> None:
    assert paste(signed_in(by), event, "x" * 2_000_000).status_code in (400, 413)
    assert not event.rounds.exists()


def play(client, event, by, words: str) -> None:
    assert paste(client, event, words).status_code == 302
    number = load_facts(event).last_ordinal
    rounds.publish_round(event=event, ordinal=number, by=by)
    make.play_round(event.rounds.get(ordinal=number), by)


@pytest.mark.deep
def test_after_the_last_planned_round_one_more_may_be_pasted_until_the_end(event, by) -> None:
    client = signed_in(by)
    play(client, event, by, FIRST)
    play(client, event, by, SECOND)
    assert "Paste another round" in page(client, "desk", event)
    assert "This is one round more than planned." in page(client, "desk-pairings", event)
    scorekeeper = signed_in(make.staff(event, StaffRole.Role.SCOREKEEPER))
    assert "Paste another round" not in page(scorekeeper, "desk", event)
    assert paste(scorekeeper, event, "1 Ada Elio\n2 Bea Dora\nCarlo bye").status_code == 403
    play(client, event, by, "1 Ada Elio\n2 Bea Dora\nCarlo bye")
    event.refresh_from_db()
    assert stored_plan(event).stages[0].rounds == 3
    assert verify_event(event) == []


@pytest.mark.deep
def test_an_added_round_and_its_plan_are_undone_one_after_the_other(event, by) -> None:
    client = signed_in(by)
    play(client, event, by, FIRST)
    play(client, event, by, SECOND)
    paste(client, event, "1 Ada Elio\n2 Bea Dora\nCarlo bye")
    for made in (2, 2):
        event.refresh_from_db()
        undo(event=event, expected=last_act(event).line.number, by=by)
        assert event.rounds.count() == made
    event.refresh_from_db()
    assert stored_plan(event).stages[0].rounds == 2
    assert verify_event(event) == []


def test_fewer_rounds_than_planned_are_a_change_of_the_plan(event, by) -> None:
    client = signed_in(by)
    play(client, event, by, FIRST)
    change_plan(event=event, change={"rounds": 1}, by=by)
    assert "Finish the event" in page(client, "desk", event)


def test_missing_results_are_waited_for(event, by) -> None:
    client = signed_in(by)
    paste(client, event, FIRST)
    rounds.publish_round(event=event, ordinal=1, by=by)
    answer = paste(client, event, SECOND)
    assert (answer.status_code, event.rounds.count()) == (409, 1)


def test_where_no_swiss_rounds_are_played_there_is_nothing_to_paste(by) -> None:
    event = make.started(by, 4, formula="single-group")
    assert signed_in(by).get(url("desk-pairings", event))["Location"] == url("desk", event)


def test_the_settings_offer_it_as_a_choice(by) -> None:
    event = make.started(by, 4, **ELSEWHERE | {"paired_elsewhere": False})
    client = signed_in(by)
    said = "Paired elsewhere"
    assert said in page(client, "manage-settings", event)


# --- Results for a program ------------------------------------------------------------------------
def test_results_are_read_as_each_program_asks_for_them(event, by) -> None:
    paste(signed_in(by), event, FIRST)
    rounds.publish_round(event=event, ordinal=1, by=by)
    first, second = event.rounds.get().matches.exclude(table=None).order_by("table")
    claim = Claim(games=("b", "a", "b"))
    results.decide_result(match=first, version=first.version, claim=claim, by=by)

    def shown(program: str) -> list[tuple[int | None, str]]:
        facts = load_facts(event)
        found = round_report(facts, *facts.round_at(1), program, private=False)
        return [(row.table, row.result) for row in found["rows"]]

    assert shown("eventlink") == [(1, "1–2–0"), (2, ""), (None, "Bye")]
    assert shown("tom") == [(1, "Win: Bea"), (2, ""), (None, "Bye")]
    claim = Claim(winner="draw", score=(0, 0))
    second.refresh_from_db()
    claim = Claim(games=("a", "b"), ended_by="time")
    results.decide_result(match=second, version=second.version, claim=claim, by=by)
    assert shown("eventlink")[1] == (2, "1–1–0")
    assert shown("tom")[1] == (2, "Tie")


@pytest.mark.deep
def test_the_page_names_players_as_registered_with_their_numbers_for_organisers(event, by) -> None:
    entry = event.entries.get(number=1)
    Contact.objects.create(entry=entry, memberships={"play-id": "4517283"})
    client = signed_in(by)
    assert paste(client, event, FIRST.replace("Ada (0)", "4517283")).status_code == 302
    assert client.get(url("round-report", event, 1, "tom")).status_code == 404  # a draft
    rounds.publish_round(event=event, ordinal=1, by=by)
    assert "4517283" in page(client, "round-report", event, 1, "tom")
    judge = signed_in(make.staff(event))
    told = page(judge, "round-report", event, 1, "eventlink")
    assert "Ada" in told
    assert "4517283" not in told
    assert "Results missing: 2" in told
    assert client.get(url("round-report", event, 1, "kts")).status_code == 404
    for at in (("desk",), ("desk-round", 1)):
        name, *parts = at
        assert url("round-report", event, 1, "eventlink") in page(client, name, event, *parts)


def test_other_games_are_reported_where_they_are_paired_elsewhere(event, by) -> None:
    assert [key for key, _name in publisher_programs(event)] == ["eventlink", "tom"]
    event.paired_elsewhere = False
    assert publisher_programs(event) == ()
