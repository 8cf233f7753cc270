"""What a player sees and does: their table, links, check-in, leaving, reports."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from rules.events.clock import ClockAction
from rules.standings.table import marks_by_player
from tests import factories as make
from tests.browsers import ENGLISH, by_link, open_link, text, url
from tournaments.clock.services import run_clock
from tournaments.core.event_state import load_facts
from tournaments.lots.services import draw_tied_order
from tournaments.models import Match, Report
from tournaments.personal.selectors import rounds as own_rounds
from tournaments.personal.selectors.rounds import decision_time_text, expected_decision_time
from tournaments.personal.selectors.state import current_page_state
from tournaments.rounds import services as rounds
from tournaments.stages.services import close_stage
from tournaments.standings.selectors import ranking

pytestmark = pytest.mark.django_db


def test_the_page_shows_table_opponent_and_round(client, running):
    event, by, match = running
    response = open_link(client, match.players[0], by)
    assert response.url == url("me", event)
    assert response["Referrer-Policy"] == "no-referrer"
    page = client.get(response.url).content.decode()
    assert f"<bdi>{match.players[0].name}</bdi>," in page
    assert f"number {match.players[0].number}" in page
    assert f"Table <strong>{match.table}</strong>" in page
    assert f"against <bdi>{match.players[1].name}</bdi>" in page
    assert "Round 1" in page


def test_opening_a_link_makes_a_new_session_key(client, running):
    _event, by, match = running
    client.force_login(make.user())
    before = client.session.session_key
    open_link(client, match.players[0], by)
    assert client.session.session_key != before


def test_wrong_links_are_refused_alike_and_a_right_one_always_works(client, running):
    event, by, match = running
    cache.clear()
    wrong = reverse("tournaments:open-link", args=["x" * 32])
    for _ in range(20):
        refused = client.get(wrong, headers={"accept-language": "en"})
        assert refused.status_code == 404
    assert "Ask the organiser for a new one." in refused.content.decode()
    assert client.get(wrong).status_code == 429
    assert open_link(client, match.players[0], by).url == url("me", event)
    cache.clear()


@pytest.mark.django_db(transaction=True)
def test_the_open_page_learns_of_a_new_round_and_nothing_costs_little(
    client, running, django_assert_max_num_queries
):
    event, by, match = running
    open_link(client, match.players[0], by)
    now = url("me-now", event)
    first = client.get(now, headers={"HX-Request": "true"})
    with django_assert_max_num_queries(4):
        again = client.get(now, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    make.play_round(match.round, by)
    make.next_round(event, by)
    fresh = client.get(now, headers={"If-None-Match": first["ETag"]})
    assert "Round 2" in fresh.content.decode()


@pytest.mark.parametrize("how_many", [4, 12])
def test_the_page_takes_the_same_number_of_queries(by, client, how_many, django_assert_num_queries):
    event = make.started(by, how_many)
    match = make.next_round(event, by).matches.all()[0]
    open_link(client, match.players[0], by)
    with django_assert_num_queries(18):  # in a transaction, so all of it is read
        client.get(url("me", event))


def test_check_in_and_leaving_with_a_question_before(by, client):
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    open_link(client, entry, by)
    client.post(url("my-check-in", event))
    entry.refresh_from_db()
    assert entry.status == "checked_in"
    assert client.get(url("my-drop", event)).status_code == 200
    entry.refresh_from_db()
    assert entry.status == "checked_in"
    client.post(url("my-drop", event))
    entry.refresh_from_db()
    assert entry.status == "withdrawn"
    assert client.post(url("my-drop", event)).status_code == 409


@pytest.mark.deep
def test_nobody_leaves_an_event_that_is_over(by, client):
    event = make.played(by, 4)
    open_link(client, event.entries.first(), by)
    assert client.post(url("my-drop", event)).status_code == 409
    assert not event.entries.filter(status="withdrawn").exists()


def test_the_time_of_the_start_is_of_the_past_once_it_is(by, client):
    event = make.open_event(by, starts_at=timezone.now() + timedelta(minutes=5))
    open_link(client, make.players(event, 1, by)[0], by)
    first = client.get(url("me-now", event))
    assert "Start: " in text(first)
    event.starts_at = timezone.now() - timedelta(minutes=5)
    event.save(update_fields=["starts_at"])
    late = client.get(url("me-now", event), headers={"if-none-match": first["ETag"]})
    assert late.status_code == 200


def test_my_events_lists_what_one_plays_and_works_on(by, client):
    event = make.open_event(by)
    assert client.get(reverse("tournaments:my-events")).status_code == 302
    client.force_login(by.user)
    assert event.name in client.get(reverse("tournaments:my-events")).content.decode()


def test_an_account_with_an_entry_needs_no_link(by, client):
    event = make.open_event(by)
    person = make.user()
    client.force_login(person)
    client.post(url("register", event), {"name": "Nora"})
    assert client.get(url("me", event)).status_code == 200


def test_a_report_is_read_once_more_then_confirmed_by_one_tap(client, running):
    event, by, match = running
    open_link(client, match.players[1], by)
    report = url("my-report", event, match.pk)
    page = client.post(report, {"own": 40, "other": 22}).content.decode()
    assert f"{match.players[1].name} wins: 40–22" in page
    assert not Report.objects.filter(match=match).exists()
    client.post(report, {"own": 40, "other": 22, "sure": "1"})
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED
    said = Report.objects.get(match=match)
    assert (said.score_a, said.score_b, said.winner) == (22, 40, "b")
    open_link(client, match.players[0], by)
    page = client.get(url("me", event)).content.decode()
    assert f"{match.players[1].name} wins: 40–22" in page
    client.post(url("my-confirm", event, match.pk), {"version": match.version})
    match.refresh_from_db()
    assert match.state == Match.State.FINAL
    assert "lost 22–40" in client.get(url("me", event)).content.decode()


def test_one_cannot_report_somebody_elses_match_a_draft_or_a_stale_one(client, running):
    event, by, match = running
    stranger = event.entries.exclude(pk__in=match.seats).first()
    open_link(client, stranger, by)
    sent = {"own": 40, "other": 1, "sure": "1"}
    assert client.post(url("my-report", event, match.pk), sent).status_code == 404
    assert client.post(url("my-confirm", event, match.pk), {"version": 0}).status_code == 404
    make.play_round(event.rounds.get(), by)
    draft = rounds.draft_round(event=event, expected_round=2, by=by)
    own = draft.matches.filter(match_seats__entry=stranger)
    gone = client.post(url("my-report", event, own[0].pk), sent)
    assert gone.status_code == 404
    assert "or has been removed" in gone.content.decode()
    assert f'href="{url("me", event)}"' in gone.content.decode()


def test_who_opens_a_link_while_signed_in_acts_as_that_player(client, running):
    event, by, match = running
    client.force_login(by.user)
    open_link(client, match.players[1], by)
    client.post(url("my-report", event, match.pk), {"own": 40, "other": 1, "sure": "1"})
    assert Report.objects.get(match=match).by_entry_id == match.seats[1]


def test_every_form_carries_its_token(running):
    event, by, match = running
    careful = Client(enforce_csrf_checks=True)
    open_link(careful, match.players[0], by)
    page = careful.get(url("me", event)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.partition("my-match")[2])
    sent = {"own": 40, "other": 3, "sure": "1", "csrfmiddlewaretoken": token[1]}
    assert careful.post(url("my-report", event, match.pk), sent).status_code == 302


@pytest.mark.parametrize(("played", "told"), [("thoom", False), ("creatures-of-exo", True)])
def test_whose_games_come_first_is_said_where_games_are_counted(by, played, told):
    event = make.playing(by, 4, formula="single-group", format=played)
    match = event.rounds.get().matches.first()
    page = text(by_link(match.players[0], by).get(url("me", event)))
    assert 'name="preset"' in page
    assert ("Scores show your games first." in page) == told


SENTENCE = re.compile(r"This will be decided after round 3, around (\d\d):(\d[05])\.")


@pytest.fixture
def unsure(by):
    """Return an event whose last Swiss round is being played, and a player who has played.

    It is about noon there whenever the test runs, so that the event ends on the day it began.
    """
    now = timezone.now()
    event = make.halfway(
        by,
        8,
        rounds=2,
        formula="swiss-cut",
        options={"rounds": 3, "cut": 2},
        starts_at=now - timedelta(hours=2),
        time_zone=f"Etc/GMT{now.hour - 12:+d}",
    )
    item = make.next_round(event, by)
    for match in item.matches.filter(table__in=(2, 3)):
        make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    return event, item


def facts_of(event):
    return load_facts(event, for_staff=False)


def pages(event, by):
    return [text(by_link(entry, by).get(url("me", event))) for entry in event.entries.all()]


@pytest.mark.deep
def test_who_is_unsure_reads_the_hour_and_nobody_else(unsure, by):
    event, item = unsure
    told = {("Not decided yet" in page, bool(SENTENCE.search(page))) for page in pages(event, by)}
    assert told == {(True, True), (False, False)}
    wanted = item.published_at + timedelta(minutes=event.minutes)
    found = expected_decision_time(facts_of(event))
    assert timedelta(0) <= found - wanted < timedelta(minutes=5)
    assert (found.minute % 5, found.second, found.microsecond) == (0, 0, 0)


@pytest.mark.parametrize(("language", "words"), [("en", "decided"), ("it", "Si decide")])
def test_both_languages_have_it_on_the_day_and_on_another(unsure, language, words):
    event, _item = unsure
    with override(language):
        today = decision_time_text(facts_of(event))
        event.starts_at -= timedelta(days=1)
        later = decision_time_text(facts_of(event))
    assert words in today
    assert words in later
    assert len(later) > len(today)


@pytest.mark.deep
def test_an_hour_that_has_passed_is_not_told_and_the_page_changes(unsure, by, monkeypatch):
    event, _item = unsure
    player = next(
        one
        for one in (by_link(entry, by) for entry in event.entries.all())
        if SENTENCE.search(text(one.get(url("me", event))))
    )
    tag = player.get(url("me-now", event))["ETag"]
    late = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(own_rounds.timezone, "now", lambda: late)
    news = player.get(url("me-now", event), headers={"If-None-Match": tag})
    assert news.status_code == 200
    assert "will be decided after" not in text(news)


def test_while_the_clock_stands_and_once_all_is_played_no_hour_is_known(unsure, by):
    event, item = unsure
    run_clock(event=event, ordinal=3, action=ClockAction.START, by=by)
    assert expected_decision_time(facts_of(event))
    run_clock(event=event, ordinal=3, action=ClockAction.PAUSE, by=by)
    assert expected_decision_time(facts_of(event)) is None
    run_clock(event=event, ordinal=3, action=ClockAction.RESUME, by=by)
    make.play_round(item, by)
    assert expected_decision_time(facts_of(event)) is None


def test_where_nobody_goes_on_there_is_nothing_to_decide(by):
    event = make.playing(by, 4, formula="single-group", format="creatures-of-exo")
    assert expected_decision_time(facts_of(event)) is None
    assert decision_time_text(facts_of(event)) == ""


@pytest.fixture
def held(by):
    """Return a played event whose last round's table is held back."""
    event = make.playing(
        by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2}, standings_held="last"
    )
    for number in (1, 2, 3):
        if number > 1:
            make.next_round(event, by)
        make.play_round(event.rounds.get(ordinal=number), by)
    return event


def test_what_points_leave_out_is_counted_once_for_all_players(held, monkeypatch):
    facts, counts = load_facts(held, for_staff=False), []

    def counted(results):
        counts.append(results)
        return marks_by_player(results)

    monkeypatch.setattr(ranking, "marks_by_player", counted)
    found = [ranking.record_beside_points(facts, number) for number in facts.entries]
    assert {sum(record) for record, _as_of in found} == {2}
    assert len(counts) == 2, "all rounds, and those left out"


@pytest.mark.deep
def test_nothing_is_held_of_a_cut_by_tables_whose_results_say_who_goes_on(by):
    event = make.stage_played(by, 8, **make.TABLES | {"options": {"rounds": 1, "cut": 4}})
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        draw_tied_order(event=event, tied=needed[0], seed="s", by=by)
    close_stage(event=event, expected_stage=1, by=by)
    make.play_round(make.next_round(event, by), by)
    event.standings_held = "all"
    event.save()
    facts = load_facts(event, for_staff=False)
    assert facts.open_stage.held == frozenset()
    states = [current_page_state(facts, entry) for entry in event.entries.all()]
    assert not [each for each in states if each.plays]


@pytest.mark.deep
def test_who_is_out_by_points_is_not_told_to_stay(by, held):
    public = Client(headers=ENGLISH).get(url("standings", held)).content.decode()
    assert public.count(">Out<") > 0
    pages = [
        by_link(entry, by).get(url("me", held), headers=ENGLISH).content.decode()
        for entry in held.entries.all()
    ]
    told = "Not decided yet"
    certain = public.count(">Out<") + public.count(">Qualified<")
    assert sum(told in page for page in pages) == len(pages) - certain
