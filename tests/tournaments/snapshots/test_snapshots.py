"""Nothing destroys results without a typed name and a snapshot, and the snapshot brings all back.

Safety notes, T52.
"""

import gzip
import json

import pytest
from django.core.exceptions import PermissionDenied
from django.utils.translation import override
from knox.models import AuthToken

from config.shown_once import token_hash
from decks.models import Decklist
from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.archive.writer import event_archive, internal_archive
from tournaments.chain.lines import log_digests, snapshot_digest
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import ARCHIVED
from tournaments.lots import services as draws
from tournaments.models import (
    Contact,
    DeckDraft,
    Entry,
    Event,
    JoinClaim,
    KeptRows,
    LogLine,
    Match,
    RemainingMention,
    Report,
    Restoration,
    Snapshot,
    StaffInvitation,
    TokenScope,
)
from tournaments.models.tables import DECLARED
from tournaments.players.services import departures, entries, late_entries
from tournaments.results.services import reports, results
from tournaments.rounds import services as rounds
from tournaments.rounds.services import discard_round
from tournaments.snapshots.selectors import compare_snapshot, snapshot_archive, snapshot_document
from tournaments.snapshots.services import MOST_SNAPSHOTS, NOT_OURS, restore_snapshot, take_snapshot
from tournaments.staff import services as staff
from tournaments.undo.selectors import undo_options
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def event(by):
    """Return an event of seven with lists whose second round has every result but one."""
    return make.halfway(by, 7, rounds=2, decklists="required", **SWISS)


def fresh(event):
    return Event.objects.get(pk=event.pk)


def tables(event):
    """Return the archive without what stays or only grows when an event is put back."""
    kept = json.loads(event_archive(event))["tables"]
    (own,) = kept["events"]
    del own["version"], own["head"]
    stay = {table.key for table in ARCHIVED if table.stays}
    return {key: rows for key, rows in kept.items() if key not in stay}


def throw_away(event, by, ordinal=2, confirm="Round 2"):
    discard_round(event=event, ordinal=ordinal, confirm=confirm, by=by)
    assert list(verify_event(fresh(event))) == []


def test_a_round_with_results_goes_only_when_its_name_is_typed(event, by):
    before = event_archive(event)
    for typed in ("", "Round 1", "yes"):
        with pytest.raises(BadInput) as refused:
            discard_round(event=event, ordinal=2, confirm=typed, by=by)
        assert refused.value.code == "not_confirmed"
    assert event_archive(fresh(event)) == before
    assert not Snapshot.objects.exists()
    with override("it"):
        throw_away(event, by, confirm="  turno   2 ")
    assert fresh(event).rounds.count() == 1


@pytest.mark.deep
def test_a_snapshot_is_there_before_and_the_undo_brings_the_round_back(event, by):
    before, content = tables(event), internal_archive(event)
    archived = event_archive(event)
    throw_away(event, by)
    snapshot = event.snapshots.get()
    assert (snapshot.act, snapshot.version, snapshot.by) == (
        "round.discarded",
        event.version,
        by.user,
    )
    assert snapshot_document(snapshot) == content
    assert snapshot_archive(snapshot) == archived
    undo(event=event, expected=undo_options(fresh(event)).last.line.number, by=by)
    assert tables(fresh(event)) == before


@pytest.mark.deep
def test_a_snapshot_put_back_gives_the_same_event(event, by):
    before = tables(event)
    throw_away(event, by)
    make.play_round(make.next_round(event, by), by)
    changed = internal_archive(fresh(event))
    snapshot = event.snapshots.get()
    restored = restore_snapshot(
        event=event, snapshot_id=snapshot.pk, confirm="trofeo di prova", by=by
    )
    assert (restored.pk, restored.slug) == (event.pk, event.slug)
    assert tables(restored) == before
    assert list(verify_event(restored)) == []
    newest = event.snapshots.order_by("-pk").first()
    assert snapshot_document(newest) == changed
    back = restore_snapshot(event=event, snapshot_id=newest.pk, confirm=event.name, by=by)
    assert tables(back) != before
    assert list(verify_event(back)) == []
    finished = make.play_event(fresh(event), by)
    assert finished.state == "finished"


@pytest.mark.deep
def test_the_log_grows_and_says_that_the_event_was_put_back(event, by):
    throw_away(event, by)
    lines = list(LogLine.objects.filter(event=event).order_by("number").values("number", "action"))
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, by=by)
    now = list(LogLine.objects.filter(event=event).order_by("number").values("number", "action"))
    assert now[:-1] == lines
    assert now[-1]["action"] == "event.restored"
    assert fresh(event).version == now[-1]["number"]
    assert undo_options(fresh(event)).last.why_not is not None
    assert not KeptRows.objects.filter(event=event).exists()


@pytest.mark.deep
def test_one_click_is_enough_while_nothing_would_be_lost(event, by):
    throw_away(event, by)
    snapshot = event.snapshots.get()
    seen = compare_snapshot(fresh(event), snapshot_document(snapshot))
    assert (seen.lost, len(seen.back), seen.then.rounds, seen.now.rounds) == ((), 3, 2, 1)
    make.play_round(make.next_round(event, by), by, lambda _match, _index: Claim(games=("b", "b")))
    assert len(compare_snapshot(fresh(event), snapshot_document(snapshot)).lost) == 3
    with pytest.raises(BadInput) as refused:
        restore_snapshot(event=event, snapshot_id=snapshot.pk, by=by)
    assert refused.value.code == "not_confirmed"
    assert event.snapshots.count() == 1


@pytest.mark.deep
def test_who_may_come_in_and_what_was_drawn_stays_as_it_is(event, by):
    judge = make.staff(event, "judge").user
    entry = event.entries.get(number=1)
    old = entries.make_link(entry=entry, by=by)
    throw_away(event, by)
    staff.remove_role(event=event, role_id=event.staff.get(user=judge).pk, by=by)
    new = entries.make_link(entry=entry, by=by)
    token, _secret = AuthToken.objects.create(user=by.user)
    TokenScope.objects.create(token=token, event=event, level="read")
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, by=by)
    assert not event.staff.filter(user=judge).exists()
    live = event.entries.get(number=1).links.filter(revoked_at__isnull=True)
    assert links_with(live, new) == 1
    assert links_with(live, old) == 0
    assert event.token_scopes.count() == 1


def links_with(live, token):
    return live.filter(token_hash=token_hash(token)).count()


@pytest.mark.deep
def test_lots_that_were_drawn_since_stay_drawn(by):
    event = make.started(by, 4, formula="single-group")
    take_snapshot_now(event, by)
    make.play_stage(event, by, lambda match, _index: Claim(score=(20, 20), winner=None))
    if needed := load_facts(event).open_stage.outcome.lots_needed:
        draws.draw_tied_order(event=event, tied=needed[0], seed="x", by=by)
    drawn = list(event.draws.values("number", "state", "order", "seed", "stage__number"))
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, confirm=event.name, by=by)
    assert list(event.draws.values("number", "state", "order", "seed", "stage__number")) == drawn


def take_snapshot_now(event, by):
    return take_snapshot(fresh(event), "round.discarded", by=by)


@pytest.mark.deep
def test_lists_are_used_again_and_drafts_of_players_kept(event, by):
    entry = event.entries.get(number=2)
    lists = set(Decklist.objects.values_list("pk", "upload"))
    take_snapshot_now(event, by)
    DeckDraft.objects.create(entry=entry, text="1 Lupo")
    Decklist.objects.filter(submissions__entry=entry).update(upload=b"file")
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, by=by)
    assert {key for key, _file in lists} == set(Decklist.objects.values_list("pk", flat=True))
    assert Decklist.objects.filter(upload=b"file").count() == 1
    assert DeckDraft.objects.get().entry.number == 2


def test_what_came_later_is_gone_and_named_before(event, by):
    take_snapshot_now(event, by)
    late_entries.add_late_entry(event=event, name="Zita", missed="loss", by=by)
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    seen = compare_snapshot(fresh(event), snapshot_document(event.snapshots.get()))
    assert (seen.then.players, seen.now.players, seen.lost) == (7, 8, ())
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, by=by)
    assert not Entry.objects.filter(event=event, name="Zita").exists()
    assert event.entries.get(number=1).plays
    assert list(verify_event(fresh(event))) == []


@pytest.mark.deep
def test_reports_of_players_come_back_with_who_said_them(by):
    event = make.started(by, 4, formula="single-group")
    match = make.next_round(event, by).matches.filter(table=1).get()
    claim = Claim(score=(40, 10))
    reports.report_result(match=match, claim=claim, by=Actor(entry=match.players[0]))
    before = tables(fresh(event))
    throw_away(event, by, ordinal=1, confirm="Round 1")
    assert not Report.objects.filter(match__round__event=event).exists()
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, by=by)
    assert tables(fresh(event)) == before
    report = Report.objects.get(match__round__event=event)
    assert report.by_entry.name == match.players[0].name


@pytest.mark.deep
def test_a_result_sent_for_a_match_of_before_is_refused(event, by):
    matches = Match.objects.select_related("round__event")
    match = matches.get(round__event=event, round__ordinal=2, table=1)
    throw_away(event, by)
    restore_snapshot(event=event, snapshot_id=event.snapshots.get().pk, by=by)
    with pytest.raises(RuleError) as refused:
        results.correct_result(
            match=match, version=1, claim=Claim(games=("b", "b")), reason="x", by=by
        )
    assert refused.value.code == "match_gone"


def test_only_the_last_round_and_only_by_an_organiser(event, by):
    with pytest.raises(PermissionDenied):
        throw_away(event, make.staff(event, "head_judge"))
    with pytest.raises(RuleError) as refused:
        throw_away(event, by, ordinal=1, confirm="Round 1")
    assert refused.value.code == "not_last_round"
    snapshot = take_snapshot_now(event, by)
    with pytest.raises(PermissionDenied):
        restore_snapshot(event=event, snapshot_id=snapshot.pk, by=make.staff(event, "head_judge"))
    with pytest.raises(RuleError) as refused:
        restore_snapshot(event=event, snapshot_id=snapshot.pk + 1, by=by)
    assert refused.value.code == "snapshot_gone"


@pytest.mark.deep
def test_the_newest_are_kept(event, by):
    made = [take_snapshot_now(event, by).pk for _time in range(MOST_SNAPSHOTS + 3)]
    assert list(event.snapshots.order_by("pk").values_list("pk", flat=True)) == made[3:]


def test_rounds_that_were_drafted_anew_after_are_a_new_round(event, by):
    throw_away(event, by)
    item = rounds.draft_round(event=event, expected_round=2, by=by)
    assert (item.ordinal, item.number) == (2, 2)


def test_every_table_of_an_event_is_emptied_kept_or_shared():
    archived = {table.model for table in ARCHIVED}
    # by the event's key, which stays
    beside = {Snapshot, TokenScope, KeptRows, RemainingMention, Restoration, StaffInvitation}
    hanging = {
        relation.related_model
        for model in archived - set(NOT_OURS) | {Event}
        for relation in model._meta.related_objects
        if not DECLARED[relation.related_model].beside  # kept, as those of series are
    }
    assert hanging - archived - beside == {Contact, DeckDraft, JoinClaim}


@pytest.mark.deep
def test_an_archive_of_before_a_column_was_added_can_be_read(event, by):
    kept = json.loads(event_archive(event))
    for row in kept["tables"]["rounds"]:
        row.pop("level")
    snapshot = take_snapshot_now(event, by)
    snapshot.document = gzip.compress(json.dumps(kept).encode())
    snapshot.save()
    log_digests(event, snapshot_digest(snapshot))
    restore_snapshot(event=event, snapshot_id=snapshot.pk, by=by)
    assert list(verify_event(fresh(event))) == []
