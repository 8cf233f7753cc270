"""What still can be done in a finished event, service by service, and what is refused.

Whatever ranks, seats, pairs or times stays as it is until the organiser opens the event again;
words, lists, links, people with rights and snapshots may change. A service that stands in
neither table fails the run.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from rules.errors import RuleError
from tests.around import tables
from tests.finished.allowed import ALLOWED, OF_NO_EVENT
from tests.finished.event import Over, over_of_four
from tests.finished.refused import ENDED, REFUSED, RUNNING
from tests.service_modules import service_modules
from tournaments.core.event_state import load_facts
from tournaments.events import services as events
from tournaments.models import Event
from tournaments.undo import services as undo
from tournaments.undo.selectors import undo_options

pytestmark = pytest.mark.django_db


@pytest.fixture
def over() -> Over:
    return over_of_four()


def every_service() -> set[str]:
    """Return the names of the services that write: each is a transaction of its own.

    What only runs a body, as ``kept.undoable``, writes inside the transaction of a service.
    """
    found = set()
    for feature, inside in service_modules():
        for name, thing in vars(inside).items():
            own = inspect.isfunction(thing) and thing.__module__ == inside.__name__
            writes = hasattr(thing, "__wrapped__") or name == "submit_decklist"
            whole = not inspect.isgeneratorfunction(inspect.unwrap(thing))
            if own and writes and whole and not name.startswith("_"):
                found.add(f"{feature}.{name}")
    return found


def test_every_service_stands_in_a_table() -> None:
    named = {name.partition(",")[0] for name in (*REFUSED, *ALLOWED)}
    assert named | OF_NO_EVENT == every_service()


def undone(service: Callable[[Over], Any], over: Over) -> tuple[str, str, bool]:
    """Call a service and undo it: the code and sentence of the refusal, and whether it wrote."""
    before, code, words = tables(), "", ""
    with transaction.atomic():
        try:
            service(over)
        except RuleError as refused:
            code, words = refused.code, str(refused)
        wrote = tables() != before
        transaction.set_rollback(True)
    return code, words, wrote


@pytest.mark.deep
def test_what_ranks_seats_or_times_is_refused_and_nothing_is_stored(over: Over) -> None:
    wrong = []
    for name, (code, service) in REFUSED.items():
        found, words, wrote = undone(service, over)
        if found != code or wrote or not words:
            wrong.append(
                f"{name}: {found or 'accepted'} instead of {code}; wrote: {wrote}; {words}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.deep
def test_the_rest_may_be_done_and_changes_no_rank(over: Over) -> None:
    ranking = load_facts(over.event).ranking
    for name, service in ALLOWED.items():
        with transaction.atomic():
            service(over)
            assert load_facts(Event.objects.get(pk=over.event.pk)).ranking == ranking, name
            transaction.set_rollback(True)


def test_a_penalty_is_not_taken_back_by_way_of_the_log(over: Over) -> None:
    line = over.event.log.get(action="penalty.given").number
    with pytest.raises(RuleError) as refused:
        over.act(undo.undo, expected=line)
    assert refused.value.code == "stale"
    assert line not in {act.line.number for act in undo_options(over.event).others}
    again = over.act(events.change_event_state, action="reopen")
    assert line in {act.line.number for act in undo_options(again).others}


GONE = re.compile(r"/(leave|check-in|lots/draw|lots/hand|lots/extra|take-back|remove)/?$")


@pytest.mark.deep
def test_no_page_offers_what_is_refused(over: Over) -> None:
    browser, slug = Client(), over.event.slug
    browser.force_login(over.by.user)
    match = over.match.pk
    pages = [("manage-player", slug, number) for number in (1, 3, 4)]
    pages += [
        (name, slug) for name in ("manage-players", "manage-files", "penalties", "lots", "desk")
    ]
    for name, *parts in [*pages, ("match", slug, match), ("check", slug, over.check.pk)]:
        page = browser.get(reverse(f"tournaments:{name}", args=parts)).content.decode()
        offered = [to for to in re.findall(r'action="([^"]*)"', page) if GONE.search(to)]
        assert not offered, (name, offered)


@pytest.mark.deep
def test_the_page_that_was_open_says_why(over: Over) -> None:
    browser, slug = Client(headers={"accept-language": "en"}), over.event.slug
    browser.force_login(over.by.user)
    for name, parts, body in (
        ("manage-player-leave", [3], {"action": "come_back"}),
        ("lots-draw", [], {"tied": "1,2,3,4"}),
        ("penalty-take-back", [over.penalty.pk], {}),
    ):
        answer = browser.post(reverse(f"tournaments:{name}", args=[slug, *parts]), body)
        assert answer.status_code == 409, name
        assert "Not saved" in answer.content.decode(), name


def test_a_program_is_told_the_same(over: Over) -> None:
    browser, slug = Client(), over.event.slug
    browser.force_login(over.by.user)
    json, order = {"content_type": "application/json"}, {"order": [1, 2, 3, 4]}
    lots = browser.post(f"/api/v1/events/{slug}/stages/1/lots/", order, **json)
    back = browser.patch(f"/api/v1/events/{slug}/players/3/", {"status": "registered"}, **json)
    assert (lots.status_code, lots.json()["code"]) == (409, RUNNING)
    assert (back.status_code, back.json()["code"]) == (409, ENDED)
