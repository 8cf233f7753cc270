"""Results at the desk: one line, one click, field by field, corrected."""

import re

import pytest
from django.test import Client

from rules.matches import Claim
from tests import factories as make
from tests.browsers import ENGLISH, signed_in, text, url
from tournaments.models import Event, Match, Report, StaffRole
from tournaments.selectors.facts import load_facts
from tournaments.services import reports

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def event(by):
    return make.started(by, 12)


@pytest.fixture
def match(event, by) -> Match:
    return make.next_round(event, by).matches.select_related("a", "b").order_by("table").first()


@pytest.fixture
def games_match(by) -> Match:
    fresh = make.started(
        by, 8, format="creatures-of-exo", formula="groups-knockout", decklists="off"
    )
    item = make.next_round(fresh, by)
    return item.matches.select_related("a", "b", "round__event").order_by("table").first()


def save(client: Client, event: Event, match: Match, line: str, version: int = 0, **more):
    data = {"version": version, "text": line} | more
    return client.post(url("desk-save", event, match.pk), data, headers=ENGLISH | JSON)


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_line_is_saved_with_the_servers_time(event, match, role):
    answer = save(signed_in(make.staff(event, role)), event, match, "40 22")
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] == "saved"
    assert body["sentence"].startswith(f"Table 1: {match.a} 40–22 {match.b}, saved ")
    assert f'id="row-{match.pk}"' in body["row"]
    assert len(answer.content) < 3000
    match.refresh_from_db()
    assert match.state == Match.State.FINAL


def test_others_save_nothing(event, match, client):
    assert save(client, event, match, "40 22").status_code == 403
    assert save(signed_in(make.organiser()), event, match, "40 22").status_code == 403
    assert not Report.objects.exists()


def test_the_same_line_twice_is_one_result(event, match, by):
    client = signed_in(by)
    save(client, event, match, "40 22")
    again = save(client, event, match, "40 22")
    assert again.json()["status"] == "saved"
    assert match.reports.count() == 1


def test_another_line_meanwhile_shows_both_and_one_click_chooses(event, match, by):
    save(signed_in(make.staff(event)), event, match, "40 22")
    client = signed_in(by)
    answer = save(client, event, match, "22 40")
    body = answer.json()
    assert answer.status_code == 409
    assert body["status"] == "conflict"
    assert f"{match.a} wins: 40–22" in body["conflict"]
    assert f"{match.b} wins: 22–40" in body["conflict"]
    match.refresh_from_db()
    assert match.decision.score_a == 40
    chosen = save(client, event, match, "22 40", version=match.version, chosen="yes")
    assert chosen.json()["status"] == "saved"
    match.refresh_from_db()
    assert (match.decision.score_a, match.reports.count()) == (22, 2)


def test_a_conflict_without_script_is_a_page(event, match, by):
    save(signed_in(make.staff(event)), event, match, "40 22")
    data = {"version": 0, "text": "22 40"}
    answer = signed_in(by).post(url("desk-save", event, match.pk), data)
    assert answer.status_code == 409
    assert "Take this one" in text(answer)


@pytest.mark.parametrize("line", ["", "x", "40", "40 22 9", "9999 1", "<b>", "²-1"])
def test_an_unreadable_line_is_refused_in_words(event, match, by, line):
    answer = save(signed_in(by), event, match, line)
    assert answer.status_code == 400
    assert answer.json()["status"] == "refused"
    assert len(answer.json()["sentence"]) > 20
    assert not Report.objects.exists()


def test_without_script_the_numbers_of_a_row_are_enough(event, match, by):
    data = {"version": 0, "score_a": "40", "score_b": "22"}
    answer = signed_in(by).post(url("desk-save", event, match.pk), data, follow=True)
    assert f"{match.a} 40–22 {match.b}" in text(answer)


def test_without_script_a_table_is_found_by_its_number(event, match, by):
    client = signed_in(by)
    found = client.post(url("desk-quick", event), {"ordinal": 1, "table": 1})
    assert found.headers["Location"] == url("desk-result", event, match.pk)
    data = {"ordinal": 1, "table": 1, "text": "40 22"}
    assert "saved" in text(client.post(url("desk-quick", event), data, follow=True))


def test_a_match_taken_back_says_so(event, match, by):
    client = signed_in(by)
    client.post(url("desk-undo-round", event, 1))
    answer = save(client, event, match, "40 22")
    assert answer.status_code == 409
    assert answer.json()["code"] == "match_gone"
    assert client.get(url("match", event, match.pk)).status_code == 404


def test_a_best_of_three_has_a_button_for_each_result(games_match, by):
    event = games_match.round.event
    client = signed_in(by)
    page = text(client.get(url("desk", event)))
    assert all(f'value="{key}"' in page for key in ("2-0", "2-1", "1-2", "0-2", "1-1"))
    answer = save(client, event, games_match, "2-1")
    assert f"{games_match.a} 2–1 {games_match.b}" in answer.json()["sentence"]


@pytest.mark.parametrize(
    ("data", "ended_by", "winner"),
    [
        ({"ended_by": "no_show", "winner": "b"}, "no_show", "b"),
        ({"ended_by": "concession", "winner": "a"}, "concession", "a"),
        (
            {"ended_by": "no_warriors", "winner": "b", "score_a": 35, "score_b": 12},
            "no_warriors",
            "b",
        ),
        ({"ended_by": "time", "score_a": 20, "score_b": 20}, "time", "draw"),
        ({"ended_by": "double_loss"}, "double_loss", "none"),
        ({"ended_by": "void"}, "void", "void"),
        ({"ended_by": "disqualification", "winner": "a"}, "disqualification", "a"),
        ({"winner": "b", "score_a": 40, "score_b": 22, "note": "ruling"}, "played", "b"),
    ],
)
def test_other_endings_have_a_form(event, match, by, data, ended_by, winner):
    client = signed_in(by)
    assert client.get(url("desk-result", event, match.pk)).status_code == 200
    answer = client.post(url("desk-result", event, match.pk), {"version": 0} | data)
    assert answer.status_code == 302
    match.refresh_from_db()
    assert (match.decision.ended_by, match.decision.winner) == (ended_by, winner)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"version": "x"},
        {"version": 0, "winner": "z"},
        {"version": 0, "ended_by": "bye"},
        {"version": 0, "score_a": 40},
        {"version": 0, "score_a": 40, "score_b": 22, "winner": "b"},
    ],
)
def test_what_cannot_be_stays_in_the_form(event, match, by, data):
    answer = signed_in(by).post(url("desk-result", event, match.pk), data)
    assert answer.status_code == 400
    assert 'class="notice bad"' in text(answer)
    assert not Report.objects.exists()


def test_battle_cards_are_added(event, match, by):
    client = signed_in(by)
    data = {"version": 0, "score_a": 40, "score_b": 35, "battle_a": "on"}
    seen = client.get(url("desk-battle", event, match.pk), data)
    assert text(seen) == "With battle cards: 50–35."
    client.post(url("desk-result", event, match.pk), data)
    match.refresh_from_db()
    assert (match.decision.score_a, match.decision.score_b) == (50, 35)


def test_battle_cards_that_change_the_leader_ask_for_the_winner(event, match, by):
    data = {"version": 0, "score_a": 40, "score_b": 35, "battle_b": "on"}
    answer = signed_in(by).post(url("desk-result", event, match.pk), data)
    assert answer.status_code == 400
    assert "say who won" in text(answer)
    assert text(signed_in(by).get(url("desk-battle", event, match.pk), {"score_a": "x"})) == ""


def test_a_level_knock_out_match_asks_what_decided(by):
    event = make.started(by, 13)
    match = make.next_round(event, by).matches.exclude(state="final").first()
    client = signed_in(by)
    assert save(client, event, match, "30 30").status_code == 400
    page = text(client.get(url("desk-result", event, match.pk)))
    assert "by warriors" in page
    data = {"version": 0, "score_a": 30, "score_b": 30, "winner": "b", "tie_break": "extra_turns"}
    assert client.post(url("desk-result", event, match.pk), data).status_code == 302
    match.refresh_from_db()
    assert (match.decision.winner, match.decision.tie_break) == ("b", "extra_turns")


def test_the_form_leads_to_the_rest_of_the_table(event, match, by):
    page = signed_in(by).get(url("desk-result", event, match.pk))
    assert f'href="{url("match", event, match.pk)}"' in text(page)


def test_a_bye_has_no_result_to_enter_or_correct(by):
    event = make.started(by, 9)
    bye = make.next_round(event, by).matches.filter(b=None).first()
    client = signed_in(by)
    for name in ("desk-result", "match-correct"):
        answer = client.post(url(name, event, bye.pk), {"version": 1, "score_a": 1, "score_b": 2})
        assert answer.headers["Location"] == url("match", event, bye.pk)
    assert "has a bye" in text(client.get(url("match", event, bye.pk)))
    answer = save(client, event, bye, "1 40", version=1, chosen="yes")
    assert answer.json()["code"] == "no_opponent"
    assert bye.reports.count() == 1


def reported(event: Event, match: Match, by, *claims: Claim) -> None:
    for entry, claim in zip((match.a, match.b), claims, strict=False):
        player = make.user()
        entry.user = player
        entry.save()
        reports.report_result(match=match, claim=claim, by=make.Actor(user=player))


def test_a_dispute_is_settled_by_one_of_the_reports(event, match, by):
    reported(event, match, by, Claim(score=(40, 22)), Claim(score=(22, 40)))
    client = signed_in(make.staff(event))
    assert "Two different reports" in text(client.get(url("desk", event)))
    page = text(client.get(url("match", event, match.pk)))
    assert page.count("Take this one") == 2
    stale = client.post(url("match-take", event, match.pk), {"version": 1, "report": 2})
    assert stale.status_code == 409
    none = client.post(url("match-take", event, match.pk), {"version": 2, "report": 9})
    assert none.status_code == 400
    answer = client.post(
        url("match-take", event, match.pk), {"version": 2, "report": 2}, follow=True
    )
    assert f"{match.a} 22–40 {match.b}" in text(answer)


def test_of_a_player_who_reported_twice_the_latter_is_offered(event, match, by):
    reported(event, match, by, Claim(score=(40, 22)))
    again = make.Actor(user=match.a.user)
    reports.report_result(match=match, claim=Claim(score=(40, 21)), by=again)
    match.b.user = make.user()
    match.b.save()
    other = make.Actor(user=match.b.user)
    reports.report_result(match=match, claim=Claim(score=(22, 40)), by=other)
    page = text(signed_in(by).get(url("match", event, match.pk)))
    assert page.count("Take this one") == 2
    assert page.count("40–21") == 2  # to be taken, and among everything reported
    assert page.count("40–22") == 1


def test_one_report_is_accepted_from_the_row(event, match, by):
    reported(event, match, by, Claim(score=(40, 22)))
    page = text(signed_in(by).get(url("desk", event)))
    assert "Accept" in page
    assert "Reported: 40–22" in page


def test_a_correction_shows_its_effects_and_keeps_the_old_result(event, match, by):
    make.play_round(match.round, by)
    match.refresh_from_db()
    client = signed_in(by)
    assert "Counts now" in text(client.get(url("match-correct", event, match.pk)))
    data = {"version": match.version, "score_a": 12, "score_b": 40}
    preview = text(client.post(url("match-correct", event, match.pk), data))
    assert "What the correction changes" in preview
    assert "Ranks that change" in preview
    match.refresh_from_db()
    assert match.decision.score_a == 40
    missing = client.post(url("match-correct", event, match.pk), data | {"confirm": "yes"})
    assert missing.status_code == 400
    done = client.post(
        url("match-correct", event, match.pk), data | {"confirm": "yes", "reason": "swapped"}
    )
    assert done.status_code == 302
    match.refresh_from_db()
    assert (match.decision.score_a, match.reports.count()) == (12, 2)
    stale = client.post(
        url("match-correct", event, match.pk), data | {"confirm": "yes", "reason": "again"}
    )
    assert stale.status_code == 409


def test_a_judge_is_led_to_corrections_of_the_latest_round_alone(event, match, by):
    make.play_round(match.round, by)
    client = signed_in(make.staff(event))
    address = url("match-correct", event, match.pk)
    assert address in text(client.get(url("match", event, match.pk)))
    assert client.get(address).status_code == 200
    make.next_round(event, by)
    shown = text(client.get(url("match", event, match.pk)))
    assert address not in shown
    assert "corrected by the head judge or the organiser" in shown
    instead = text(client.get(address))
    assert "corrected by the head judge or the organiser" in instead
    assert 'name="score_a"' not in instead
    assert address in text(signed_in(by).get(url("match", event, match.pk)))


def test_a_judge_cannot_correct_an_earlier_round(event, match, by):
    make.play_round(match.round, by)
    make.play_round(make.next_round(event, by), by)
    data = {"version": 1, "score_a": 12, "score_b": 40, "confirm": "yes", "reason": "late"}
    judge = signed_in(make.staff(event))
    assert judge.post(url("match-correct", event, match.pk), data).status_code == 403


@pytest.mark.parametrize(("later", "open_stage"), [("keep", 2), ("take_back", 1)])
def test_a_correction_that_reaches_a_later_stage_keeps_or_takes_it_back(by, later, open_stage):
    event = make.started(by, 5)
    make.play_stage(event, by)
    from_stage = load_facts(event).open_stage
    results_of = [m for m in from_stage.matches if m.decision.winner == "a"]
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_lots(event=event, tied=needed[0], seed="x", by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    client = signed_in(by)
    pages = []
    for match in results_of:
        data = {"version": match.version, "score_a": 1, "score_b": 40}
        pages.append((match, text(client.post(url("match-correct", event, match.pk), data))))
    match = next(match for match, page in pages if "would be different now" in page)
    data = {"version": match.version, "score_a": 1, "score_b": 40, "later": later}
    answer = client.post(
        url("match-correct", event, match.pk), data | {"confirm": "yes", "reason": "slip"}
    )
    assert answer.status_code == 302
    assert load_facts(event).open_stage.stage.number == open_stage


def test_places_that_change_hands_have_their_names_in_words(by):
    event = make.started(by, 8, formula="groups-knockout", options={"groups": 2})
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_lots(event=event, tied=needed[0], seed="x", by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    client, data = signed_in(by), {"version": 1, "score_a": 1, "score_b": 40}
    pages = [
        text(client.post(url("match-correct", event, match.pk), data))
        for match in Match.objects.filter(round__event=event)
    ]
    assert any('<th scope="row">Seed 1</th>' in page for page in pages)


def test_a_correction_names_the_pairings_that_would_differ(by):
    """The round that was made stands beside the one that the new result would have given."""
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    first, other = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")
    data = {"version": first.version, "text": "0-2"}
    client = signed_in(by)
    shown = text(client.post(url("match-correct", event, first.pk), data))
    shown = " ".join(shown.replace(' class="person"', "").split())
    assert "Pairings that would differ" in shown
    made, instead = (
        re.search(rf"<dt>{words}</dt>(.*?)</div>", shown)[1]
        for words in ("With the old result", "With the new result")
    )
    winner, loser = first.a.name, first.b.name
    final = f"<bdi>{winner}</bdi> – <bdi>{other.a.name}</bdi>"
    assert final in made
    assert final not in instead
    assert f"<bdi>{loser}</bdi> – <bdi>{other.a.name}</bdi>" in instead


def test_a_player_leaves_and_comes_back_from_the_match(event, match, by):
    client = signed_in(by)
    leave = url("match-leave", event, match.pk)
    gone = client.post(leave, {"number": match.a.number, "action": "withdraw"}, follow=True)
    assert f"{match.a}: Withdrawn" in text(gone)
    match.refresh_from_db()
    assert match.decision.winner == "b"
    back = client.post(leave, {"number": match.a.number, "action": "come_back"}, follow=True)
    assert f"{match.a}: Checked in" in text(back)
    assert client.post(leave, {"number": match.b.number, "action": "disqualify"}).status_code == 400
    judge = signed_in(make.staff(event))
    data = {"number": match.b.number, "action": "disqualify", "reason": "cheating"}
    assert judge.post(leave, data).status_code == 403
    assert client.post(leave, data).status_code == 302
    assert client.post(leave, {"number": 999, "action": "withdraw"}).status_code == 404
    assert client.post(leave, {"number": "x", "action": "y"}).status_code == 400


def test_a_match_page_makes_the_same_queries_for_any_field(
    event, match, by, django_assert_num_queries
):
    client = signed_in(by)
    with django_assert_num_queries(12):
        client.get(url("match", event, match.pk))
