"""Penalties: on pages, repeated, and as a match that is lost."""

import pytest
from django.test import Client

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from rules.results import MatchEnding, Winner
from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, read, signed_in, text, url
from tests.reporting import decide, report
from tournaments.checks import services as checks
from tournaments.checks import services as ticks
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match, Penalty, TimeExtension
from tournaments.penalties import services as penalties
from tournaments.results.services import reports
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by) -> Event:
    values = {"formula": "single-group", "format": "doomtrooper-original"}
    return make.playing(by, 6, decklists="required", **values)


@pytest.fixture
def match(event) -> Match:
    found = Match.objects.select_related("round__event", "group__stage")
    return found.get(round__event=event, table=1)


def lose(entry, judge, **more) -> Penalty:
    words = {"level": "match_loss", "infraction": "Ritardo"} | more
    return penalties.give_penalty(entry=entry, by=judge, **words)


def now(match: Match) -> tuple[str, str | None, str | None]:
    """Return the state of a match, its winner and how it ended; the event is sound."""
    found = Match.objects.select_related("decision", "round__event").get(pk=match.pk)
    assert list(verify_event(Event.objects.get(pk=found.round.event_id))) == []
    counts = found.decision
    return found.state, counts and counts.winner, counts and counts.ended_by


def take_back(event: Event, by: Actor) -> None:
    undo(event=event, expected=last_act(Event.objects.get(pk=event.pk)).line.number, by=by)


def do_again(event: Event, by: Actor) -> None:
    redo(event=event, expected=find_redoable_undo(Event.objects.get(pk=event.pk)).number, by=by)


@pytest.mark.deep
@pytest.mark.parametrize(("side", "winner"), [("a", "b"), ("b", "a")])
def test_the_opponent_wins_and_one_undo_takes_both_back(event, match, by, judge, side, winner):
    given = lose(match.players["ab".index(side)], judge)
    assert now(match) == ("final", winner, MatchEnding.PENALTY)
    assert given.match_id == match.pk
    line = event.log.last()
    told = (line.action, line.after["level"], line.after["winner"])
    assert told == ("penalty.match_lost", "match_loss", winner)
    take_back(event, by)
    assert now(match) == ("open", None, None)
    assert not event.penalties.exists()
    do_again(event, by)
    assert now(match) == ("final", winner, MatchEnding.PENALTY)
    assert event.penalties.get().entry_id == given.entry_id
    take_back(event, by)
    assert now(match) == ("open", None, None)


@pytest.mark.deep
def test_a_report_waits_again_once_the_penalty_is_taken_back(event, match, by, judge):
    report(match, match.players[0], 40, 22)
    lose(match.players[0], judge)
    assert now(match) == ("final", "b", MatchEnding.PENALTY)
    take_back(event, by)
    assert now(match) == ("reported", None, None)
    version = Match.objects.get(pk=match.pk).version
    for player, waits in zip(match.players, (False, True), strict=True):
        shown = page(by_link(player, by), "me", event)
        assert ("40–22" in shown or "22–40" in shown) is True
        assert ("/confirm/" in shown) is waits
        assert "by a penalty" not in shown
    assert "40–22" in page(signed_in(by), "desk", event)
    with pytest.raises(RuleError) as refused:
        reports.confirm_result(match=match, version=version, by=Actor(entry=match.players[0]))
    assert refused.value.code == "own_report"
    confirmed = reports.confirm_result(
        match=match, version=version, by=Actor(entry=match.players[1])
    )
    assert (confirmed.decision.winner, confirmed.decision.score_a) == ("a", 40)
    assert now(match) == ("final", "a", "played")


@pytest.mark.deep
def test_a_dispute_is_decided_and_stands_again_after_the_undo(event, match, by, judge):
    report(match, match.players[0], 40, 22)
    report(match, match.players[1], 22, 40)
    lose(match.players[1], judge)
    assert now(match) == ("final", "a", MatchEnding.PENALTY)
    take_back(event, by)
    assert now(match) == ("disputed", None, None)
    sheet = page(signed_in(judge), "floor-table", event, match.pk)
    assert "40–22" in sheet
    assert "by a penalty" not in sheet


def test_a_result_that_counts_is_left_for_the_judge_to_correct(event, match, by, judge):
    decide(match, by, 40, 22)
    browser = signed_in(judge)
    sent = {"number": match.players[0].number, "reason": "late", "level": "match_loss"}
    for name, parts, more in (
        ("floor-penalty", (match.pk,), {}),
        ("penalties", (), {"infraction": "Lite", "considered": match.players[0].number}),
    ):
        stored = browser.post(url(name, event, *parts), sent | more)
        assert stored.headers["Location"] == url("match", event, match.pk)
        shown = text(browser.get(stored.headers["Location"]))
        assert url("match-correct", event, match.pk) in shown
        assert "The match already has a result. Correct it" in shown
        assert event.log.last().action == "penalty.given"
    assert now(match) == ("final", "a", "played")


@pytest.mark.deep
def test_a_bye_and_a_game_loss_are_penalties_alone(by):
    event = make.playing(by, 5, formula="swiss-cut", format="creatures-of-exo")
    judge = make.staff(event)
    bye = event.rounds.get().matches.exclude(match_seats__number=2).get()
    lose(bye.players[0], judge)
    assert now(bye) == ("final", "a", "bye")
    played = event.rounds.get().matches.get(table=1)
    lose(played.players[0], judge, level="game_loss")
    assert now(played) == ("open", None, None)
    lines = list(event.log.values_list("action", flat=True))
    assert (lines[-2:], event.penalties.count()) == (["penalty.given"] * 2, 2)
    own = bye.players[0].number
    sent = {"number": own, "level": "match_loss", "infraction": "x", "considered": own}
    stored = signed_in(judge).post(url("penalties", event), sent, follow=True)
    assert "result" not in text(stored).split(": Match loss")[1][:40]


@pytest.mark.deep
def test_in_a_knock_out_the_opponent_goes_on_and_the_record_checks_out(by):
    event = make.playing(by, 4, formula="single-elimination", format="creatures-of-exo")
    found = event.rounds.get().matches.select_related("decision", "round__event")
    one, other = found.order_by("number")
    lose(one.players[0], by)
    take_back(event, by)
    do_again(event, by)
    report(other, other.players[0], 2, 0)
    for again in (True, False):
        lose(other.players[1], by)
        if again:
            take_back(event, by)
    final = make.next_round(event, by)
    seats = {key for played in final.matches.of_two() for key in played.seats}
    assert {one.seats[1], other.seats[0]} <= seats
    make.play_round(final, by)
    make.play_event(event, by)
    fresh = Event.objects.get(pk=event.pk)
    assert list(verify_event(fresh)) == []
    assert len(load_facts(fresh).ranking[0]) == 1


@pytest.mark.deep
def test_the_phone_says_what_was_stored_in_both_languages(event, match, by, judge):
    browser = signed_in(judge)
    sent = {"number": match.players[1].number, "reason": "late", "level": "match_loss"}
    stored = text(browser.post(url("floor-penalty", event, match.pk), sent, follow=True))
    loser, winner = match.players[1].name, match.players[0].name
    assert f"{loser}: Match loss · {winner} wins" in stored
    words = {
        "en": f"{match.players[1].name} loses because of a penalty",
        "it": f"{match.players[1].name} perde per una penalità",
    }
    for language, said in words.items():
        assert said in read(browser, url("match", event, match.pk), language)
    assert "Incontro perso per penalità" in read(signed_in(by), url("log", event), "it")
    assert "opponent: by a penalty" in page(by_link(match.players[0], by), "me", event)
    second = Match.objects.get(round=match.round, table=2)
    browser.cookies["django_language"] = "it"
    sent |= {"number": second.players[0].number}
    stored = text(browser.post(url("floor-penalty", event, second.pk), sent, follow=True))
    assert f"· vince {second.players[1].name}" in stored


def test_taking_the_penalty_alone_back_leads_to_the_result_that_stays(event, match, by, judge):
    given = lose(match.players[0], judge)
    stored = signed_in(by).post(url("penalty-take-back", event, given.pk), follow=True)
    assert stored.redirect_chain[-1][0] == url("match", event, match.pk)
    assert "The match still counts as lost. Correct its result" in text(stored)
    assert now(match) == ("final", "b", MatchEnding.PENALTY)


def test_a_match_loss_of_a_deck_check_decides_the_match_too(event, match, judge):
    check = checks.begin_player_check(entry=match.players[0], by=judge)
    finished = {"outcome": "penalty", "level": "match_loss", "infraction": "Carte segnate"}
    ticks.finish_check(check=check, version=None, lines=(), points=(), by=judge, **finished)
    assert now(match) == ("final", "b", MatchEnding.PENALTY)
    assert not match.extensions.exists()


def test_the_staff_enters_such_a_result_and_players_do_not(event, match, by):
    claim = Claim(winner=Winner.A, ended_by=MatchEnding.PENALTY)
    with pytest.raises(RuleError):
        reports.report_result(match=match, claim=claim, by=Actor(entry=match.players[0]))
    address = url("desk-result", event, match.pk)
    sent = {"version": 0, "pick": "other", "winner": "a", "ended_by": "penalty"}
    assert signed_in(by).post(address, sent).status_code == 302
    assert now(match) == ("final", "a", MatchEnding.PENALTY)


@pytest.fixture
def check(event, judge):
    return checks.begin_player_check(entry=event.entries.get(number=1), by=judge)


# --- Extra time --------------------------------------------------------------------------
@pytest.mark.deep
def test_extra_minutes_are_shown_wherever_the_table_is(event, by, judge):
    match = event.rounds.get().matches.get(table=2)
    client = signed_in(judge)
    body = {"minutes": "9", "reason": "Chiamata al tavolo"}
    answer = client.post(url("match-extend", event, match.pk), body, follow=True)
    assert "Table 2: +9 min." in text(answer)
    assert "Chiamata al tavolo" in text(answer)
    for reader, name in (
        (client, "desk"),
        (by_link(match.players[0], by), "me"),
        (Client(headers=ENGLISH), "pairings"),
    ):
        assert "+9 min" in text(reader.get(url(name, event))), name
    assert "Chiamata" not in text(Client(headers=ENGLISH).get(url("pairings", event)))
    make.play_round(event.rounds.get(), by)
    assert "+9 min" not in text(Client(headers=ENGLISH).get(url("pairings", event)))


@pytest.mark.parametrize("body", [{"minutes": "5"}, {"minutes": "0", "reason": "x"}, {}])
def test_extra_minutes_need_a_number_and_a_reason(event, judge, body):
    match = event.rounds.get().matches.get(table=2)
    answer = signed_in(judge).post(url("match-extend", event, match.pk), body)
    assert answer.status_code == 400
    assert not TimeExtension.objects.exists()
    field = "Reason" if body == {"minutes": "5"} else "Minutes"
    assert f"{field}: " in text(answer)  # which of the page's fields it is about


# --- Penalties ---------------------------------------------------------------------------
@pytest.mark.deep
def test_a_penalty_is_given_and_seen_by_whom_it_concerns(event, by, judge):
    match = event.rounds.get().matches.get(table=1)
    client = signed_in(judge)
    page = text(client.get(url("match", event, match.pk)))
    assert f"{url('penalties', event)}?player={match.players[0].number}" in page
    body = {"number": match.players[0].number, "level": "warning", "infraction": "Gioco lento"}
    client.post(url("penalties", event), body | {"note": "Segreto dello staff"})
    for reader, name, sees in (
        (client, "penalties", (True, True)),
        (signed_in(make.staff(event, "scorekeeper")), "penalties", (True, True)),
        (by_link(match.players[0], by), "me", (True, False)),
        (by_link(match.players[1], by), "me", (False, False)),
        (Client(headers=ENGLISH), "players", (False, False)),
    ):
        found = text(reader.get(url(name, event)))
        assert ("Gioco lento" in found, "Segreto dello staff" in found) == sees
    assert by_link(match.players[1], by).get(url("penalties", event)).status_code == 403
    assert "Gioco lento" in text(client.get(url("match", event, match.pk)))


def test_the_scorekeeper_reads_penalties_and_gives_none(event, by):
    client = signed_in(make.staff(event, "scorekeeper"))
    assert 'name="infraction"' not in text(client.get(url("penalties", event)))
    body = {"number": 1, "level": "warning", "infraction": "x"}
    assert client.post(url("penalties", event), body).status_code == 403
    assert not Penalty.objects.exists()


def test_only_who_may_disqualify_is_offered_it(event, by, judge, check):
    for actor, offered in ((judge, False), (by, True)):
        client = signed_in(actor)
        for parts in (("penalties", event), ("check", event, check.pk)):
            shown = page(client, *parts)
            assert ('value="disqualification"' in shown) is offered
            assert 'value="match_loss"' in shown


def test_a_disqualification_by_a_judge_is_refused(event, judge):
    body = {"number": 1, "level": "disqualification", "infraction": "x"}
    assert signed_in(judge).post(url("penalties", event), body).status_code == 403


def test_a_penalty_taken_back_is_gone(event, by, judge):
    entry = event.entries.get(number=1)
    given = penalties.give_penalty(entry=entry, level="warning", infraction="Errore", by=judge)
    address = url("penalty-take-back", event, given.pk)
    assert signed_in(judge).post(address).status_code == 403
    assert "Removed." in text(signed_in(by).post(address, follow=True))
    assert signed_in(by).post(address).status_code == 409


def give(client, event, number, level, infraction, **more):
    body = {"number": number, "level": level, "infraction": infraction} | more
    return client.post(url("penalties", event), body)


def test_the_same_again_is_proposed_one_step_higher(event, judge):
    entry = event.entries.get(number=3)
    penalties.give_penalty(entry=entry, level="warning", infraction="Gioco lento", by=judge)
    client = signed_in(judge)
    assert "Gioco lento" in text(client.get(url("penalties", event) + "?player=3"))
    asked = give(client, event, 3, "warning", "gioco LENTO.")
    assert asked.status_code == 200
    assert "Proposed: Game loss." in text(asked)
    assert asked.context["form"]["level"].value() == "game_loss"
    assert Penalty.objects.count() == 1
    assert give(client, event, 3, "game_loss", "gioco lento", considered="3").status_code == 302
    assert Penalty.objects.order_by("pk").last().level == "game_loss"
    # the judge may stay with the milder one, for the player who was asked about alone
    assert give(client, event, 3, "warning", "gioco lento", considered="3").status_code == 302
    other = event.entries.get(number=4)
    penalties.give_penalty(entry=other, level="warning", infraction="Ritardo", by=judge)
    assert give(client, event, 4, "warning", "Altro", considered="3").status_code == 200


def test_a_judge_is_never_proposed_a_disqualification(event, by, judge):
    entry = event.entries.get(number=3)
    penalties.give_penalty(entry=entry, level="match_loss", infraction="Lite", by=judge)
    assert give(signed_in(judge), event, 3, "match_loss", "Lite").status_code == 302
    asked = give(signed_in(by), event, 3, "match_loss", "Lite")
    assert "Proposed: Disqualification." in text(asked)


def test_a_first_penalty_is_stored_at_once(event, judge):
    assert give(signed_in(judge), event, 5, "caution", "Bustina").status_code == 302
