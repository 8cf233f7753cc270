"""At the desk: disputes settled, results corrected with their effects, players leaving a match."""

import re

import pytest

from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.reporting import report
from tournaments.core.event_state import load_facts
from tournaments.models import Match
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.mark.deep
def test_a_dispute_is_settled_by_one_of_the_reports(event, match, by):
    for entry, score in zip(match.players, ((40, 22), (22, 40)), strict=True):
        entry.user = make.user()
        entry.save()
        claim = make.Claim(score=score)
        report_result(match=match, claim=claim, by=make.Actor(user=entry.user))
    client = signed_in(make.staff(event))
    assert "Disputed" in text(client.get(url("desk", event)))
    page = text(client.get(url("match", event, match.pk)))
    assert page.count("Accept this result") == 2
    stale = client.post(url("match-take", event, match.pk), {"version": 1, "report": 2})
    assert stale.status_code == 409
    none = client.post(url("match-take", event, match.pk), {"version": 2, "report": 9})
    assert none.status_code == 400
    answer = client.post(
        url("match-take", event, match.pk), {"version": 2, "report": 2}, follow=True
    )
    assert f"{match.players[0]} 22–40 {match.players[1]}" in text(answer)


def test_of_a_player_who_reported_twice_the_latter_is_offered(event, match, by):
    for player, score in ((0, (40, 22)), (0, (40, 21)), (1, (12, 40))):
        report(match, match.players[player], *score)
    page = text(signed_in(by).get(url("match", event, match.pk)))
    assert page.count("Accept this result") == 2
    assert page.count("40–21") == 2  # to be taken, and among everything reported
    assert page.count("40–22") == 1


def test_one_report_is_accepted_from_the_row(event, match, by):
    report(match, match.players[0], 40, 22)
    page = text(signed_in(by).get(url("desk", event)))
    assert "Accept 40–22" in page


@pytest.mark.deep
def test_a_correction_shows_its_effects_and_keeps_the_old_result(event, match, by):
    make.play_round(match.round, by)
    match.refresh_from_db()
    client = signed_in(by)
    assert "Result: <b>" in text(client.get(url("match-correct", event, match.pk)))
    data = {"version": match.version, "score_a": 12, "score_b": 40}
    preview = text(client.post(url("match-correct", event, match.pk), data))
    assert "Correction:" in preview
    assert "No seats or pairings change." in preview
    assert 'class="panel ranks"' in preview
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


@pytest.mark.deep
def test_a_judge_is_led_to_corrections_of_the_latest_round_alone(event, match, by):
    make.play_round(match.round, by)
    client = signed_in(make.staff(event))
    address = url("match-correct", event, match.pk)
    assert address in text(client.get(url("match", event, match.pk)))
    assert client.get(address).status_code == 200
    make.next_round(event, by)
    shown = text(client.get(url("match", event, match.pk)))
    assert address not in shown
    assert "Only the head judge or the organiser can correct" in shown
    instead = text(client.get(address))
    assert "Only the head judge or the organiser can correct" in instead
    assert 'name="score_a"' not in instead
    organiser = signed_in(by)
    assert address in text(organiser.get(url("match", event, match.pk)))
    data = {"version": 1, "score_a": 12, "score_b": 40, "reason": "swapped"}
    assert client.post(address, data | {"confirm": "yes"}).status_code == 403
    said = text(organiser.post(address, data | {"confirm": "keep"}, follow=True))
    assert (
        f"Saved: Round 1 · Table {match.table}: {match.players[0]} 12–40 {match.players[1]}" in said
    )


@pytest.mark.deep
@pytest.mark.parametrize(("later", "open_stage"), [("keep", 2), ("take_back", 1)])
def test_a_correction_that_reaches_a_later_stage_keeps_or_takes_it_back(by, later, open_stage):
    event = make.started(by, 5)
    make.play_stage(event, by)
    from_stage = load_facts(event).open_stage
    results_of = [m for m in from_stage.matches if m.decision.winner == "a"]
    make.close_stage(event, by)
    client = signed_in(by)
    pages = []
    for match in results_of:
        data = {"version": match.version, "score_a": 1, "score_b": 40}
        pages.append((match, text(client.post(url("match-correct", event, match.pk), data))))
    match, page = next(each for each in pages if "Choices" in each[1])
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    data = {"version": match.version, "score_a": 1, "score_b": 40, "later": later, "shown": shown}
    answer = client.post(
        url("match-correct", event, match.pk), data | {"confirm": "yes", "reason": "slip"}
    )
    assert answer.status_code == 302
    assert load_facts(event).open_stage.stage.number == open_stage


@pytest.mark.deep
def test_places_that_change_hands_have_their_names_in_words(by):
    event = make.started(by, 8, formula="groups-knockout", options={"groups": 2})
    make.play_stage(event, by)
    make.close_stage(event, by)
    client, data = signed_in(by), {"version": 1, "score_a": 1, "score_b": 40}
    pages = [
        text(client.post(url("match-correct", event, match.pk), data))
        for match in Match.objects.filter(round__event=event)
    ]
    said = {one for page in pages for one in re.findall(r"<h2>([^:<]*): \w+ → \w+</h2>", page)}
    assert said == {"Knock-out", "Best 1st-placed", "2nd best 1st-placed"} | {
        "Best 2nd-placed",
        "2nd best 2nd-placed",
    }


@pytest.mark.deep
def test_a_correction_names_the_pairings_that_would_differ(by):
    """The round that was made stands beside the one that the new result would have given."""
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    first, other = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")
    data = {"version": first.version, "text": "0-2"}
    client = signed_in(by)
    panel = text(client.get(url("match-correct", event, first.pk)))
    for side in first.players:
        assert f'<legend><bdi class="person">{side.name}</bdi></legend>' in panel
    alone = text(client.post(url("match-correct", event, first.pk), data))
    assert f"Semi-finals · Winner: {first.players[0].name} → {first.players[1].name}" in alone
    make.next_round(event, by)
    shown = text(client.post(url("match-correct", event, first.pk), data))
    shown = " ".join(shown.replace(' class="person"', "").split())
    assert "<summary>Pairings · " in shown
    made, instead = (
        re.search(rf"<dt>{words}</dt>(.*?)</div>", shown)[1] for words in ("Before", "After")
    )
    winner, loser = first.players[0].name, first.players[1].name
    final = f"<bdi>{winner}</bdi> – <bdi>{other.players[0].name}</bdi>"
    assert final in made
    assert final not in instead
    assert f"<bdi>{loser}</bdi> – <bdi>{other.players[0].name}</bdi>" in instead


@pytest.mark.deep
def test_a_player_leaves_and_comes_back_from_the_match(event, match, by):
    client = signed_in(by)
    leave = url("match-leave", event, match.pk)
    gone = client.post(
        leave, {"number": match.players[0].number, "action": "withdraw"}, follow=True
    )
    assert f"Saved: {match.players[0]}" in text(gone)
    match.refresh_from_db()
    assert match.decision.winner == "b"
    back = client.post(
        leave, {"number": match.players[0].number, "action": "come_back"}, follow=True
    )
    assert f"Saved: {match.players[0]}" in text(back)
    assert (
        client.post(leave, {"number": match.players[1].number, "action": "disqualify"}).status_code
        == 400
    )
    judge = signed_in(make.staff(event))
    data = {"number": match.players[1].number, "action": "disqualify", "reason": "cheating"}
    assert judge.post(leave, data).status_code == 403
    assert client.post(leave, data).status_code == 302
    assert client.post(leave, {"number": 999, "action": "withdraw"}).status_code == 404
    assert client.post(leave, {"number": "x", "action": "y"}).status_code == 400


def test_a_match_page_makes_the_same_queries_for_any_field(
    event, match, by, django_assert_num_queries
):
    client = signed_in(by)
    with django_assert_num_queries(14):  # one of them: whether a bracket has begun
        client.get(url("match", event, match.pk))
