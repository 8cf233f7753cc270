"""Players who enter Swiss rounds after the start, from the waiting list too."""

from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from rules.standings.rank_document import parse_rank_document
from rules.standings.table import rank
from tests import factories as make
from tests.browsers import signed_in, url
from tests.recipes import recipe
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.lots import services as draws
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, LogLine, Match, Seat
from tournaments.players.selectors.players import find_valid_link
from tournaments.players.services import departures, entries
from tournaments.players.services.late_entries import add_late_entry, enter_late
from tournaments.rounds import services as rounds
from tournaments.starting import services as starting
from tournaments.starting.services import start_event
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 5, "cut": 4}}


@pytest.fixture
def event(by):
    return make.started(by, 9, **SWISS)


def played_rounds(event, how_many, by):
    for _round in range(how_many):
        make.play_round(make.next_round(event, by), by)


def findings(event):
    return list(verify_event(Event.objects.get(pk=event.pk)))


def row_of(event, entry):
    table = load_facts(event).stages[0].outcome.standings["Swiss"]
    return next(row for row in table.rows if row.player == entry.number)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("missed", "winner", "points", "won", "lost"),
    [("loss", "none", 0, 0, 2), ("bye", "a", 6, 2, 0)],
)
def test_missed_rounds_count_as_chosen(event, by, missed, winner, points, won, lost):
    played_rounds(event, 2, by)
    entry = add_late_entry(event=event, name="Zita", club="Drago", missed=missed, by=by)
    assert (entry.number, entry.status) == (10, "checked_in")
    stored = Match.objects.filter(match_seats__entry=entry, missed=True)
    assert [match.decision.winner for match in stored] == [winner, winner]
    row = row_of(event, entry)
    assert (row.played, row.won, row.lost, row.values["points"]) == (2, won, lost, points)
    assert row.values["opponents_points"] == 0
    assert findings(event) == []


HALVES = {"points_win": 2, "points_draw": 1, "points_parts": 2}


@pytest.mark.deep
def test_missed_rounds_count_as_half_byes_where_points_have_halves(by, client):
    event = make.started(by, 9, **SWISS, **HALVES)
    played_rounds(event, 2, by)
    entry = add_late_entry(event=event, name="Zita", missed="half_bye", by=by)
    stored = Match.objects.filter(match_seats__entry=entry, missed=True)
    told = [(one.decision.winner, one.decision.ended_by) for one in stored]
    assert told == [("draw", "bye"), ("draw", "bye")]
    row = row_of(event, entry)
    assert (row.played, row.drawn, row.values["points"]) == (2, 2, 1)
    played_rounds(event, 1, by)
    assert findings(event) == []
    client.get(f"/p/{entries.make_link(entry=entry, by=by)}/")
    page = client.get(f"/events/{event.slug}/me/", headers={"accept-language": "en"})
    assert "half-point bye" in page.content.decode()
    address = reverse("tournaments_api:export", args=[event.slug])
    file = signed_in(by).get(f"{address}?whole=1", headers={"accept-language": "en"})
    book = load_workbook(BytesIO(file.content))
    rows = [[cell.value for cell in line] for sheet in book for line in sheet.iter_rows()]
    assert [("Zita" in row, "A draw" in row) for row in rows if "half-point bye" in row] == [
        (True, True)
    ] * 2
    document = event_archive(event)
    event.delete()
    restored = restore_archive(document)
    assert (event_archive(restored), findings(restored)) == (document, [])


@pytest.mark.deep
def test_half_byes_are_offered_where_points_have_halves_and_never_at_tables(event, by):
    played_rounds(event, 1, by)
    refused = make.refusal(add_late_entry, event=event, name="Zita", missed="half_bye", by=by)
    assert refused == "bad_missed"
    halves = make.started(by, 9, **SWISS, **HALVES)
    played_rounds(halves, 1, by)
    pages = [
        signed_in(by).get(f"/events/{each.slug}/manage/players/").content.decode()
        for each in (event, halves)
    ]
    assert ['value="half_bye"' in page for page in pages] == [False, True]
    sent = {"name": "Zita", "missed": "half_bye"}
    codes = [
        signed_in(by).post(f"/events/{each.slug}/manage/players/add/", sent).status_code
        for each in (event, halves)
    ]
    assert codes == [400, 302]
    event = make.halfway(by, 5, **make.TABLES, **HALVES)
    refused = make.refusal(add_late_entry, event=event, name="Zita", missed="half_bye", by=by)
    assert refused == "bad_missed"
    page = signed_in(by).get(f"/events/{event.slug}/manage/players/").content.decode()
    assert ('value="bye"' in page, 'value="half_bye"' in page) == (True, False)


def test_what_is_stored_is_what_the_portable_tables_say(event, by):
    played_rounds(event, 1, by)
    entry = add_late_entry(event=event, name="Zita", missed="loss", by=by)
    state = load_facts(event).stages[0].state
    mine = next(result for result in state.results_of("Swiss") if result.seats[0] == entry.number)
    told = {"players": ["z"], "matches": [{"round": 1, "a": "z", "b": None, "winner": "none"}]}
    (meant,) = parse_rank_document(told)["results"]
    assert (len(mine.seats), mine.places, mine.winner) == (1, meant.places, meant.winner)
    (row,) = rank(**parse_rank_document(told)).rows
    assert (row.played, row.lost) == (1, 1)


@pytest.mark.deep
def test_the_late_player_is_paired_from_the_next_round_on(event, by):
    played_rounds(event, 2, by)
    entry = add_late_entry(event=event, name="Zita", missed="loss", by=by)
    third = make.next_round(event, by)
    match = third.match_seats.get(entry=entry).match
    assert match.players[1] is not None
    assert not match.missed
    assert third.matches.count() == 5
    make.play_round(third, by)
    finished = make.play_event(event, by)
    facts = load_facts(finished)
    assert sorted(number for level in facts.ranking for number in level) == [*range(1, 11)]
    assert facts.plan.players == 10
    assert findings(event) == []


def test_one_enters_before_the_first_round_without_missing_any(event, by):
    entry = add_late_entry(event=event, name="Zita", missed="bye", by=by)
    assert not Match.objects.filter(match_seats__entry=entry).exists()
    first = make.next_round(event, by)
    assert first.matches.exclude(match_seats__number=2).count() == 0
    assert findings(event) == []


def test_a_draft_is_missed_and_paired_again_when_it_is_taken_back(event, by):
    drafted = rounds.draft_round(event=event, expected_round=1, by=by)
    entry = add_late_entry(event=event, name="Zita", missed="bye", by=by)
    assert drafted.matches.filter(missed=True).count() == 1
    rounds.delete_last_round(event=event, ordinal=1, by=by)
    again = rounds.draft_round(event=event, expected_round=1, by=by)
    assert again.matches.count() == 5
    assert again.match_seats.filter(entry=entry).count() == 1
    assert not again.matches.filter(missed=True).exists()


@pytest.mark.deep
def test_one_enters_while_all_matches_of_a_draft_are_broken(event, by):
    drafted = rounds.draft_round(event=event, expected_round=1, by=by)
    everybody = tuple(range(1, 10))
    asked = ChangeRequest(action="break", players=everybody)
    change_draft(event=event, ordinal=1, asked=asked, by=by)
    assert not drafted.matches.exists()
    entry = add_late_entry(event=event, name="Zita", missed="bye", by=by)
    assert drafted.matches.get().players[0] == entry
    change_draft(
        event=event, ordinal=1, asked=ChangeRequest(action="repair", players=everybody), by=by
    )
    rounds.publish_round(event=event, ordinal=1, by=by)
    assert drafted.matches.count() == 6
    assert findings(event) == []


@pytest.mark.deep
def test_who_comes_back_loses_the_rounds_made_meanwhile(event, by):
    played_rounds(event, 1, by)
    gone = event.entries.get(number=4)
    departures.withdraw(entry=gone, by=by)
    played_rounds(event, 2, by)
    departures.rejoin(entry=gone, by=by)
    missed = Match.objects.filter(match_seats__entry=gone, missed=True)
    assert [match.round.ordinal for match in missed] == [2, 3]
    assert {match.decision.winner for match in missed} == {"none"}
    assert row_of(event, gone).played == 3
    assert LogLine.objects.get(action="entry.re_enter").after["rounds"] == [2, 3]
    make.play_event(event, by)
    assert findings(event) == []


def test_who_comes_back_before_the_next_round_has_missed_nothing(event, by):
    played_rounds(event, 1, by)
    gone = event.entries.get(number=4)
    departures.withdraw(entry=gone, by=by)
    departures.rejoin(entry=gone, by=by)
    assert not Match.objects.filter(missed=True).exists()


def started_without(by, number, how_many=9, **values):
    """Return an event that started after one of its players had withdrawn."""
    fresh = make.open_event(by, **(SWISS | values))
    make.players(fresh, how_many, by)
    departures.withdraw(entry=fresh.entries.get(number=number), by=by)
    draw = draws.draw_start_order(event=fresh, seed="seed", by=by)
    starting.start_event(event=fresh, draw_number=draw.number, by=by)
    return Event.objects.get(pk=fresh.pk)


@pytest.mark.deep
def test_who_left_before_the_start_and_comes_back_enters_late(by):
    event = started_without(by, 4)
    played_rounds(event, 1, by)
    gone = event.entries.get(number=4)
    departures.rejoin(entry=gone, by=by)
    assert row_of(event, gone).played == 1
    line = LogLine.objects.get(action="entry.added_late")
    assert (line.before["status"], line.after["missed"], line.after["rounds"]) == (
        "withdrawn",
        "loss",
        [1],
    )
    assert make.next_round(event, by).match_seats.filter(entry=gone).exists()
    assert findings(event) == []


@pytest.mark.deep
def test_who_left_before_the_start_is_without_a_seat_in_a_group_or_once_undone(by):
    event = started_without(by, 4)
    departures.rejoin(entry=event.entries.get(number=4), by=by)
    assert Seat.objects.filter(entry__event=event).count() == 9
    undo(event=event, expected=Event.objects.get(pk=event.pk).version, by=by)
    assert Seat.objects.filter(entry__event=event).count() == 8
    assert event.entries.get(number=4).status == "withdrawn"
    assert findings(event) == []
    event = started_without(by, 4, formula="single-group", options={})
    refused = make.refusal(departures.rejoin, entry=event.entries.get(number=4), by=by)
    assert refused == "late_entry_not_possible"
    assert event.entries.get(number=4).status == "withdrawn"


@pytest.mark.deep
@pytest.mark.parametrize("formula", ["single-group", "single-elimination", "groups-knockout"])
def test_groups_and_knock_outs_take_nobody(formula, by, client):
    event = make.started(by, 8, formula=formula, format="creatures-of-exo")
    refused = make.refusal(add_late_entry, event=event, name="Zita", missed="loss", by=by)
    assert refused == "late_entry_not_possible"
    client.force_login(by.user)
    page = f"/events/{event.slug}/manage/players/"
    assert 'name="missed"' not in client.get(page).content.decode()
    sent = client.post(f"{page}add/", {"name": "Zita", "missed": "loss"})
    assert sent.status_code == 409
    assert event.entries.count() == 8


@pytest.mark.deep
def test_nobody_enters_after_the_last_round_or_while_nothing_runs(event, by):
    make.play_stage(event, by)
    refused = make.refusal(add_late_entry, event=event, name="Zita", missed="loss", by=by)
    assert refused == "rounds_over"
    shown = signed_in(by).get(f"/events/{event.slug}/manage/players/")
    assert 'name="missed"' not in shown.content.decode()
    waiting = make.open_event(by, **SWISS)
    refused = make.refusal(add_late_entry, event=waiting, name="Zita", missed="loss", by=by)
    assert refused == "event_not_running"


@pytest.mark.deep
def test_the_players_page_enters_and_the_pairings_leave_missed_rounds_out(event, by, client):
    played_rounds(event, 1, by)
    client.force_login(by.user)
    page = f"/events/{event.slug}/manage/players/"
    assert "Late entry" in client.get(page, headers={"accept-language": "en"}).content.decode()
    sent = client.post(f"{page}add/", {"name": "Zita", "missed": "loss"})
    assert sent.status_code == 302
    assert "Zita" in client.get(f"/events/{event.slug}/standings/").content.decode()
    shown = client.get(f"/events/{event.slug}/pairings/").content.decode()
    assert "Zita" not in shown
    late = {"name": "ZITA", "missed": "loss"}
    again = client.post(f"{page}add/", late, follow=True, headers={"accept-language": "en"})
    assert "Namesakes: Zita" in again.content.decode()
    assert client.get(f"/events/{event.slug}/log/").status_code == 200


@pytest.mark.deep
@pytest.mark.parametrize(("missed", "words"), [("loss", "missed (loss)"), ("bye", "bye")])
def test_the_player_sees_what_the_rounds_missed_counted_as(missed, words, event, by, client):
    played_rounds(event, 1, by)
    make.next_round(event, by)
    entry = add_late_entry(event=event, name="Zita", missed=missed, by=by)
    client.get(f"/p/{entries.make_link(entry=entry, by=by)}/")
    address = f"/events/{event.slug}/me/"
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert words in page
    assert "No match in this round" in page
    desk = signed_in(by).get(f"/events/{event.slug}/desk/", headers={"accept-language": "en"})
    assert f"({words})" in desk.content.decode()


def test_who_still_waits_after_the_start_has_a_page_that_lets_them_in(by):
    event = make.open_event(by, capacity=8, decklists="off", **SWISS)
    make.players(event, 9, by)
    waiting = event.entries.get(status="waiting")
    draw = draws.draw_start_order(event=event, by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    page = signed_in(by).get(f"/events/{event.slug}/manage/players/{waiting.number}/")
    assert f"players/{waiting.number}/enter/" in page.content.decode()


FOUR = SWISS | {"options": {"rounds": 4, "cut": 2}}


@recipe
def waited_for(by, how_many=8, **values):
    """Return an event before its start, full, with two players who wait."""
    event = make.open_event(by, capacity=how_many, **(FOUR | values))
    make.players(event, how_many, by)
    make.players_more(event, ["Wanda", "Xeno"], by)
    return Event.objects.get(pk=event.pk)


def begun(event, by):
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    event.refresh_from_db()
    return event


@pytest.fixture
def waited(by):
    return waited_for(by)


def wanda(event):
    return event.entries.get(name="Wanda")


@pytest.mark.deep
def test_who_waits_enters_with_number_link_list_and_answers(by):
    event = waited_for(by, decklists="optional")
    entry = wanda(event)
    entry.answers = {"shirt": "M"}
    entry.save()
    make.hand_in(entry)
    token = entries.make_link(entry=entry, by=by)
    begun(event, by)
    make.play_round(make.next_round(event, by), by)
    before = wanda(event)
    entered = enter_late(entry=before, missed="bye", by=by)
    after = wanda(event)
    assert (entered.pk, after.status, after.waiting_since) == (before.pk, "checked_in", None)
    assert (after.number, after.submission_id, after.answers) == (
        before.number,
        before.submission_id,
        {"shirt": "M"},
    )
    assert after.submission_id
    assert find_valid_link(token).entry == after
    missed = Match.objects.get(match_seats__entry=after, missed=True)
    assert missed.decision.winner == "a"
    second = make.next_round(event, by)
    assert second.match_seats.filter(entry=after).count() == 1
    assert findings(event) == []


@pytest.mark.deep
def test_it_is_one_act_that_can_be_taken_back(waited, by):
    begun(waited, by)
    make.play_round(make.next_round(waited, by), by)
    since = wanda(waited).waiting_since
    enter_late(entry=wanda(waited), by=by)
    line = waited.log.get(action="entry.added_late")
    assert (line.subject, line.before, line.after["missed"]) == (
        "Wanda",
        {"status": "waiting"},
        "loss",
    )
    undo(event=waited, expected=line.number, by=by)
    back = wanda(waited)
    assert (back.status, back.waiting_since) == ("waiting", since)
    assert not Match.objects.filter(match_seats__entry=back).exists()
    enter_late(entry=back, by=by)
    make.play_event(Event.objects.get(pk=waited.pk), by)
    assert findings(waited) == []


@pytest.mark.deep
def test_the_waiting_list_is_no_bar_to_others_who_come_late(waited, by):
    begun(waited, by)
    assert add_late_entry(event=waited, name="Zita", missed="loss", by=by).number == 11
    assert enter_late(entry=wanda(waited), by=by).number == 9
    make.play_round(make.next_round(waited, by), by)
    assert findings(waited) == []


def test_groups_take_nobody_and_the_page_says_so(by, signed):
    event = begun(waited_for(by, formula="single-group", options={}), by)
    assert make.refusal(enter_late, entry=wanda(event), by=by) == "late_entry_not_possible"
    page = signed.get(url("manage-player", event, 9)).content.decode()
    assert "Players can no longer join the event." in page
    assert ">Check in<" not in page


@pytest.mark.deep
def test_the_page_lets_in_after_the_start(waited, by, signed):
    signed.post(url("manage-player-leave", waited, 1), {"action": "withdraw"})
    assert wanda(waited).status == "registered", "the door is not in use"
    begun(waited, by)
    xeno = url("manage-player-enter", waited, 10)
    page = signed.get(url("manage-player", waited, 10)).content.decode()
    assert 'name="missed"' in page
    shown = signed.post(xeno, {"missed": "bye"}, follow=True).content.decode()
    assert "Saved: Xeno" in shown
    assert signed.post(xeno, {"missed": "bye"}).status_code == 409


@pytest.mark.deep
def test_the_api_enters(waited, by, signed):
    def enter(number=9, **body):
        address = f"/api/v1/events/{waited.slug}/players/{number}/enter/"
        return signed.post(address, body, content_type="application/json")

    assert (enter().status_code, enter().json()["code"]) == (409, "event_not_running")
    begun(waited, by)
    assert enter(late="win").status_code == 400
    entered = enter(late="bye")
    assert (entered.status_code, entered.json()["status"]) == (200, "checked_in")
    assert enter().json()["code"] == "entry_not_waiting"
    assert enter(number=10).json()["number"] == 10
    make.play_event(Event.objects.get(pk=waited.pk), by)
    assert enter().json()["code"] == "event_finished"


@pytest.mark.deep
def test_a_late_player_beyond_the_places_is_said(by):
    event = make.started(by, 8, **SWISS, capacity=8)
    played_rounds(event, 1, by)
    page = signed_in(by)
    late = {"name": "Nora Rossi", "missed": "loss"}
    answer = page.post(url("manage-players-add", event), late, follow=True)
    assert "Saved: Nora Rossi" in answer.content.decode()
    assert "All places are taken: 9/8" in answer.content.decode()
    event.entries.filter(number=1).update(status="withdrawn")
    waits = event.entries.create(number=10, name="Zita", name_key="zita", status="waiting")
    enter = url("manage-player-enter", event, waits.number)
    assert "All places are taken: 9/8" in page.post(enter, follow=True).content.decode()
    event.entries.filter(number__in=(2, 3)).update(status="withdrawn")
    late = {"name": "Ugo Sala", "missed": "loss"}
    answer = page.post(url("manage-players-add", event), late, follow=True)
    assert "All places are taken" not in answer.content.decode()
