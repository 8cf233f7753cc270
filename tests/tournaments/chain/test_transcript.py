"""The public transcript of a finished event, and where its fingerprint stands."""

import json
import re
from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from tests import factories as make
from tests.browsers import read, signed_in, url
from tests.transcripts import draws_of
from tournaments.models import Event
from tournaments.penalties import services as penalties
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def transcript(client, event):
    answer = client.get(reverse("tournaments:transcript", args=[event.slug]))
    assert answer.status_code == 200
    return json.loads(answer.content)


def some_of_everything(match, index):
    """Return results that leave players level: every third a draw where there may be one."""
    if match.best_of > 1:
        return make.Claim(games=("b", "a", "b"))
    scores = [(40, 20), (25, 40), (31, 31)] if match.draws else [(40, 20), (25, 40)]
    return make.Claim(score=scores[(index + match.round.ordinal) % len(scores)])


def all_level(match, index):
    """Return a draw wherever there may be one."""
    return make.Claim(score=(31, 31)) if match.draws else some_of_everything(match, index)


def test_who_left_lots_and_corrections_are_followed(by, client):
    event = make.started(by, 12)
    make.play_round(make.next_round(event, by), by, some_of_everything)
    match = event.rounds.get().matches.first()
    results.correct_result(
        match=match, version=match.version, claim=make.Claim(score=(12, 40)), reason="typo", by=by
    )
    departures.withdraw(entry=event.entries.get(number=4), reason="train", by=by)
    event = make.play_event(Event.objects.get(pk=event.pk), by, all_level)
    assert event.log.filter(action="draw.lots").exists()
    assert list(verify_event(event)) == []
    assert draws_of(transcript(client, event))


def test_nothing_hidden_is_in_it(by, client):
    event = make.started(by, 5, decklists="required")
    make.play_round(make.next_round(event, by), by)
    entry = event.entries.get(number=2)
    penalties.give_penalty(
        entry=entry, level="warning", infraction="canary-infraction", note="canary-note", by=by
    )
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    text = json.dumps(transcript(client, event))
    for canary in ("canary", by.user.email, "salt", '"words"', '"subject"', '"reason"'):
        assert canary not in text
    deck = entry.submissions.first().decklist
    assert deck.fingerprint not in text
    assert event.draws.get(state="announced").seed not in text


def test_a_draft_thrown_away_stays_closed(by, client):
    event = make.started(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    make.play_round(make.next_round(event, by), by)
    draft = rounds.draft_round(event=event, expected_round=2, by=by)
    line = event.log.order_by("number").last()
    match = draft.matches.order_by("number").first()
    place = f"round/2/match/{match.number}"
    assert line.facts["rows"][place] == {}
    assert line.words[place]["draft"]["a"] == match.players[0].number
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    rounds.take_back_round(event=event, ordinal=2, by=by)
    departures.withdraw(entry=match.players[0], reason="train", by=by)
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    assert list(verify_event(event)) == []
    document = transcript(client, event)
    assert draws_of(document)
    drafted = [each for each in document["log"]["lines"] if each["action"] == "round.drafted"]
    told = [
        row
        for each in drafted
        for place, row in each["facts"]["rows"].items()
        if "/match/" in place
    ]
    assert len(told) > 12
    assert not any(told)
    assert document["rows"][place]["seats"]


def test_there_is_none_before_the_end(by, client):
    event = make.playing(by, 5)
    assert client.get(reverse("tournaments:transcript", args=[event.slug])).status_code == 404


def test_pages_and_workbook_carry_the_latest_fingerprint(by, client):
    event = make.playing(by, 5)
    head = Event.objects.get(pk=event.pk).head
    for name in ("event", "standings", "pairings", "players", "draws", "ranking"):
        page = client.get(reverse(f"tournaments:{name}", args=[event.slug])).content.decode()
        on_paper = re.findall(r'<span class="paper-only">.*?</span>', page, re.DOTALL)
        assert [head in words for words in on_paper] == [True]
        assert page.count(head[:32]) == 1
        assert page.count(reverse("tournaments:record", args=[event.slug])) == 1
    assert head[:32] not in signed_in(by).get(url("desk", event)).content.decode()
    record = read(client, url("record", event))
    assert f'<code class="hash">{head}</code>' in record
    assert reverse("tournaments:transcript", args=[event.slug]) not in record
    answer = client.get(reverse("tournaments:workbook", args=[event.slug]) + "?whole=1")
    book = load_workbook(BytesIO(answer.content))
    assert head in {row[1].value for row in book.worksheets[0].iter_rows() if len(row) > 1}
    assert {sheet.oddFooter.left.text for sheet in book} == {head[:32]}
