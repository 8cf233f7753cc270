"""What is kept for undo and in snapshots counts only as the log told it."""

import gzip
import json

import pytest

from rules.errors import RuleError
from rules.events.ledger import private_digest
from tests import factories as make
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.chain.lines import (
    KEPT_DIGESTS,
    chain_log,
    private_part,
    rows_digest,
    snapshot_digest,
)
from tournaments.erasing.services.erase import erase_player
from tournaments.log_page.selectors import line_changes
from tournaments.models import Event, KeptRows, LogLine, Snapshot
from tournaments.players.services import departures
from tournaments.players.services.entries import change_entry
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.halfway(by, 6, rounds=1, formula="single-group")


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def checks(event: Event) -> list[str]:
    return [finding.check for finding in verify_event(fresh(event))]


def withdrawn(event: Event, by, number: int = 1) -> LogLine:
    departures.withdraw(entry=event.entries.get(number=number), reason="Ada", by=by)
    return fresh(event).log.last()


def forged(kept: KeptRows) -> None:
    """Change the kept rows so that going back makes player 1 disqualified."""
    (row,) = kept.rows["changed"]["Entry"].values()
    row["status"][0] = "disqualified"
    kept.save()


def refused(act, event: Event, **values) -> None:
    """Check that an act is refused and nothing is stored."""
    before, lines = event_archive(fresh(event)), fresh(event).version
    with pytest.raises(RuleError) as error:
        act(event=event, **values)
    assert error.value.code == "kept_rows_differ"
    assert (event_archive(fresh(event)), fresh(event).version) == (before, lines)


def test_changed_rows_are_not_taken_back(event, by):
    line = withdrawn(event, by)
    forged(event.kept_rows.get(line=line.number))
    refused(undo, event, expected=line.number, by=by)
    assert checks(event) == ["kept"]


@pytest.mark.deep
def test_changed_rows_are_not_done_again(event, by):
    line = withdrawn(event, by)
    undo(event=event, expected=line.number, by=by)
    undone = fresh(event).log.last()
    forged(event.kept_rows.get(line=undone.number))
    refused(redo, event, expected=undone.number, by=by)


def test_rows_put_in_for_a_line_that_kept_none_are_not_taken_back(event, by):
    line = withdrawn(event, by)
    KeptRows.objects.filter(line=line.number).delete()
    KeptRows.objects.create(
        event=event, line=line.number, rows={"added": {}, "removed": {}, "changed": {}}
    )
    refused(undo, event, expected=line.number, by=by)


def test_a_line_that_was_changed_is_not_taken_back(by):
    event = make.event(by)
    make.players(event, 2, by)
    entry = event.entries.get(number=1)
    change_entry(entry=entry, changes={"club": "Nord"}, by=by)
    line = fresh(event).log.last()
    assert not event.kept_rows.filter(line=line.number).exists()
    LogLine.objects.filter(pk=line.pk).update(before=line.before | {"club": "Sud"})
    refused(undo, event, expected=line.number, by=by)


@pytest.mark.parametrize("column", ["words", "closed_digest"])
def test_a_digest_that_was_changed_with_the_rows_does_not_help(event, by, column):
    line = withdrawn(event, by)
    kept = event.kept_rows.get(line=line.number)
    forged(kept)
    line.words[KEPT_DIGESTS] |= rows_digest(kept)
    line.closed_digest = private_digest(line.salt, private_part(line))
    line.save(update_fields=["words", column])
    refused(undo, event, expected=line.number, by=by)


@pytest.mark.deep
def test_a_changed_snapshot_is_not_put_back(event, by):
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    snapshot = event.snapshots.get()
    document = json.loads(gzip.decompress(snapshot.document))
    document["tables"]["entries"][0]["status"] = "withdrawn"
    snapshot.document = gzip.compress(json.dumps(document).encode())
    snapshot.save()
    refused(restore_snapshot, event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert checks(event) == ["kept"]


@pytest.mark.deep
def test_earlier_snapshots_can_be_put_back_after_a_later_one(event, by):
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    first = event.snapshots.get()
    for snapshot in (first, Snapshot.objects.earliest("pk"), Snapshot.objects.latest("pk")):
        restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
        assert "kept_before" not in fresh(event).log.last().after
        assert checks(event) == []


def test_a_snapshot_under_another_version_is_not_put_back(event, by):
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    event.snapshots.update(version=2)
    refused(
        restore_snapshot,
        event,
        snapshot_id=event.snapshots.get().pk,
        confirm=event.name,
        by=by,
    )


@pytest.mark.deep
def test_rows_of_before_are_taken_back_and_the_line_says_so(event, by, in_english):
    line = withdrawn(event, by)
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    discarded = fresh(event).log.last()
    Event.objects.filter(pk=event.pk).update(head="")
    chain_log(fresh(event))
    assert checks(event) == []
    snapshot = event.snapshots.get()
    for number in (discarded.number, line.number):
        undo(event=event, expected=number, by=by)
        assert fresh(event).log.last().after["kept_before"] is True
    told = list(line_changes(fresh(event).log.last()))
    assert "No digest in the log" in str(told)
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert fresh(event).log.last().after["kept_before"] is True
    later = withdrawn(event, by, number=2)
    undo(event=event, expected=later.number, by=by)
    assert "kept_before" not in fresh(event).log.last().after
    assert checks(event) == []


@pytest.mark.deep
def test_an_erasure_tells_the_digests_of_what_it_redacted(event, by):
    line = withdrawn(event, by)
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    snapshot, discarded = event.snapshots.get(), fresh(event).log.last()
    before = bytes(snapshot.document)
    erase_player(event=event, number=1, confirm="Ada", by=by)
    snapshot.refresh_from_db()
    assert bytes(snapshot.document) != before
    told = fresh(event).log.last().words[KEPT_DIGESTS]
    assert {f"rows/{line.number}", *snapshot_digest(snapshot)} <= set(told)
    assert checks(event) == []
    undo(event=event, expected=discarded.number, by=by)
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert checks(event) == []


def test_an_erasure_does_not_tell_what_was_changed(event, by):
    line = withdrawn(event, by)
    forged(event.kept_rows.get(line=line.number))
    erase_player(event=event, number=1, confirm="Ada", by=by)
    assert f"rows/{line.number}" not in fresh(event).log.last().words[KEPT_DIGESTS]
    refused(undo, event, expected=line.number, by=by)


def test_what_follows_an_act_is_told_and_taken_back_with_it(by):
    event = make.open_event(by, capacity=2)
    make.players(event, 4, by)
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    withdrawal, promotion = fresh(event).log.order_by("-number")[:2][::-1]
    assert promotion.action == "entry.promoted"
    what = f"rows/{withdrawal.number}"
    assert withdrawal.words[KEPT_DIGESTS][what] != promotion.words[KEPT_DIGESTS][what]
    undo(event=event, expected=withdrawal.number, by=by)
    assert [entry.status for entry in event.entries.all()].count("waiting") == 2
    assert checks(event) == []


@pytest.mark.deep
def test_archives_hold_nothing_that_is_kept(event, by):
    withdrawn(event, by)
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    assert not {"kept_rows", "snapshots"} & set(json.loads(event_archive(event))["tables"])
    back = restore_archive(event_archive(event), slug="altrove", caller=by.user)
    assert (back.kept_rows.count(), back.snapshots.count()) == (0, 0)
    line = withdrawn(back, by, number=2)
    undo(event=back, expected=line.number, by=by)
    assert "kept_before" not in fresh(back).log.last().after
