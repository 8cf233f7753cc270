"""Players who come in the middle of a Swiss round and meet who has its bye."""

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from rules.stages import swiss
from rules.stages.swiss import entrants
from tests import factories as make
from tests.browsers import signed_in
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.lots import services as draws
from tournaments.models import Event, LogLine, Match
from tournaments.players.selectors.returns import JoinRequest
from tournaments.players.services.departures import rejoin, withdraw
from tournaments.players.services.entries import change_entry, make_link
from tournaments.players.services.late_entries import add_late_entry, enter_late
from tournaments.results.services.results import correct_result, decide_result
from tournaments.rounds import services as rounds
from tournaments.starting import services as starting
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo
from tournaments.verification import rounds as verified
from tournaments.verification.event import verify_event
from tournaments.verification.rounds import _as_paired_before

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 3, "cut": 2}}


@pytest.fixture
def event(by):
    return make.started(by, 7, **SWISS)


def fresh(event):
    return Event.objects.get(pk=event.pk)


def findings(event):
    return list(verify_event(fresh(event)))


def bye_in(item):
    return next(match for match in item.matches.all() if match.size == 1 and not match.missed)


BYE = JoinRequest()


def late(event, by, name="Zita", joins=BYE):
    return add_late_entry(event=event, name=name, missed="loss", joins=joins, by=by)


def points_of(event, entry):
    rows = load_facts(fresh(event)).stages[0].outcome.standings["Swiss"].rows
    return next(row.values["points"] for row in rows if row.player == entry.number)


def decide(match, by):
    match = Match.objects.get(pk=match.pk)
    return decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)


@pytest.mark.deep
def test_a_late_player_meets_who_has_the_bye(event, by):
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    bye = bye_in(item)
    (rests,) = bye.players
    assert points_of(event, rests) >= 3
    before = points_of(event, rests)
    zita = late(event, by)
    match = Match.objects.get(pk=bye.pk)
    assert match.players == (rests, zita)
    assert (match.state, match.decision, match.table) == ("open", None, 4)
    assert match.reason["by_hand"] is True
    assert [report.kind for report in match.reports.all()] == ["automatic"]
    assert points_of(event, rests) == before - 3
    missed = Match.objects.filter(match_seats__entry=zita, missed=True)
    assert [each.round.ordinal for each in missed] == [1]
    after = LogLine.objects.get(action="entry.added_late").after
    assert (after["round"], after["table"], after["bye_of"]) == (2, 4, rests.number)
    assert after["rounds"] == [1]
    assert findings(event) == []
    make.play_round(item, by)
    match.refresh_from_db()
    assert match.version == 2
    finished = make.play_event(event, by)
    assert findings(finished) == []


@pytest.mark.deep
def test_the_last_round_takes_a_late_player_too(event, by):
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    with pytest.raises(RuleError) as refused:
        add_late_entry(event=event, name="Zita", missed="loss", by=by)
    assert refused.value.code == "rounds_over"
    zita = late(event, by)
    assert item.match_seats.get(entry=zita).match == taken_in(item)
    make.play_round(item, by)
    finished = make.play_event(event, by)
    assert len(load_facts(finished).stages[0].state.players) == 8
    assert findings(finished) == []


def taken_in(item):
    return next(match for match in item.matches.all() if match.earlier)


@pytest.mark.deep
def test_the_table_is_the_least_free_one_or_a_fixed_one(by):
    event = make.started(by, 5, tables="3, 7-8, 10", **SWISS)
    item = make.next_round(event, by)
    rests = bye_in(item).players[0]
    zita = late(event, by)
    assert item.match_seats.get(entry=zita).match.table == 8
    undo(event=event, expected=fresh(event).version, by=by)
    change_entry(entry=rests, changes={"fixed_table": 10}, by=by)
    zita = late(event, by)
    assert item.match_seats.get(entry=zita).match.table == 10
    assert findings(event) == []


def test_a_full_hall_has_no_table_for_the_two(by):
    event = make.started(by, 5, tables="1-2", **SWISS)
    make.next_round(event, by)
    with pytest.raises(RuleError) as refused:
        late(event, by)
    assert refused.value.code == "too_few_tables"
    assert event.entries.count() == 5
    assert findings(event) == []


@pytest.mark.deep
def test_one_undo_gives_the_bye_back_and_redo_takes_it_again(event, by):
    item = make.next_round(event, by)
    bye = bye_in(item)
    (rests,) = bye.players
    zita = late(event, by)
    undo(event=event, expected=last_act(fresh(event)).line.number, by=by)
    match = Match.objects.get(pk=bye.pk)
    assert (match.players, match.state, match.table) == ((rests,), "final", None)
    assert (match.decision.winner, match.decision.ended_by, match.version) == ("a", "bye", 2)
    assert not event.entries.filter(pk=zita.pk).exists()
    assert findings(event) == []
    redo(event=event, expected=find_redoable_undo(fresh(event)).number, by=by)
    match = Match.objects.get(pk=bye.pk)
    assert [one.number for one in match.players] == [rests.number, zita.number]
    assert (match.state, match.decision, match.version) == ("open", None, 2)
    assert findings(event) == []
    make.play_round(item, by)
    assert Match.objects.get(pk=bye.pk).version == 3
    assert findings(event) == []


@pytest.mark.deep
def test_another_late_player_can_take_a_bye_that_was_given_back(event, by):
    item = make.next_round(event, by)
    late(event, by)
    undo(event=event, expected=fresh(event).version, by=by)
    berta = late(event, by, name="Berta")
    assert item.match_seats.get(entry=berta).match.version == 2
    document = event_archive(fresh(event))
    event.delete()
    restored = restore_archive(document)
    assert (event_archive(restored), findings(restored)) == (document, [])


@pytest.mark.deep
@pytest.mark.parametrize("played", [False, True])
def test_an_archive_holds_the_match_and_the_bye_it_was(event, by, played):
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    late(event, by)
    if played:
        make.play_round(item, by)
        make.next_round(event, by)
    document = event_archive(fresh(event))
    event.delete()
    restored = restore_archive(document)
    assert (event_archive(restored), findings(restored)) == (document, [])


@pytest.mark.deep
def test_the_undo_is_not_offered_once_a_result_was_in(event, by, in_english):
    item = make.next_round(event, by)
    late(event, by)
    decide(taken_in(item), by)
    assert last_act(fresh(event)).line.action == "result.entered"
    undo(event=event, expected=fresh(event).version, by=by)
    act = last_act(fresh(event))
    assert act.line.action == "entry.added_late"
    assert "Drop the player instead." in str(act.why_not)
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=act.line.number, by=by)
    assert refused.value.code == "not_undoable"
    assert findings(event) == []


@pytest.mark.deep
def test_who_waits_meets_who_has_the_bye(by):
    event = make.open_event(by, capacity=7, decklists="off", **SWISS)
    make.players(event, 8, by)
    event = start(event, by)
    item = make.next_round(event, by)
    waiting = event.entries.get(status="waiting")
    enter_late(entry=waiting, joins=BYE, by=by)
    assert item.match_seats.get(entry=waiting).match.size == 2
    assert findings(event) == []
    undo(event=event, expected=fresh(event).version, by=by)
    assert event.entries.get(pk=waiting.pk).status == "waiting"
    assert findings(event) == []


def start(event, by):
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    return fresh(event)


@pytest.mark.deep
def test_who_comes_back_meets_who_has_the_bye(by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    gone = event.entries.get(number=4)
    withdraw(entry=gone, by=by)
    item = make.next_round(event, by)
    rejoin(entry=gone, joins=BYE, by=by)
    assert item.match_seats.get(entry=gone).match.size == 2
    assert not Match.objects.filter(match_seats__entry=gone, missed=True).exists()
    assert findings(event) == []
    line = last_act(fresh(event)).line
    assert (line.action, line.after["bye_of"]) == (
        "entry.re_enter",
        taken_in(item).players[0].number,
    )
    undo(event=event, expected=line.number, by=by)
    assert not item.match_seats.filter(entry=gone).exists()
    assert findings(event) == []
    redo(event=event, expected=find_redoable_undo(fresh(event)).number, by=by)
    make.play_round(item, by)
    assert findings(make.play_event(event, by)) == []


@pytest.mark.deep
def test_who_left_before_the_start_comes_back_to_the_bye_of_the_last_round(by):
    event = make.open_event(by, **SWISS)
    make.players(event, 8, by)
    gone = event.entries.get(number=4)
    withdraw(entry=gone, by=by)
    event = start(event, by)
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    rejoin(entry=gone, joins=BYE, by=by)
    assert item.match_seats.get(entry=gone).match.size == 2
    make.play_round(item, by)
    assert findings(make.play_event(event, by)) == []


def refused_code(event, by, **more):
    with pytest.raises(RuleError) as refused:
        late(event, by, **more)
    return refused.value.code


@pytest.mark.deep
def test_there_is_no_bye_to_take(event, by):
    assert refused_code(event, by) == "no_bye"
    rounds.draft_round(event=event, expected_round=1, by=by)
    assert refused_code(event, by) == "no_bye"
    rounds.publish_round(event=event, ordinal=1, by=by)
    item = event.rounds.get()
    rests = bye_in(item).players[0]
    other, given = event.entries.exclude(pk=rests.pk).first(), bye_in(item).pk
    assert refused_code(event, by, joins=JoinRequest(bye_in(item).pk, (other.number,))) == "no_bye"
    withdraw(entry=rests, by=by)
    assert refused_code(event, by, joins=JoinRequest(given, (rests.number,))) == "no_bye"
    rejoin(entry=rests, by=by)
    late(event, by, joins=JoinRequest(given, (rests.number,)))
    assert refused_code(event, by, name="Berta") == "no_bye"
    add_late_entry(event=event, name="Berta", missed="loss", by=by)
    assert refused_code(event, by, name="Carla") == "no_bye"
    assert findings(event) == []


def test_a_bye_stays_once_the_next_round_is_drafted(event, by):
    make.play_round(make.next_round(event, by), by)
    rounds.draft_round(event=event, expected_round=2, by=by)
    assert refused_code(event, by) == "no_bye"


@pytest.mark.deep
def test_awarded_byes_and_the_tables_of_three_and_more_give_no_opponent(by):
    event = make.open_event(by, **SWISS)
    make.players(event, 7, by)
    change_entry(entry=event.entries.get(number=2), changes={"byes": 1}, by=by)
    event = start(event, by)
    make.next_round(event, by)
    assert refused_code(event, by) == "no_bye"
    at_tables = make.started(by, 5, **make.TABLES)
    make.next_round(at_tables, by)
    assert refused_code(at_tables, by) == "no_bye"


def test_who_plays_in_the_round_already_meets_nobody_else(by):
    event = make.started(by, 7, **SWISS)
    item = make.next_round(event, by)
    busy = next(match for match in item.matches.all() if match.size == 2).players[0]
    withdraw(entry=busy, by=by)
    with pytest.raises(RuleError) as refused:
        rejoin(entry=busy, joins=BYE, by=by)
    assert refused.value.code == "no_bye"
    assert event.entries.get(pk=busy.pk).status == "withdrawn"


def test_a_bye_given_by_hand_can_be_taken(event, by):
    item = rounds.draft_round(event=event, expected_round=1, by=by)
    rests = bye_in(item).players[0].number
    asked = ChangeRequest(action="swap", players=(rests, rests % 7 + 1))
    change_draft(event=event, ordinal=1, asked=asked, by=by)
    given = bye_in(item)
    assert given.players[0].number == rests % 7 + 1
    rounds.publish_round(event=event, ordinal=1, by=by)
    zita = late(event, by)
    assert item.match_seats.get(entry=zita).match.pk == given.pk
    assert findings(event) == []


@pytest.mark.deep
def test_a_late_player_who_sat_out_a_round_is_not_given_the_next_bye(by):
    event = make.started(by, 6, **SWISS)
    make.play_round(make.next_round(event, by), by)
    zita = add_late_entry(event=event, name="Zita", missed="loss", by=by)
    item = make.next_round(event, by)
    assert bye_in(item).players[0] != zita
    assert findings(event) == []


@pytest.mark.deep
def test_a_later_correction_of_the_match_contradicts_no_pairing_of_the_time(event, by):
    item = make.next_round(event, by)
    late(event, by)
    make.play_round(item, by)
    make.next_round(event, by)
    match = taken_in(item)
    claim = Claim(games=("b", "b"))
    correct_result(match=match, version=match.version, claim=claim, reason="typo", by=by)
    assert findings(event) == []


ENGLISH, ITALIAN = {"accept-language": "en"}, {"accept-language": "it"}


def own_page(entry, by, client, **more):
    client.get(f"/p/{make_link(entry=entry, by=by)}/")
    return client.get(f"/events/{entry.event.slug}/me/", **more).content.decode()


@pytest.mark.deep
def test_the_players_page_offers_who_has_the_bye_first(event, by, client):
    make.play_round(make.next_round(event, by), by)
    rests = bye_in(make.next_round(event, by)).players[0]
    page = f"/events/{event.slug}/manage/players/"
    shown = signed_in(by).get(page, headers=ENGLISH).content.decode()
    offer = f"Play {rests.name} at table 4"
    assert shown.index(offer) < shown.index("Pair from the next round")
    assert f"{rests.name} loses the bye (points: 3)." in shown
    joins = f"{bye_in(event.rounds.get(ordinal=2)).pk}:{rests.number}"
    sent = {"name": "Zita", "missed": "loss", "joins": joins}
    assert signed_in(by).post(f"{page}add/", sent).status_code == 302
    assert signed_in(by).post(f"{page}add/", sent, headers=ENGLISH).status_code == 409
    bad = sent | {"joins": "x"}
    assert signed_in(by).post(f"{page}add/", bad).status_code == 400
    assert event.entries.count() == 8
    assert offer not in signed_in(by).get(page, headers=ENGLISH).content.decode()
    own = own_page(rests, by, client, headers=ENGLISH)
    assert "New at your table: <bdi>Zita</bdi>" in own
    own = own_page(rests, by, client, headers=ITALIAN)
    assert "Nuovo al tuo tavolo: <bdi>Zita</bdi>" in own
    zita = event.entries.get(name="Zita")
    assert "New at your table" not in own_page(zita, by, client, headers=ENGLISH)


@pytest.mark.deep
def test_the_last_round_offers_the_bye_and_nothing_else(event, by):
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    rests = bye_in(make.next_round(event, by)).players[0]
    page = f"/events/{event.slug}/manage/players/"
    shown = signed_in(by).get(page, headers=ENGLISH).content.decode()
    assert f"Play {rests.name} at table" in shown
    assert "Pair from the next round" not in shown


@pytest.mark.deep
def test_pages_of_who_waits_and_of_who_has_left_offer_the_bye(by):
    event = make.open_event(by, capacity=8, decklists="off", **SWISS)
    make.players(event, 9, by)
    event = start(event, by)
    make.play_round(make.next_round(event, by), by)
    gone, waiting = event.entries.get(number=4), event.entries.get(status="waiting")
    withdraw(entry=gone, by=by)
    rests = bye_in(make.next_round(event, by)).players[0]
    words = f"{rests.name} loses the bye (points: 3)."
    for one in (gone, waiting):
        address = f"/events/{event.slug}/manage/players/{one.number}/"
        shown = signed_in(by).get(address, headers=ENGLISH).content.decode()
        assert words in shown
    joins = f"{bye_in(event.rounds.get(ordinal=2)).pk}:{rests.number}"
    sent = {"missed": "loss", "joins": joins}
    address = f"/events/{event.slug}/manage/players/"
    assert signed_in(by).post(f"{address}{waiting.number}/enter/", sent).status_code == 302
    late = {"action": "come_back", "joins": joins}
    refused = signed_in(by).post(f"{address}4/leave/", late)
    assert refused.status_code == 409
    undo(event=event, expected=fresh(event).version, by=by)
    assert signed_in(by).post(f"{address}4/leave/", late).status_code == 302
    assert Match.objects.get(match_seats__entry=gone, round__ordinal=2).players == (rests, gone)
    assert findings(event) == []


@pytest.mark.deep
def test_a_round_paired_while_missed_rounds_were_no_byes_is_not_called_wrong(by, monkeypatch):
    event = make.playing(by, 6, **SWISS)
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(games=("draw",)))
    newcomer = add_late_entry(event=event, name="Zita", missed="loss", by=by)
    with monkeypatch.context() as before:
        before.setattr(swiss, "entrants", lambda state: entrants(_as_paired_before(state)))
        item = make.next_round(event, by)
    assert bye_in(item).players == (newcomer,)
    assert findings(event) == []
    with pytest.MonkeyPatch.context() as without:
        without.setattr(verified, "_as_paired_before", lambda state: state)
        assert [finding.check for finding in findings(event)] == ["pairings"]
