"""A page that is not sure says when it is decided, where the timetable knows."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from rules.events.clock import ClockAction
from tests import factories as make
from tests.browsers import by_link, text, url
from tournaments.clock.services import run_clock
from tournaments.core.event_state import load_facts
from tournaments.personal.selectors import rounds
from tournaments.personal.selectors.rounds import decided_at, decision_words

pytestmark = pytest.mark.django_db
SENTENCE = re.compile(r"Who goes on is decided about (\d\d):(\d[05]), after round 3\.")


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
    return load_facts(event, drafts=False)


def pages(event, by):
    return [text(by_link(entry, by).get(url("me", event))) for entry in event.entries.all()]


def test_who_is_unsure_reads_the_hour_and_nobody_else(unsure, by):
    event, item = unsure
    told = {("Not decided yet" in page, bool(SENTENCE.search(page))) for page in pages(event, by)}
    assert told == {(True, True), (False, False)}
    wanted = item.published_at + timedelta(minutes=event.minutes)
    found = decided_at(facts_of(event))
    assert timedelta(0) <= found - wanted < timedelta(minutes=5)
    assert (found.minute % 5, found.second, found.microsecond) == (0, 0, 0)


@pytest.mark.parametrize(("language", "words"), [("en", "is decided"), ("it", "Chi passa")])
def test_both_languages_have_it_on_the_day_and_on_another(unsure, language, words):
    event, _item = unsure
    with override(language):
        today = decision_words(facts_of(event))
        event.starts_at -= timedelta(days=1)
        later = decision_words(facts_of(event))
    assert words in today
    assert words in later
    assert len(later) > len(today)


def test_an_hour_that_has_passed_is_not_told_and_the_page_changes(unsure, by, monkeypatch):
    event, _item = unsure
    player = next(
        one
        for one in (by_link(entry, by) for entry in event.entries.all())
        if SENTENCE.search(text(one.get(url("me", event))))
    )
    tag = player.get(url("me-now", event))["ETag"]
    late = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(rounds.timezone, "now", lambda: late)
    news = player.get(url("me-now", event), headers={"If-None-Match": tag})
    assert news.status_code == 200
    assert "is decided about" not in text(news)


def test_while_the_clock_stands_and_once_all_is_played_no_hour_is_known(unsure, by):
    event, item = unsure
    run_clock(event=event, ordinal=3, action=ClockAction.START, by=by)
    assert decided_at(facts_of(event))
    run_clock(event=event, ordinal=3, action=ClockAction.PAUSE, by=by)
    assert decided_at(facts_of(event)) is None
    run_clock(event=event, ordinal=3, action=ClockAction.RESUME, by=by)
    make.play_round(item, by)
    assert decided_at(facts_of(event)) is None


def test_where_nobody_goes_on_there_is_nothing_to_decide(by):
    event = make.playing(by, 4, formula="single-group", format="creatures-of-exo")
    assert decided_at(facts_of(event)) is None
    assert decision_words(facts_of(event)) == ""
