"""The floor: tables on a judge's phone, what is sent late, and the way back to where they were."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from rules.errors import RuleError
from rules.events.clock import ClockAction
from tests import factories as make
from tests.browsers import by_link, page, read, signed_in, text, url
from tests.reporting import row_at_desk
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.clock import services as clock
from tournaments.core.permissions import Actor
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.judging.selectors import open_calls
from tournaments.judging.services import call_judge
from tournaments.models import (
    DeckCheck,
    Event,
    GivenAnswer,
    JudgeCall,
    Match,
    Penalty,
    Report,
    TimeExtension,
)
from tournaments.penalties import services as penalties
from tournaments.results.services import results
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


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
    assert "meno di un minuto" in said
    assert ("Finito" in said, "Contestato" in said, "Finita" in said) == (True, True, False)


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
        {"back": "floor", "reason": "Ruling", "minutes": "5"},
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
    assert f"A judge is coming. <bdi>{judge.user}</bdi>" in text(taken)
    refused = late.post(url("call-take", event, made[0].pk), {"back": "floor"})
    assert refused.status_code == 409
    assert f"{judge.user} is already on the way" in text(refused)
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


@pytest.mark.deep
def test_the_desk_calls_a_judge_to_a_table(event, by, judge, match):
    scorekeeper = make.staff(event, "scorekeeper")
    desk = signed_in(scorekeeper)
    sent = desk.post(url("match-call", event, match.pk), {"reason": "Lite"}, follow=True)
    assert "Saved." in text(sent)
    assert event.log.last().by == scorekeeper.user
    assert "Desk: <bdi>Lite</bdi>" in " ".join(page(signed_in(judge), "floor", event).split())
    for player in match.players:
        assert "Judge called:" in page(by_link(player, by), "me", event)
    other = Match.objects.get(round=match.round, table=2)
    assert "Judge called:" not in page(by_link(other.players[0], by), "me", event)
    again = desk.post(url("match-call", event, match.pk))
    assert (again.status_code, JudgeCall.objects.count()) == (409, 1)
    with pytest.raises(PermissionDenied):
        calls.call_judge(match=other, entry=None, by=Actor(entry=other.players[0]))


def test_a_disputed_table_waits_in_the_strip(event, judge, match):
    Match.objects.filter(pk=match.pk).update(state=Match.State.DISPUTED)
    shown = page(signed_in(judge), "floor", event)
    assert tiles(shown)[0] == "disputed"
    assert url("floor-table", event, match.pk) in shown.split('class="floor-calls"')[1]


def test_a_penalty_proposes_the_usual_next_step(event, by, judge, match):
    penalties.give_penalty(entry=match.players[1], level="caution", infraction="Ritardo", by=judge)
    browser = signed_in(judge)
    shown = browser.get(url("floor-penalty", event, match.pk), {"player": match.players[1].number})
    steps = [part.split('"')[0] for part in text(shown).split('data-steps="')[1:]]
    fresh, known = (each.replace("&quot;", "").strip("{}") for each in steps)
    assert "late: caution" in fresh
    assert "late: warning" in known  # given in Italian, read in English
    assert "conduct: warning" in fresh
    assert "Only the head judge or an organiser can disqualify" in text(shown)
    sent = {"number": match.players[1].number, "reason": "late", "level": "warning"}
    sent["note"] = "Nervoso"
    stored = browser.post(url("floor-penalty", event, match.pk), sent, follow=True)
    assert f"{match.players[1].name}: Warning" in text(stored)
    given = Penalty.objects.last()
    told = (given.entry, given.infraction, given.match_id)
    assert told == (match.players[1], "Lateness", match.pk)
    assert "Nervoso" not in page(by_link(match.players[1], by), "me", event)


def test_a_penalty_that_lacks_something_is_refused(event, judge, match):
    browser = signed_in(judge)
    address = url("floor-penalty", event, match.pk)
    assert 'class="optional"' not in text(browser.get(address)).split("id_words")[1][:80]
    sent = {"number": match.players[0].number, "reason": "other", "level": "warning"}
    refused = browser.post(address, sent)
    assert refused.status_code == 400
    assert "This field is required." in text(refused)
    for wrong in ({"level": "disqualification"}, {"number": "99"}, {"reason": "?"}):
        assert browser.post(address, sent | {"words": "Urla"} | wrong).status_code == 400
    assert not Penalty.objects.exists()
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    done = browser.post(address, sent | {"words": "Urla"})
    assert (done.status_code, Penalty.objects.count()) == (409, 0)


def test_notes_of_the_staff_stay_with_the_staff(event, by, judge, match):
    notes.add_staff_note(match=match, text="Canarino", by=judge)
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


@pytest.mark.deep
def test_a_call_without_player_goes_through_an_archive(event, judge, match):
    calls.call_judge(match=match, entry=None, reason="Dal banco", by=judge)
    first = event_archive(event)
    Event.objects.filter(pk=event.pk).delete()
    again = restore_archive(first)
    assert JudgeCall.objects.get(match__round__event=again).entry is None
    assert event_archive(again) == first


def test_an_event_without_a_round_says_so(by):
    event = make.started(by, 4)
    assert "No round is being played" in page(signed_in(by), "floor", event)
    with pytest.raises(RuleError):
        calls.close_call(event=event, call_id=1, by=by)


MINUTES = {"back": "floor", "reason": "Ruling", "minutes": "5"}


@pytest.fixture
def send(judge):
    """Return a function that posts as the outbox does."""
    browser = signed_in(judge)

    def sent(address, values, key="one", **late):
        headers = {"Accept": "application/json", "Idempotency-Key": key}
        return browser.post(address, values | late, headers=headers)

    sent.browser = browser
    return sent


def test_minutes_that_arrive_twice_are_given_once(event, match, send):
    address = url("match-extend", event, match.pk)
    first = send(address, MINUTES)
    again = send(address, MINUTES, late="yes")
    given = TimeExtension.objects.get()
    assert first.json() == {
        "status": "saved",
        "sentence": "Table 1: +5 min.",
        "to": f"{url('floor', event)}?given={given.pk}",
    }
    assert again.json() == first.json()
    send(address, MINUTES, key="two")
    assert TimeExtension.objects.count() == 2


def test_a_key_that_belongs_to_another_act_stores_nothing(event, match, send):
    address = url("match-extend", event, match.pk)
    send(address, MINUTES)
    other = send(address, MINUTES | {"minutes": "10"})
    assert other.status_code == 400
    assert other.json()["status"] == "refused"
    assert TimeExtension.objects.get().minutes == 5


def test_a_call_is_taken_and_closed_though_the_answers_were_lost(event, match, send):
    call = calls.call_judge(match=match, entry=None, by=make.staff(event))
    for name, key in (("call-take", "a"), ("call-close", "b")):
        told = [send(url(name, event, call.pk), {"back": "floor"}, key) for _ in range(2)]
        assert [answer.status_code for answer in told] == [200, 200]
        assert told[0].json() == told[1].json()
        assert told[0].json()["to"] == url("floor", event)
    assert JudgeCall.objects.get().closed_at is not None
    late = send(url("call-take", event, call.pk), {"back": "floor"}, "c")
    assert late.status_code == 409
    assert late.json()["code"] == "call_closed"


def test_a_penalty_arrives_once_and_what_is_missing_is_told(event, match, send):
    address = url("floor-penalty", event, match.pk)
    values = {"number": match.players[0].number, "reason": "other", "words": "", "level": "caution"}
    refused = send(address, values)
    assert refused.status_code == 400
    assert "This field is required." in refused.json()["sentence"]
    for _ in range(2):
        told = send(address, values | {"words": "Late"})  # a refusal took no key
        assert told.json()["to"] == url("floor", event)
    assert Penalty.objects.get().infraction == "Late"


def test_a_deck_check_begins_and_ends_once(event, match, send):
    begun = [send(url("checks-start", event), {"table": "1"}).json() for _ in range(2)]
    assert begun[0] == begun[1]
    checks = DeckCheck.objects.order_by("pk")
    assert [check.entry for check in checks] == [*match.players]
    first = checks[0]
    assert begun[0]["to"] == url("check", event, first.pk)
    ends = {"version": first.version, "finish": "clean"}
    told = [send(url("check", event, first.pk), ends, "end", late="yes") for _ in range(2)]
    assert [answer.status_code for answer in told] == [200, 200]
    assert told[0].json() == told[1].json()
    assert event.deck_checks.filter(finished_at__isnull=False).count() == 1
    wrong = {"version": "x", "finish": "clean"}
    assert send(url("check", event, checks[1].pk), wrong, "wrong").status_code == 400


def test_what_was_sent_at_once_is_said_by_the_page_that_follows(event, match, send):
    call = calls.call_judge(match=match, entry=None, by=make.staff(event))
    send(url("call-take", event, call.pk), {"back": "floor"}, "now")
    assert "Saved." in page(send.browser, "floor", event)
    send(url("call-close", event, call.pk), {"back": "floor"}, "late", late="yes")
    assert "Saved." not in page(send.browser, "floor", event)  # the script has said it


def test_a_refused_act_keeps_no_answer_and_nobody_else_gets_one(event, match, send, by):
    address = url("match-extend", event, match.pk)
    assert send(address, MINUTES | {"minutes": "0"}).status_code == 400
    assert not GivenAnswer.objects.exists()
    send(address, MINUTES)
    headers = {"Accept": "application/json", "Idempotency-Key": "one"}
    signed_in(by).post(address, MINUTES, headers=headers)
    assert TimeExtension.objects.count() == 2


@pytest.fixture
def floor(event, judge):
    """Return the judge's browser."""
    return signed_in(judge)


def table(event, number: int) -> Match:
    found = Match.objects.select_related("round__event")
    return found.get(round__event=event, table=number)


def dispute(match: Match) -> None:
    for entry, index in ((match.players[0], 0), (match.players[1], 5)):
        entry.event = match.round.event
        report_result(match=match, claim=make.a_wins(match, index), by=Actor(entry=entry))


def strip(floor, event) -> str:
    shown = text(floor.get(url("floor", event)))
    return shown.split('class="floor-calls"')[1].split("</section>")[0]


def test_all_that_waits_stands_there_the_oldest_first_with_a_count(floor, event, judge):
    for number in (1, 6):
        dispute(table(event, number))
    for number, reason in ((5, ""), (2, ""), (1, "Who won?")):
        call_judge(match=table(event, number), entry=None, reason=reason, by=judge)
    taken = JudgeCall.objects.get(match__table=5)
    floor.post(url("call-take", event, taken.pk), {"back": "floor"})
    for model, number, ago in (
        *((JudgeCall, 5, 4), (JudgeCall, 2, 9), (JudgeCall, 1, 2)),
        *((Report, 6, 6), (Report, 1, 12)),
    ):
        at = timezone.now() - timedelta(minutes=ago)
        model.objects.filter(match__table=number).update(at=at)
    shown = strip(floor, event)
    rows = shown.split("<li")[1:]
    assert [re.search(r'data-table="(\d+)"', row)[1] for row in rows] == ["1", "2", "6", "5"]
    assert re.findall(r"(\d+) min", shown) == ["12", "9", "6", "4"]
    assert "Waiting: 4" in shown
    assert "Who won?" in shown


def test_a_disputed_table_shows_both_claims_and_saving_one_leads_back(floor, event):
    match = table(event, 3)
    dispute(match)
    sheet = text(floor.get(url("floor-table", event, match.pk)))
    assert sheet.count("Accept this result") == 2
    assert f"{match.players[0].name}" in sheet
    assert "40–10" in sheet
    assert "40–15" in sheet
    assert f"{url('desk-result', event, match.pk)}?back=floor" in sheet
    assert 'value="+3"' not in sheet
    assert 'name="minutes" value="3"' in sheet
    version, report = re.findall(r'name="(?:version|report)" value="(\d+)"', sheet)[-2:]
    body = {"version": version, "report": report, "back": "floor"}
    answer = floor.post(url("match-take", event, match.pk), body)
    assert answer.url == url("floor", event)
    match.refresh_from_db()
    assert match.decision.score_b in (10, 15)
    script = {"Accept": "application/json", "Idempotency-Key": "one"}
    late = floor.post(url("match-take", event, match.pk), body, headers=script)
    assert (late.status_code, late.json()["status"]) == (409, "refused")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("match-ruling", {"text": "Play on"}),
        ("match-note", {"text": "Slow"}),
        ("match-leave", {"action": "withdraw", "reason": "Late train"}),
    ],
)
def test_what_is_saved_from_a_sheet_leads_back_to_the_tables(client, by, event, name, body):
    match = table(event, 3)
    client.force_login(by.user)
    page = text(client.get(url("match", event, match.pk), {"back": "floor"}))
    assert page.count('name="back" value="floor"') >= 3
    assert url("floor", event) in page
    answer = client.post(
        url(name, event, match.pk), body | {"number": match.players[0].number, "back": "floor"}
    )
    assert answer.url == url("floor", event)
    assert 'name="back" value="floor"' not in text(client.get(url("match", event, match.pk)))


def test_a_check_begun_at_a_table_leads_back_to_the_tables(floor, event):
    begun = floor.post(url("checks-start", event), {"table": "3", "back": "floor"})
    assert begun.url.endswith("?back=floor")
    assert 'name="back" value="floor"' in text(floor.get(begun.url))
    first, second = DeckCheck.objects.order_by("pk")
    body = {"finish": "clean", "back": "floor"}
    other = floor.post(url("check", event, first.pk), body)
    assert other.url == f"{url('check', event, second.pk)}?back=floor"
    assert floor.post(url("check", event, second.pk), body).url == url("floor", event)
