"""What waits for a judge, a disputed table's sheet, and that saving leads back to the tables."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.core.permissions import Actor
from tournaments.judging.services import call_judge
from tournaments.models import DeckCheck, JudgeCall, Match, Report
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


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
    assert re.findall(r"for (\d+) min", shown) == ["12", "9", "6", "4"]
    assert "Waiting: 4" in shown
    assert "Who won?" in shown


def test_a_disputed_table_shows_both_claims_and_saving_one_leads_back(floor, event):
    match = table(event, 3)
    dispute(match)
    sheet = text(floor.get(url("floor-table", event, match.pk)))
    assert sheet.count("This one") == 2
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
