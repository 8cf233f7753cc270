"""The chain of the log: its lines, its transcript, and a start that stays."""

import json
import re
from io import BytesIO, StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from openpyxl import load_workbook

from rules.events.ledger import FIRST, canonical_json, line_digest
from tests import factories as make
from tests.browsers import read, signed_in, url
from tests.level_players import all_drawn
from tests.transcripts import draws_of
from tournaments.chain.lines import public_part, replace_private_columns
from tournaments.core.permissions import Actor
from tournaments.log.services import lock_event, record
from tournaments.models import Event, Match
from tournaments.penalties import services as penalties
from tournaments.players.acts import CHANGED
from tournaments.players.services import departures, entries
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.snapshots import services as snapshots
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import event_notes, verify_event

pytestmark = pytest.mark.django_db


def found(event):
    return {str(finding) for finding in verify_event(Event.objects.get(pk=event.pk))}


def checks(event):
    return {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}


def sql(statement, *values):
    """Change the database behind the program's back."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_each_line_hangs_on_the_one_before(by):
    event = make.playing(by, 5)
    before = FIRST
    for line in event.log.order_by("number"):
        assert line.digest == line_digest(before, public_part(line))
        before = line.digest
    assert Event.objects.get(pk=event.pk).head == before


@pytest.mark.deep
def test_the_open_part_names_nobody_and_no_key(by):
    event = make.played(by, 6, formula="single-group")
    told = canonical_json([public_part(line) for line in event.log.all()]).decode()
    assert "Ada" not in told
    assert by.user.email not in told
    for key in ("_id", '"by"', '"pk"'):
        assert key not in told


def test_a_result_tells_its_match_alone(by):
    event = make.playing(by, 12)
    match = Match.objects.filter(round__event=event).first()
    make.play_round(match.round, by)
    line = event.log.filter(action="result.entered").first()
    (place,) = line.facts["rows"]
    assert place == f"round/1/match/{match.number}"
    assert line.facts["rows"][place]["reports"][0]["score_a"] == 40


@pytest.mark.deep
def test_a_result_costs_the_same_however_many_play(by, django_assert_max_num_queries):
    def spent(players):
        match = make.playing(by, players).rounds.get().matches.filter(match_seats__number=2).first()
        with django_assert_max_num_queries(40) as counted:
            make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
        return len(counted)

    assert spent(6) == spent(40)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("before", '{"a": 1}', "chain_words: "),
        ("subject", "nobody", "chain_words: "),
        ("facts", "{}", "chain: "),
        ("action", "event.changed", "chain: "),
        ("player", 3, "chain: "),
        ("digest", "0" * 64, "chain: "),
        ("salt", "", "can’t be read"),
    ],
)
def test_a_changed_line_is_named(by, in_english, column, value, says):
    event = make.playing(by, 5)
    assert found(event) == set()
    table = "UPDATE tournaments_logline SET "
    sql(f"{table}{column} = %s WHERE event_id = %s AND number = 3", value, event.pk)
    assert any("Line 3 (" in words and says in words for words in found(event))


def test_a_line_taken_out_is_named(by, in_english):
    event = make.playing(by, 5)
    sql("DELETE FROM tournaments_logline WHERE event_id = %s AND number = 2", event.pk)
    assert any(words == "chain: Log: stored 3, computed 2." for words in found(event))


def test_words_rewritten_by_an_erasure_still_hold(by):
    event = make.playing(by, 5)
    line = event.log.get(action="entry.pasted")
    replace_private_columns(line, {"after": {"players": []}, "words": {}})
    assert checks(event) == {"chain_words", "ledger"}
    event = lock_event(event)
    record(event, CHANGED, by=by, erased=[line.number])
    assert checks(event) == set()
    told = json.dumps(event.log.get(number=event.version).words)
    assert "Bea" in told


@pytest.mark.deep
def test_undo_and_what_is_put_back_keep_the_chain(by):
    event = make.playing(by, 6, formula="single-group")
    snapshot = snapshots.take_snapshot(Event.objects.get(pk=event.pk), "round.discarded", by=by)
    rounds.delete_last_round(event=event, ordinal=1, by=by)
    departures.withdraw(entry=event.entries.first(), by=Actor(user=by.user))
    assert found(event) == set()
    snapshots.restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert found(event) == set()
    entries.make_link(entry=event.entries.first(), by=by)
    assert found(event) == set()


def test_an_event_of_before_gets_a_chain_that_says_since_when(by, in_english):
    event = make.playing(by, 5)
    empty = {"facts": {}, "words": {}, "salt": "", "closed_digest": "", "digest": ""}
    event.log.update(**empty, player=None)
    Event.objects.filter(pk=event.pk).update(head="")
    assert "ledger" in checks(event)
    from tournaments.chain.lines import chain_unchained_logs

    chain_unchained_logs(using="default")
    assert found(event) == set()
    last = event.log.order_by("number").last()
    assert last.facts["begun"]
    assert any(f"From line {last.number} on" in str(note) for note in event_notes(event))
    sql("UPDATE tournaments_entry SET status = 'withdrawn' WHERE number = 2")
    assert any("Player 2 (Bea)" in words and "status" in words for words in found(event))


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
    return all_drawn(match, index) if match.draws else some_of_everything(match, index)


@pytest.mark.deep
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


@pytest.mark.deep
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


@pytest.mark.deep
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
    rounds.delete_last_round(event=event, ordinal=2, by=by)
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
    for name in ("event", "standings", "pairings", "players"):
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


def taken_back(event, by):
    """Take back act by act as far as that goes; return how many acts were."""
    taken = 0
    while (act := last_act(event)) and act.why_not is None:
        undo(event=event, expected=act.line.number, by=by)
        taken += 1
    return taken


@pytest.mark.deep
def test_an_event_whose_start_was_taken_back_is_the_operators_to_delete(by, client):
    event = make.playing(by, 4, formula="single-group")
    make.play_round(event.rounds.get(), by)
    assert taken_back(event, by) == 5
    assert Event.objects.get(pk=event.pk).plan is None
    client.force_login(by.user)
    address = f"/api/v1/events/{event.slug}/"
    refused = client.delete(address)
    assert refused.status_code == 409
    assert refused.json()["code"] == "event_started"
    assert Event.objects.filter(pk=event.pk).exists()
    call_command("delete_event", event.slug, stdout=StringIO())
    assert client.get(address).status_code == 404
