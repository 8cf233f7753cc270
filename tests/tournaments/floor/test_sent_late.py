"""Acts of a judge that a script sends from its outbox: once each, however often they arrive."""

import pytest

from tests import factories as make
from tests.browsers import page, signed_in, text, url
from tournaments.judging import services as calls
from tournaments.models import DeckCheck, GivenAnswer, JudgeCall, Match, Penalty, TimeExtension

pytestmark = pytest.mark.django_db
MINUTES = {"back": "floor", "reason": "A ruling", "minutes": "5"}


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


@pytest.fixture
def match(event):
    return Match.objects.get(round__event=event, table=1)


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
    assert "closed already" in late.json()["sentence"]


def test_a_penalty_arrives_once_and_what_is_missing_is_told(event, match, send):
    address = url("floor-penalty", event, match.pk)
    values = {"number": match.players[0].number, "reason": "other", "words": "", "level": "caution"}
    refused = send(address, values)
    assert refused.status_code == 400
    assert "the player reads it" in refused.json()["sentence"]
    assert "Nothing was stored" in refused.json()["sentence"]
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
    assert "is finished" in told[1].json()["sentence"]
    assert event.deck_checks.filter(finished_at__isnull=False).count() == 1
    wrong = {"version": "x", "finish": "clean"}
    assert send(url("check", event, checks[1].pk), wrong, "wrong").status_code == 400


def test_what_was_sent_at_once_is_said_by_the_page_that_follows(event, match, send):
    call = calls.call_judge(match=match, entry=None, by=make.staff(event))
    send(url("call-take", event, call.pk), {"back": "floor"}, "now")
    assert "You go to table 1" in page(send.browser, "floor", event)
    send(url("call-close", event, call.pk), {"back": "floor"}, "late", late="yes")
    assert "is closed" not in page(send.browser, "floor", event)  # the script has said it


def test_a_refused_act_keeps_no_answer_and_nobody_else_gets_one(event, match, send, by):
    address = url("match-extend", event, match.pk)
    assert send(address, MINUTES | {"minutes": "0"}).status_code == 400
    assert not GivenAnswer.objects.exists()
    send(address, MINUTES)
    headers = {"Accept": "application/json", "Idempotency-Key": "one"}
    signed_in(by).post(address, MINUTES, headers=headers)
    assert TimeExtension.objects.count() == 2


def test_without_script_the_forms_are_as_they_were(event, match, send):
    answer = send.browser.post(url("match-extend", event, match.pk), MINUTES, follow=True)
    assert "Table 1: +5 min" in " ".join(text(answer).split())
