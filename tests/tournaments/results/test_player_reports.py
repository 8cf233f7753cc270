"""Every report that a player can make of their match: on their page, by a script, by a program."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from tests import factories as make
from tests.report_table import OTHER, SIDES, Table, in_games
from tournaments.core.mapping import outcome_from_report
from tournaments.models import Event, Match, Report
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("side", ["b", pytest.param("a", marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ("play", "fields", "winner", "ended_by", "score"),
    [
        ("games", in_games("own", "other", "own"), "own", "played", (2, 1)),
        ("games", in_games("own", "draw", "other", "own"), "own", "played", (2, 1)),
        ("games", in_games("other"), "other", "time", (0, 1)),
        ("games", in_games("own", "other") | {"ended": "time"}, "draw", "time", (1, 1)),
        ("games", in_games("draw", "draw", ""), "draw", "time", (0, 0)),
        ("games", {"ended": "own_concession"}, "other", "concession", None),
        ("games", {"ended": "other_concession"}, "own", "concession", None),
        ("games", in_games("own") | {"ended": "own_concession"}, "other", "concession", (1, 0)),
        ("knock-out", in_games("own", "draw", "own"), "own", "played", (2, 0)),
        ("one game", {"preset": "1-0"}, "own", "played", (1, 0)),
        ("one game", in_games("draw", "own"), "own", "played", (1, 0)),
        ("one game", {"preset": "0-0-1"}, "draw", "time", (0, 0)),
        ("points", {"own": 40, "other": 22}, "own", "played", (40, 22)),
        ("points", {"own": 43, "other": 30, "ended": "time"}, "own", "time", (43, 30)),
        ("points", {"own": 20, "other": 20}, "draw", "time", (20, 20)),
        ("points", {"own": 40, "other": 20, "battle_own": "on"}, "own", "played", (50, 20)),
        (
            "points",
            {"own": 30, "other": 20, "battle_own": "on", "battle_other": "on"},
            "own", "time", (35, 27),
        ),
        (
            "points",
            {"own": 40, "other": 36, "battle_other": "on", "winner": "other"},
            "other", "played", (40, 46),
        ),
        (
            "points",
            {"own": 32, "other": 24, "battle_other": "on", "ended": "time", "winner": "draw"},
            "draw", "time", (32, 32),
        ),
        ("points", {"ended": "own_no_warriors"}, "other", "no_warriors", None),
        (
            "points", {"own": 10, "other": 30, "ended": "other_no_warriors"},
            "own", "no_warriors", (10, 30),
        ),
        (
            "duel", {"own": 30, "other": 30, "winner": "own", "tie_break": "warriors"},
            "own", "time", (30, 30),
        ),
        ("duel", {"ended": "own_concession"}, "other", "concession", None),
    ],
)  # fmt: skip
def test_a_player_tells_it_from_the_own_side_and_the_other_confirms(
    side, play, fields, winner, ended_by, score
):
    table = Table(play)
    table.report(side, **fields)
    said = outcome_from_report(table.said, 2)
    own_first = score if side == "a" or score is None else score[::-1]
    won = {"own": side, "other": OTHER[side], "draw": "draw"}[winner]
    assert (str(said.winner), str(said.ended_by), said.score) == (won, ended_by, own_first)
    told = [fields[key] for key in sorted(fields) if key.startswith("game_") and fields[key]]
    names = {"own": side, "other": OTHER[side], "draw": "draw"}
    if told:
        assert list(said.games) == [names[each] for each in told]
    table.confirm(OTHER[side])
    assert table.match.state == Match.State.FINAL
    assert outcome_from_report(table.match.decision, 2) == said


@pytest.mark.parametrize(
    ("play", "fields", "possible"),
    [
        ("games", {}, "2-1"),
        ("games", {"preset": "3-0"}, "2-1"),
        ("games", in_games("own", "", "own"), "Game 2 is missing"),
        ("games", in_games("own", "own", "other"), "valid for this match"),
        ("games", in_games("own", "own") | {"ended": "own_concession"}, "valid for this match"),
        ("games", in_games("nobody"), "valid choice"),
        ("games", {"ended": "own_no_warriors"}, "valid choice"),
        ("games", {"ended": "no_show"}, "valid choice"),
        ("games", {"ended": "double_loss"}, "valid choice"),
        ("knock-out", in_games("own", "other"), "2-1"),
        ("points", {"own": 40}, "both players"),
        ("points", {"own": 40, "other": 40}, "40 22"),
        ("points", {"own": 40, "other": 36, "battle_other": "on"}, "Enter the winner"),
        ("points", {"own": 40, "other": 22, "winner": "other"}, "40 22"),
        ("points", {"battle_own": "on"}, "40 22"),
        ("points", {"own": 41, "other": 3, "ended": "other_concession"}, "40 22"),
        ("points", {"ended": "own_concession", "winner": "own"}, "valid for this match"),
        ("duel", {"own": 30, "other": 30}, "Extra turns"),
        ("duel", {"own": 30, "other": 30, "winner": "own", "tie_break": "judge"}, "valid choice"),
        ("duel", {"own": 30, "other": 30, "winner": "draw"}, "valid choice"),
    ],
)
@pytest.mark.parametrize("sure", [{}, {"sure": "1"}])
def test_what_can_not_be_is_refused_and_what_was_filled_in_stays(play, fields, possible, sure):
    table = Table(play)
    refused = table.send("b", **fields, **sure)
    page = refused.content.decode()
    assert refused.status_code == 400
    assert possible in page
    assert "<details" in page
    assert re.search(r'<details class="more" open>', page)
    for name, value in fields.items():
        if name in ("own", "other"):
            assert re.search(rf'name="{name}"[^>]* value="{value}"', page)
        if name.startswith("game_") and value not in ("", "nobody"):
            assert re.search(rf'name="{name}" value="{value}"[^>]* checked', page)
    table.match.refresh_from_db()
    assert (table.match.state, table.match.version) == ("open", 0)
    assert not Report.objects.exists()


def test_the_sentence_says_everything_and_can_be_changed():
    table = Table("games")
    a, b = table.match.players[0].name, table.match.players[1].name
    page = table.send("a", **in_games("own", "draw", "other", "own")).content.decode()
    assert f"{a} wins: 2–1–1" in page
    assert f"1. {a} · 2. draw · 3. {b} · 4. {a}" in page
    again = table.send("a", change="1", **in_games("own", "draw", "other", "own"))
    form = again.content.decode()
    assert again.status_code == 200
    assert len(re.findall(r'name="game_\d" value="\w+"[^>]* checked', form)) == 4
    shown = re.sub(r"(?s)<template\b.*?</template>", "", form)
    assert 'role="alert"' not in shown
    assert not Report.objects.exists()


@pytest.mark.deep
def test_one_more_game_is_a_button_that_keeps_the_others():
    table = Table("games")
    assert "game_4" not in table.page("a", "?more")
    sent = in_games("own", "draw", "")
    page = table.send("a", another="1", **sent).content.decode()
    assert "game_4" in page
    assert "game_5" not in page
    assert len(re.findall(r'name="game_\d" value="\w+"[^>]* checked', page)) == 2
    many = table.send("a", another="1", **in_games(*["draw"] * 99)).content.decode()
    assert "game_100" not in many
    huge = table.send("a", game_99999="own").content.decode()
    assert "game_4" not in huge


@pytest.mark.deep
def test_the_usual_results_come_first_and_the_rest_is_folded():
    table = Table("games")
    page = table.page("a")
    assert page.index('value="2-0"') < page.index('<details class="more">')
    assert "I concede" in page
    assert '<details class="more" open>' in table.page("a", "?more")
    me = table.me("a")
    assert 'value="2-0"' in me
    assert "I concede" not in me
    assert f"{table.url('my-report')}?more" in me
    for word in ("disqualif", "no-show", "both lose", "void"):
        assert word not in page.lower()


@pytest.mark.parametrize(
    ("play", "offered", "left_out"),
    [
        ("points", ("battle_own", "own_no_warriors", "ended-time"), ("game_1", "tie_break")),
        ("duel", ("battle_own", "tie_break", "winner"), ("game_1", 'value="judge"')),
        ("games", ("game_3", "own_concession", "ended-time"), ("battle_own", "no_warriors")),
        ("one game", ("game_2", "other_concession"), ("game_3", "battle_own")),
    ],
)
def test_the_page_asks_only_what_the_match_can_have(play, offered, left_out):
    page = Table(play).page("a")
    assert all(each in page for each in offered)
    assert not any(each in page for each in left_out)


@pytest.mark.deep
def test_the_opponent_reads_who_concedes_before_the_tap():
    table = Table("duel")
    table.report("a", ended="own_concession")
    sentence = f"{table.match.players[1].name} wins: {table.match.players[0].name} concedes"
    assert sentence in table.me("b")
    assert sentence in table.page("b")
    table.confirm("b")
    assert "you lost, concession" in table.me("a")
    assert "you won, opponent: concession" in table.me("b")


def test_the_games_in_order_are_shown_to_the_opponent_and_the_judge():
    table = Table("games")
    a, b = table.match.players[0].name, table.match.players[1].name
    table.report("a", **in_games("own", "other", "own"))
    order = f"1. {a} · 2. {b} · 3. {a}"
    assert order in table.me("b")
    assert order in table.page("b")
    judge = Client()
    judge.force_login(table.by.user)
    address = reverse("tournaments:match", args=[table.event.slug, table.match.pk])
    assert judge.get(address).content.decode().count(order) == 2


def test_a_button_and_the_games_one_by_one_agree():
    table = Table("games")
    table.report("a", **in_games("own", "draw", "other", "own"))
    table.report("b", preset="1-2")
    table.match.refresh_from_db()
    assert table.match.state == Match.State.FINAL
    assert table.match.decision.games == ["a", "draw", "b", "a"]


def test_battle_cards_added_by_one_and_typed_as_a_sum_by_the_other_agree():
    table = Table("points")
    page = table.report("a", own=36, other=24, battle_own="on", ended="time")
    assert "42–24, at time" in page
    assert "Battle cards are included" in page
    table.report("b", own=24, other=42)
    table.match.refresh_from_db()
    assert (table.match.state, table.match.decision.ended_by) == (Match.State.FINAL, "time")


@pytest.mark.deep
def test_sent_twice_on_bad_wi_fi_is_sent_once():
    table = Table("games")
    sent = {"preset": "2-0", "sure": "1"}
    answers = [table.send("a", **sent) for _attempt in range(3)]
    assert {answer.status_code for answer in answers} == {302}
    assert Report.objects.count() == 1
    table.confirm("b")
    late = table.send("a", **sent)
    assert late.status_code == 302
    assert Report.objects.count() == 2


@pytest.mark.parametrize("how", ["final", "disputed", "staff"])
def test_where_nothing_can_be_reported_the_page_says_why(how):
    table = Table("games")
    if how == "staff":
        table.event.player_reports = False
        table.event.save()
    else:
        table.report("a", preset="2-0")
        table.report("b", preset="0-2" if how == "final" else "2-0")
    words = {"final": "you won", "disputed": "A judge is coming.", "staff": "Tell a judge"}
    page = table.page("a", "?more")
    assert words[how] in page
    assert "preset" not in page


@pytest.mark.deep
@pytest.mark.parametrize("side", SIDES)
def test_who_mistyped_accepts_what_the_other_said(side):
    """Either of the two may, and nobody else has to come; what they said stays on record."""
    table = Table("games")
    table.report("a", preset="2-0")
    table.report("b", preset="2-1")
    table.match.refresh_from_db()
    assert table.match.state == Match.State.DISPUTED
    shown = table.me(side)
    assert "The reports differ" in shown
    assert "My opponent’s report is right" in shown
    stale = table.phones[side].post(table.url("my-confirm"), {"version": 1})
    assert stale.status_code == 409
    table.confirm(side)
    assert table.match.state == Match.State.FINAL
    assert table.match.decision.winner == OTHER[side]
    assert table.match.decision.kind == Report.Kind.CONFIRMATION
    assert Report.objects.filter(match=table.match).count() == 3
    version = table.match.version
    table.phones[side].post(table.url("my-confirm"), {"version": version - 1})
    table.match.refresh_from_db()
    assert table.match.version == version
    assert "you " in table.me(OTHER[side])
    assert not list(verify_event(Event.objects.get(pk=table.event.pk)))


def test_reporting_the_same_after_all_settles_a_dispute_too():
    table = Table("games")
    table.report("a", preset="2-0")
    table.report("b", preset="2-1")
    third = table.send("a", preset="2-0", sure="1")
    assert third.status_code == 302  # said already: nothing changes
    assert table.send("a", preset="1-1", sure="1").status_code == 409
    table.send("a", preset="1-2", sure="1")
    table.match.refresh_from_db()
    assert table.match.state == Match.State.FINAL
    assert table.match.decision.winner == "b"


JSON = {"Accept": "application/json", "Idempotency-Key": "k-1"}


def sent(table: Table, side: str, **fields: object):
    return table.phones[side].post(table.url("my-report"), fields, headers=JSON)


@pytest.mark.parametrize(
    ("play", "fields"),
    [
        ("games", {"preset": "2-1"}),
        ("games", {"ended": "own_concession"}),
        ("points", {"own": 40, "other": 22, "sure": "1"}),
    ],
)
def test_what_the_button_said_is_stored_without_a_second_page(play, fields):
    table = Table(play)
    assert table.send("a", **fields).status_code == 302
    assert Report.objects.count() == 1


def test_a_script_gets_where_to_go():
    table = Table("games")
    first, again = sent(table, "a", preset="2-1"), sent(table, "a", preset="2-1")
    me = f"/events/{table.event.slug}/me/"
    assert first.json() == again.json() == {"status": "saved", "sentence": "", "to": me}
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"preset": "3-0"}, 400, "2-1"),
        ({"own": "x"}, 400, "2-1"),
    ],
)
def test_a_refusal_is_a_sentence(fields, status, said):
    table = Table("games")
    answer = sent(table, "a", sure="1", **fields)
    assert (answer.status_code, answer.json()["status"]) == (status, "refused")
    assert said in answer.json()["sentence"]
    assert not Report.objects.exists()


def test_a_match_that_was_taken_back_is_a_sentence_too():
    table = Table("games")
    address = table.url("my-report")
    Match.objects.get(pk=table.match.pk).delete()
    answer = table.phones["a"].post(address, {"preset": "2-0"}, headers=JSON)
    assert answer.status_code == 404
    assert "has been removed" in answer.json()["sentence"]


def test_of_two_phones_the_older_report_does_not_undo_the_newer():
    table = Table("games")
    sent(table, "a", preset="2-1", version=0)
    assert sent(table, "a", preset="2-1", version=0).json()["status"] == "saved"
    late = sent(table, "a", preset="1-2", version=0)
    assert (late.status_code, late.json()["code"]) == (409, "reported_since")
    assert Report.objects.count() == 1
    assert sent(table, "a", preset="1-2", version=1).json()["status"] == "saved"
    assert Report.objects.count() == 2


def test_what_counts_already_is_no_refusal_where_it_is_the_same():
    table = Table("games")
    table.report("b", preset="1-2")
    table.confirm("a")
    assert sent(table, "a", preset="2-1", version=0).json()["status"] == "saved"
    assert sent(table, "a", preset="2-0", version=0).status_code == 409
    assert table.match.reports.count() == 2


def test_a_late_report_meets_that_of_the_opponent():
    table = Table("games")
    table.report("b", preset="1-2")
    assert sent(table, "a", preset="2-1", version=0).json()["status"] == "saved"
    table.match.refresh_from_db()
    assert table.match.state == Match.State.FINAL


def test_a_call_is_answered_in_json_too():
    table = Table("games")
    answer = table.phones["a"].post(table.url("my-call"), {"reason": "Rules"}, headers=JSON)
    assert answer.json()["status"] == "saved"
    again = table.phones["a"].post(table.url("my-call"), {"reason": "Rules"}, headers=JSON)
    assert again.json()["code"] == "judge_called"
    assert table.match.calls.count() == 1


def program(table: Table, side: str) -> tuple[APIClient, str]:
    """Return the client of a player with an account, and the address of the result."""
    entry = table.match.players["ab".index(side)]
    entry.user = make.user()
    entry.save()
    client = APIClient(headers={"Accept-Language": "en"})
    client.force_authenticate(entry.user)
    return client, f"/api/v1/events/{table.event.slug}/matches/{table.match.pk}/result/"


@pytest.mark.parametrize(
    ("play", "sent", "winner", "ended_by", "score"),
    [
        ("games", {"games": ["a", "draw", "b", "a"]}, "a", "played", [2, 1]),
        ("games", {"score": [1, 0], "ended_by": "time"}, "a", "time", [1, 0]),
        ("games", {"winner": "a", "ended_by": "concession"}, "a", "concession", None),
        ("games", {"winner": "b", "ended_by": "concession"}, "b", "concession", None),
        (
            "points", {"score": [30, 20], "battle_cards": ["a", "b"], "ended_by": "time"},
            "a", "time", [35, 27],
        ),
        ("points", {"winner": "a", "ended_by": "no_warriors"}, "a", "no_warriors", None),
        (
            "duel", {"score": [20, 20], "winner": "b", "tie_break": "warriors"},
            "b", "time", [20, 20],
        ),
    ],
)  # fmt: skip
def test_a_players_program_tells_the_same_and_the_opponents_confirms(
    play, sent, winner, ended_by, score
):
    table = Table(play)
    for side, state in (("a", "reported"), ("b", "final")):
        client, address = program(table, side)
        table.match.refresh_from_db()
        body = {"version": table.match.version, **sent}
        answer = client.put(address, body, format="json")
        assert (answer.status_code, answer.json()["state"]) == (200, state), answer.content
    final = answer.json()
    assert (final["winner"], final["ended_by"], final["score"]) == (winner, ended_by, score)


@pytest.mark.parametrize(
    "sent",
    [
        {"winner": "none"},
        {"winner": "void"},
        {"winner": "a", "ended_by": "no_show"},
        {"winner": "a", "ended_by": "disqualification"},
        {"ended_by": "double_loss"},
        {"winner": "a", "note": "Se n'è andato"},
        {"score": [2, 0], "winner": "b", "note": "Mazzo sbagliato"},
        {"games": ["a", "a", "a"]},
        {"games": ["a", "a"], "winner": "b", "ended_by": "concession"},
    ],
)
def test_a_players_program_does_not_tell_what_judges_decide(sent):
    table = Table("games")
    client, address = program(table, "a")
    refused = client.put(address, {"version": 0, **sent}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result")
    assert "2-0, 2-1" in refused.content.decode()
    assert not Report.objects.exists()
