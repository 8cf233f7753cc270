"""The judge's phone: the grid, calls, minutes of a table, penalties with the usual next step."""

from urllib.parse import urlsplit

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import RuleError
from rules.events.clock import ClockAction
from tests import factories as make
from tests.browsers import by_link, page, read, signed_in, text, url
from tests.reporting import row_at_desk
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.clock import services as clock
from tournaments.core.permissions import Actor
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.judging.selectors import open_calls
from tournaments.models import Event, JudgeCall, Match, Penalty, TimeExtension
from tournaments.penalties import services as penalties
from tournaments.results.services import results

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 12)


@pytest.fixture
def match(event):
    return event.rounds.get().matches.select_related("round__event").get(table=1)


def end(match, by):
    """Enter a result that counts."""
    results.decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)


def tiles(answer: str) -> list[str]:
    return [part.split('"', 1)[0] for part in answer.split('class="tile ')[1:]]


def test_finished_tables_stay_in_place(event, by, judge, match, django_assert_max_num_queries):
    end(match, by)
    told = Match.objects.select_related("round__event").get(round=match.round, table=3)
    calls.call_judge(match=told, entry=told.players[0], by=Actor(entry=told.players[0]))
    browser = signed_in(judge)
    assert tiles(page(browser, "floor", event)) == ["final", "open", "called", *["open"] * 3]
    with django_assert_max_num_queries(12):
        page(browser, "floor", event)


def test_words_of_a_table_agree_in_italian(event, by, judge, match):
    end(match, by)
    Match.objects.filter(round=match.round, table=2).update(state="disputed")
    browser = signed_in(judge)
    said = read(browser, url("floor", event), "it")
    assert "Aperti 5" in said  # with the one in dispute, as at the desk
    assert "Aperti <b>5</b>" in read(browser, url("desk", event), "it")
    assert "In gioco" not in said
    assert "da meno di un minuto" in said
    assert ("finito" in said, "contestato" in said, "finita" in said) == (True, True, False)


def test_a_filter_is_taken_again_only_by_a_tap(event, by, judge, match):
    browser = signed_in(judge)
    shown = text(browser.get(url("floor", event), {"show": "open"}))
    asks = shown.split('data-poll="')[1].split('"')[0].replace("&amp;", "&")
    end(match, by)
    polled = browser.get(asks, headers={"HX-Request": "true"})
    assert tiles(text(polled)) == ["final", *["open"] * 5]
    assert tiles(text(browser.get(url("floor", event), {"show": "open"}))) == ["open"] * 5
    held = {"HX-Request": "true", "If-None-Match": polled["ETag"]}
    assert browser.get(asks, headers=held).status_code == 304


def test_minutes_by_one_tap_come_with_their_undo(event, by, judge, match):
    clock.run_clock(event=event, ordinal=1, action=ClockAction.START, expected=0, by=by)
    browser = signed_in(judge)
    sheet = browser.get(url("floor-table", event, match.pk), headers={"HX-Request": "true"})
    assert "<html" not in text(sheet)
    sent = browser.post(
        url("match-extend", event, match.pk),
        {"back": "floor", "reason": "A ruling", "minutes": "5"},
        follow=True,
    )
    given = TimeExtension.objects.get()
    assert urlsplit(sent.redirect_chain[-1][0]).path == url("floor", event)
    assert "Table 1: +5 min" in " ".join(text(sent).split())
    assert "+5 · " in " ".join(text(sent).split())
    undo = url("extension-take-back", event, given.pk)
    assert undo in text(sent)
    back = browser.post(undo, {"back": "floor"}, follow=True)
    assert urlsplit(back.redirect_chain[-1][0]).path == url("floor", event)
    assert not TimeExtension.objects.exists()
    assert tiles(text(back)) == ["open"] * 6


def test_a_result_entered_from_the_phone_returns_there(event, by, judge, match):
    browser = signed_in(judge)
    to = url("desk-result", event, match.pk)
    assert f'{to}?back=floor"' in page(browser, "floor-table", event, match.pk)
    form = text(browser.get(to, {"back": "floor"}))
    assert 'name="back" value="floor"' in form
    assert 'name="back" value="floor"' not in text(browser.get(to))
    sent = {"version": "0", "score_a": "40", "score_b": "10", "back": "floor"}
    done = browser.post(to, sent, follow=True)
    assert urlsplit(done.redirect_chain[-1][0]).path == url("floor", event)
    assert tiles(text(done))[0] == "final"


def test_calls_are_taken_from_the_phone_the_oldest_first(event, judge, match):
    second = Match.objects.select_related("round__event").get(round=match.round, table=2)
    made = [
        calls.call_judge(
            match=each, entry=each.players[0], reason=reason, by=Actor(entry=each.players[0])
        )
        for each, reason in ((match, "Prima"), (second, "Seconda"))
    ]
    browser, late = signed_in(judge), signed_in(make.staff(event))
    shown = page(browser, "floor", event)
    assert shown.index("Prima") < shown.index("Seconda")
    taken = browser.post(url("call-take", event, made[0].pk), {"back": "floor"}, follow=True)
    assert urlsplit(taken.redirect_chain[-1][0]).path == url("floor", event)
    assert text(taken).index("Prima") < text(taken).index("Seconda")
    assert f"{judge.user}</bdi> goes there" in text(taken)
    refused = late.post(url("call-take", event, made[0].pk), {"back": "floor"})
    assert refused.status_code == 409
    assert f"{judge.user} is going there already" in text(refused)
    assert 'class="tile ' in text(refused)  # on the phone's own page, not at the desk
    closed = browser.post(url("call-close", event, made[0].pk), {"back": "floor"}, follow=True)
    assert "Prima" not in text(closed)


def test_nobody_is_called_to_a_table_that_has_finished(event, judge, match):
    calls.call_judge(match=match, entry=match.players[0], by=Actor(entry=match.players[0]))
    assert len(open_calls(event)) == 1
    assert row_at_desk(match).called
    end(match, judge)
    match.refresh_from_db()
    assert open_calls(event) == ()
    assert not row_at_desk(match).called


def test_the_desk_calls_a_judge_to_a_table(event, by, judge, match):
    scorekeeper = make.staff(event, "scorekeeper")
    desk = signed_in(scorekeeper)
    sent = desk.post(url("match-call", event, match.pk), {"reason": "Lite"}, follow=True)
    assert "A judge is called to table 1." in text(sent)
    assert event.log.last().by == scorekeeper.user
    assert "The desk" in page(signed_in(judge), "floor", event)
    for player in match.players:
        assert "A judge is called:" in page(by_link(player, by), "me", event)
    other = Match.objects.get(round=match.round, table=2)
    assert "A judge is called:" not in page(by_link(other.players[0], by), "me", event)
    again = desk.post(url("match-call", event, match.pk))
    assert (again.status_code, JudgeCall.objects.count()) == (409, 1)
    with pytest.raises(PermissionDenied):
        calls.call_judge(match=other, entry=None, by=Actor(entry=other.players[0]))


def test_a_disputed_table_waits_in_the_strip(event, judge, match):
    Match.objects.filter(pk=match.pk).update(state=Match.State.DISPUTED)
    shown = page(signed_in(judge), "floor", event)
    assert tiles(shown)[0] == "disputed"
    assert url("floor-table", event, match.pk) in shown.split('class="floor-calls"')[1]


def test_a_penalty_proposes_the_usual_next_step(event, judge, match):
    penalties.give_penalty(entry=match.players[1], level="caution", infraction="Ritardo", by=judge)
    browser = signed_in(judge)
    shown = browser.get(url("floor-penalty", event, match.pk), {"player": match.players[1].number})
    steps = [part.split('"')[0] for part in text(shown).split('data-steps="')[1:]]
    fresh, known = (each.replace("&quot;", "").strip("{}") for each in steps)
    assert "late: caution" in fresh
    assert "late: warning" in known  # given in Italian, read in English
    assert "conduct: warning" in fresh
    assert "Disqualification: head judge" in text(shown)
    sent = {
        "number": match.players[1].number,
        "reason": "late",
        "level": "warning",
        "note": "Nervoso",
    }
    stored = browser.post(url("floor-penalty", event, match.pk), sent, follow=True)
    assert f"Penalty of {match.players[1].name} stored: Warning." in text(stored)
    given = Penalty.objects.last()
    assert (given.entry, given.infraction, given.match_id) == (
        match.players[1],
        "Lateness",
        match.pk,
    )
    assert "Nervoso" not in page(
        by_link(match.players[1], make.staff(event, "organiser")), "me", event
    )


def test_a_match_loss_decides_the_match(event, judge, match):
    browser = signed_in(judge)
    address = url("floor-penalty", event, match.pk)
    assert 'class="optional"' not in text(browser.get(address)).split("In your own words")[1][:80]
    sent = {"number": match.players[1].number, "reason": "late", "level": "match_loss"}
    stored = browser.post(address, sent)
    assert stored.headers["Location"] == url("floor", event)
    assert tiles(text(browser.get(stored.headers["Location"])))[0] == "final"


def test_a_penalty_that_lacks_something_is_refused(event, judge, match):
    browser = signed_in(judge)
    address = url("floor-penalty", event, match.pk)
    sent = {"number": match.players[0].number, "reason": "other", "level": "warning"}
    refused = browser.post(address, sent)
    assert refused.status_code == 400
    assert "Write what happened: the player reads it." in text(refused)
    for wrong in ({"level": "disqualification"}, {"number": "99"}, {"reason": "?"}):
        assert browser.post(address, sent | {"words": "Urla"} | wrong).status_code == 400
    assert not Penalty.objects.exists()
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    done = browser.post(address, sent | {"words": "Urla"})
    assert (done.status_code, Penalty.objects.count()) == (409, 0)


def test_notes_of_the_staff_stay_with_the_staff(event, by, judge, match):
    notes.note_match(match=match, text="Canarino", by=judge)
    sheet = page(signed_in(judge), "floor-table", event, match.pk)
    assert "Canarino" not in sheet  # they are read on the page of the match
    scorekeeper = signed_in(make.staff(event, "scorekeeper"))
    for name, parts in (
        ("floor", ()),
        ("floor-table", (match.pk,)),
        ("floor-penalty", (match.pk,)),
    ):
        assert scorekeeper.get(url(name, event, *parts)).status_code == 403
        assert by_link(match.players[0], by).get(url(name, event, *parts)).status_code == 403


def test_a_call_without_player_goes_through_an_archive(event, judge, match):
    calls.call_judge(match=match, entry=None, reason="Dal banco", by=judge)
    first = archive(event)
    Event.objects.filter(pk=event.pk).delete()
    again = restore(first)
    assert JudgeCall.objects.get(match__round__event=again).entry is None
    assert archive(again) == first


def test_an_event_without_a_round_says_so(by):
    event = make.started(by, 4)
    assert "No round is being played" in page(signed_in(by), "floor", event)
    with pytest.raises(RuleError):
        calls.close_call(event=event, call_id=1, by=by)
