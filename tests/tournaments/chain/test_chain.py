"""The chain of an event's log: every line hangs on the one before and tells what it did."""

import json

import pytest
from django.db import connection

from rules.events.ledger import FIRST, canonical, line_digest
from tests import factories as make
from tournaments.chain.lines import open_part, rewrite_closed
from tournaments.core.permissions import Actor
from tournaments.log.services import locked, record
from tournaments.models import Event, Match
from tournaments.players.acts import CHANGED
from tournaments.players.services import departures, entries
from tournaments.rounds import services as rounds
from tournaments.snapshots import services as snapshots
from tournaments.verification.event import notes_on, verify_event

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
        assert line.digest == line_digest(before, open_part(line))
        before = line.digest
    assert Event.objects.get(pk=event.pk).head == before


def test_the_open_part_names_nobody_and_no_key(by):
    event = make.played(by, 6, formula="single-group")
    told = canonical([open_part(line) for line in event.log.all()]).decode()
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
        ("before", '{"a": 1}', "its words are not those written"),
        ("subject", "nobody", "its words are not those written"),
        ("facts", "{}", "is not as it was written"),
        ("action", "event.changed", "is not as it was written"),
        ("player", 3, "is not as it was written"),
        ("digest", "0" * 64, "is not as it was written"),
        ("salt", "", "its words can't be checked"),
    ],
)
def test_a_changed_line_is_named(by, in_english, column, value, says):
    event = make.playing(by, 5)
    assert found(event) == set()
    table = "UPDATE tournaments_logline SET "
    sql(f"{table}{column} = %s WHERE event_id = %s AND number = 3", value, event.pk)
    assert any("Line 3 of the log" in words and says in words for words in found(event))


def test_a_line_taken_out_is_named(by, in_english):
    event = make.playing(by, 5)
    sql("DELETE FROM tournaments_logline WHERE event_id = %s AND number = 2", event.pk)
    assert any("where line 2 is due" in words for words in found(event))


def test_words_rewritten_by_an_erasure_still_hold(by):
    event = make.playing(by, 5)
    line = event.log.get(action="entry.pasted")
    rewrite_closed(line, {"after": {"players": []}, "words": {}})
    assert checks(event) == {"chain_words", "ledger"}
    event = locked(event)
    record(event, CHANGED, by=by, erased=[line.number])
    assert checks(event) == set()
    told = json.dumps(event.log.get(number=event.version).words)
    assert "Bea" in told


def test_undo_and_what_is_put_back_keep_the_chain(by):
    event = make.playing(by, 6, formula="single-group")
    snapshot = snapshots.take_snapshot(Event.objects.get(pk=event.pk), "round.discarded", by=by)
    rounds.take_back_round(event=event, ordinal=1, by=by)
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
    from tournaments.chain.lines import begin_chains

    begin_chains(using="default")
    assert found(event) == set()
    last = event.log.order_by("number").last()
    assert last.facts["begun"]
    assert any(f"from line {last.number} on" in str(note) for note in notes_on(event))
    sql("UPDATE tournaments_entry SET status = 'withdrawn' WHERE number = 2")
    assert any("Player 2 (Bea)" in words and "status" in words for words in found(event))
