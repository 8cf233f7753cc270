"""Prizes: stored, won, ticked, told, taken back, archived; what a second window and others get."""

import csv
from io import StringIO

import pytest
from django.test import Client
from rest_framework.test import APIClient

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import by_link, page, signed_in, text, url
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event_state
from tournaments.models import Event
from tournaments.prizes.selectors import event_winners, prize_budget, winner_rows
from tournaments.prizes.services import mark_prize_handed_out, prizes_fingerprint, set_prizes
from tournaments.repeats.services import repeat_event
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
TABLE = {
    "by": "place",
    "rows": [
        {"from": 1, "to": 1, "prize": "Box", "value": "40.00"},
        {"from": 2, "to": 3, "prize": "Booster", "value": "10.00"},
    ],
}


def fresh(event):
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def event(by):
    """Return a finished round robin of five with prizes, fees of 10 €."""
    event = make.started(by, 5, formula="single-group", fee="10 €")
    event.entries.update(fee_paid=True)
    set_prizes(event=event, table=TABLE | {"published": True, "available": "70"}, by=by)
    return make.play_event(event, by)


def first(event):
    return event_winners(load_facts(event))[0].player


def test_the_finished_page_leads_to_the_prizes_and_takes_back_the_end_while_it_is_last(event, by):
    client = signed_in(by)
    before = page(client, "standings", event)
    assert url("manage-prizes", event) in before
    assert url("manage-prizes", event) not in page(Client(), "standings", event)
    assert "Last action" in before
    mark_prize_handed_out(event=event, number=first(event), given=True, by=by)
    assert "Last action" not in page(client, "standings", event)


def test_the_winners_once_finished_and_nobody_before(event, by):
    rows = winner_rows(load_facts(event))
    assert [(row.rank, row.prize, row.cents, row.given) for row in rows] == [
        ("1", "Box", 4000, False),
        ("2", "Booster", 1000, False),
        ("3", "Booster", 1000, False),
    ]
    sums = prize_budget(load_facts(event))
    assert (sums.prizes, sums.available, sums.fees, sums.left) == (6000, 7000, 5000, 1000)
    event = change_event_state(event=event, action="reopen", by=by)
    assert winner_rows(load_facts(event)) == ()
    assert prize_budget(load_facts(event)).prizes == 6000


@pytest.mark.deep
def test_players_tied_at_the_end_share_to_the_cent(by):
    event = make.started(by, 8, formula="single-elimination", options={"third_place": False})
    rows = [{"from": 3, "to": 3, "prize": "Playmat", "value": "10.01"}]
    set_prizes(event=event, table={"by": "place", "rows": rows}, by=by)
    event = make.play_event(event, by)
    found = winner_rows(load_facts(event))
    assert [(row.rank, row.cents, row.sharing) for row in found] == [("=3", 501, 2), ("=3", 500, 2)]
    assert found[0].entry.number < found[1].entry.number


@pytest.mark.deep
def test_by_record_everybody_with_it(by):
    event = make.started(by, 5, formula="single-group")
    rows = [
        {"from": "4-0", "prize": "Box", "value": "12"},
        {"from": "3-1", "to": "2-2", "prize": "x"},
    ]
    set_prizes(event=event, table={"by": "record", "rows": rows}, by=by)
    event = make.play_event(event, by)
    for row in winner_rows(load_facts(event)):
        assert row.record in ("4–0–0", "3–1–0", "2–2–0")
        assert row.prize == ("Box" if row.record == "4–0–0" else "x")


@pytest.mark.deep
def test_a_tick_is_one_act_and_one_undo(event, by):
    number, lines = first(event), event.log.count()
    mark_prize_handed_out(event=event, number=number, given=True, by=by)
    assert event.log.count() == lines + 1
    assert [row.given for row in winner_rows(load_facts(event))] == [True, False, False]
    other = event_winners(load_facts(event))[1].player
    mark_prize_handed_out(event=event, number=other, given=True, by=by)
    undo(event=event, expected=lines + 1, by=by)
    assert [row.given for row in winner_rows(load_facts(event))] == [False, True, False]
    redo(event=event, expected=fresh(event).version, by=by)
    assert [row.given for row in winner_rows(load_facts(event))] == [True, True, False]
    assert verify_event(fresh(event)) == []


@pytest.mark.deep
def test_the_table_is_one_act_and_one_undo(event, by):
    before = fresh(event).prizes
    set_prizes(event=event, table={"by": "place", "rows": []}, by=by)
    assert fresh(event).prizes["rows"] == []
    undo(event=event, expected=fresh(event).version, by=by)
    assert fresh(event).prizes == before
    redo(event=event, expected=fresh(event).version, by=by)
    assert fresh(event).prizes["rows"] == []
    assert verify_event(fresh(event)) == []


def test_the_same_table_again_is_no_act(event, by):
    version = fresh(event).version
    set_prizes(event=event, table=TABLE, by=by)
    assert fresh(event).version == version


@pytest.mark.parametrize(
    ("given", "number", "code"),
    [(True, 99, "no_prize"), (False, 1, "prize_noted"), (True, "last", "no_prize")],
)
def test_ticks_that_are_refused(event, by, given, number, code):
    last = load_facts(event).ranking[-1][0]
    number = last if number == "last" else number
    with pytest.raises(RuleError) as refused:
        mark_prize_handed_out(event=event, number=number, given=given, by=by)
    assert refused.value.code == code


def test_who_is_slower_is_told(event, by):
    number, seen = first(event), prizes_fingerprint(event)
    mark_prize_handed_out(event=event, number=number, given=True, by=by)
    with pytest.raises(RuleError) as refused:
        mark_prize_handed_out(event=event, number=number, given=True, by=by)
    assert refused.value.code == "prize_noted"
    set_prizes(event=event, table={"by": "place", "rows": []}, seen=seen, by=by)
    with pytest.raises(RuleError) as refused:
        set_prizes(event=event, table=TABLE, seen=seen, by=by)
    assert refused.value.code == "stale"


def test_before_the_end_nothing_is_handed_out(by):
    event = make.playing(by, 4, formula="single-group")
    set_prizes(event=event, table=TABLE, by=by)
    with pytest.raises(RuleError) as refused:
        mark_prize_handed_out(event=event, number=1, given=True, by=by)
    assert refused.value.code == "event_not_finished"


def test_a_changed_table_or_tick_is_found(event, by):
    mark_prize_handed_out(event=event, number=first(event), given=True, by=by)
    assert verify_event(fresh(event)) == []
    Event.objects.filter(pk=event.pk).update(prizes=TABLE)
    assert verify_event(fresh(event)) != []
    Event.objects.filter(pk=event.pk).update(prizes=event.prizes)
    assert verify_event(fresh(event)) == []
    event.entries.update(prize_given_at=None)
    assert verify_event(fresh(event)) != []


@pytest.mark.deep
def test_an_archive_brings_table_and_ticks(event, by):
    mark_prize_handed_out(event=event, number=first(event), given=True, by=by)
    whole = event_archive(fresh(event))
    again = restore_archive(whole, slug="tornato")
    assert again.prizes == fresh(event).prizes
    assert [row.given for row in winner_rows(load_facts(again))] == [True, False, False]
    assert verify_event(again) == []
    broken = whole.replace(b'"Booster"', b"7")
    assert broken != whole
    with pytest.raises(BadInput):
        restore_archive(broken, slug="rotto")


def test_an_erasure_keeps_the_place_but_not_the_name(event, by):
    number = first(event)
    entry = event.entries.get(number=number)
    mark_prize_handed_out(event=event, number=number, given=True, by=by)
    name = entry.display_name
    erase_player(event=event, number=number, confirm=name, by=by)
    row = winner_rows(load_facts(fresh(event)))[0]
    assert (row.rank, row.prize, row.given, row.entry.number) == ("1", "Box", True, number)
    assert name not in page(signed_in(by), "manage-prizes", event)
    assert verify_event(fresh(event)) == []


@pytest.mark.deep
def test_a_restored_snapshot_keeps_the_table(by, in_english):
    event = make.halfway(by, 6, rounds=2, formula="swiss-cut")
    discard_round(event=event, ordinal=2, confirm="Round 2", by=by)
    set_prizes(event=event, table=TABLE, by=by)
    before = fresh(event).prizes
    snapshot = event.snapshots.get()
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert fresh(event).prizes == before
    assert verify_event(fresh(event)) == []


def test_a_copy_has_the_table_and_no_ticks(event, by, in_english):
    copied = repeat_event(source=fresh(event), by=by)
    assert copied.prizes == event.prizes
    assert signed_in(by).get(url("log", copied)).status_code == 200


# --- Pages ------------------------------------------------------------------------------------
def test_unpublished_prizes_are_nobodys_business(client, event, by):
    set_prizes(event=event, table=TABLE | {"published": False}, by=by)
    assert client.get(url("prizes", event)).status_code == 404
    assert url("prizes", event) not in page(client, "players", event)
    winner = event.entries.get(number=first(event))
    assert "own-prize" not in page(by_link(winner, by), "me", event)


def test_published_prizes_stand_on_their_page_and_those_of_the_winners(client, event, by):
    said = text(client.get(url("prizes", event)))
    assert "Box" in said
    assert "40,00" in said
    assert url("prizes", event) in page(client, "players", event)
    winner = event.entries.get(number=first(event))
    assert "Box · 40.00" in " ".join(page(by_link(winner, by), "me", event).split())
    assert "Box · 40,00" in " ".join(text(client.get(url("player", event, winner.number))).split())


def sent_of(form):
    return {
        name: "" if value is None else value
        for name in form.fields
        if (value := form[name].value()) is not False
    }


@pytest.mark.deep
def test_the_form_stores_reads_back_and_ticks(by, in_english):
    event = make.started(by, 4, formula="single-group", fee="5 €")
    client = signed_in(by)
    form = client.get(url("manage-prizes", event)).context["form"]
    typed = sent_of(form) | {"from_0": "1", "prize_0": "Box", "value_0": "12,50"}
    typed |= {"from_2": "2", "to_2": "4", "prize_2": "Promo", "available": "20", "published": "on"}
    assert client.post(url("manage-prizes", event), typed).status_code == 302
    assert fresh(event).prizes == {
        "by": "place",
        "rows": [
            {"from": 1, "to": 1, "prize": "Box", "value": "12.50"},
            {"from": 2, "to": 4, "prize": "Promo", "value": None},
        ],
        "available": "20.00",
        "published": True,
    }
    again = sent_of(client.get(url("manage-prizes", event)).context["form"])
    assert client.post(url("manage-prizes", event), again).status_code == 302
    stale = client.post(url("manage-prizes", event), typed)
    assert stale.status_code == 409
    event = make.play_event(fresh(event), by)
    shown = text(client.get(url("manage-prizes", event)))
    assert "Handed out: 0/4" in shown
    number = first(event)
    address = url("manage-prize", event, number)
    assert client.post(address, {"given": "1"}).status_code == 302
    assert client.post(address, {"given": "1"}).status_code == 409
    assert "Handed out: 1/4" in text(client.get(url("manage-prizes", event)))


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"from_1": "x", "prize_1": "Box"}, "from_1"),
        ({"from_1": "3", "to_1": "2", "prize_1": "Box"}, "to_1"),
        ({"from_1": "3"}, "prize_1"),
        ({"from_1": "1", "prize_1": "Box", "value_1": "lots"}, "value_1"),
        ({"prize_1": "Box"}, "from_1"),
        ({"available": "x"}, "available"),
        ({"by": "record", "from_3": "1", "prize_3": "Box"}, "from_3"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_nothing_is_stored(by, typed, field):
    event = make.open_event(by, formula="single-group")
    client = signed_in(by)
    form = client.get(url("manage-prizes", event)).context["form"]
    answer = client.post(url("manage-prizes", event), sent_of(form) | typed)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]
    assert fresh(event).prizes == {}


def test_the_sheet_and_the_file(event, by):
    client = signed_in(by)
    sheet = client.get(url("sheet", event, "prizes"))
    assert sheet.content.startswith(b"%PDF")
    assert Client().get(url("sheet", event, "prizes")).status_code in (302, 403)
    mark_prize_handed_out(event=event, number=first(event), given=True, by=by)
    answer = client.get(url("prizes-csv", event), headers={"accept-language": "en"})
    rows = list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["rank"], row["prize"], row["value"], row["handed_out"]) for row in rows] == [
        ("1", "Box", "40.00", "true"),
        ("2", "Booster", "10.00", "false"),
        ("3", "Booster", "10.00", "false"),
    ]


# --- API --------------------------------------------------------------------------------------
def api_of(by):
    found = APIClient()
    found.force_authenticate(by.user)
    return found


@pytest.mark.deep
def test_the_api_as_in_the_contract(by):
    event = make.started(by, 4, formula="single-group")
    api, path = api_of(by), f"/api/v1/events/{event.slug}/prizes/"
    answer = api.put(path, TABLE, format="json")
    assert answer.status_code == 200
    assert {key: answer.json()[key] for key in TABLE} == TABLE
    assert "winners" not in answer.json()
    assert Client().get(path).status_code == 401
    event = make.play_event(fresh(event), by)
    number = first(event)
    assert api.get(path).json()["winners"][0] == {
        "number": number,
        "prize": "Box",
        "value": "40.00",
        "sharing": 1,
        "handed_out": False,
    }
    done = api.patch(path, {"number": number, "handed_out": True}, format="json")
    assert done.json()["winners"][0]["handed_out"] is True
    again = api.patch(path, {"number": number, "handed_out": True}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "prize_noted")
    api.put(path, TABLE | {"published": True}, format="json")
    api.put(path, TABLE, format="json")
    assert Client().get(path).json()["published"] is True


def test_a_wrong_table_is_refused_with_its_path(by):
    event = make.open_event(by, formula="single-group")
    path = f"/api/v1/events/{event.slug}/prizes/"
    wrong = {"by": "place", "rows": [{"from": 1, "to": 1, "prize": "", "value": "x"}]}
    answer = api_of(by).put(path, wrong, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_prizes")
    assert answer.json()["path"] == "rows[0].value"
