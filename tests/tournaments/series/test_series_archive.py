"""A series goes out and comes back to the byte; what is malformed is refused and stores nothing."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from config.sizes import MEBIBYTE
from rules.errors import BadInput, RuleError
from tests import canary
from tests import factories as make
from tests.tournaments.series.test_closing import LEAGUE
from tests.tournaments.series.test_erasing_series import with_the_canary
from tournaments.archive.reader import LARGEST
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Event, PersonDecision, Restoration, Series, SeriesAdjustment
from tournaments.series.archive import restore_series, series_archive
from tournaments.series.closing import close_series
from tournaments.series.selectors import load_series_facts, load_series_table
from tournaments.series.services import change_series, create_series, decide_same, give_series_role
from tournaments.series.verifying import verify_series

pytestmark = pytest.mark.django_db


@pytest.fixture
def series(by: Actor) -> Series:
    """Return a closed series of two evenings and one to come, with rows of every kind."""
    events = [with_the_canary(by) for _time in range(2)]
    slugs = [event.slug for event in (*events, make.open_event(by, name="To come"))]
    series = create_series(values={"name": "Lega", "events": slugs, "points": LEAGUE}, by=by)
    key = decide_same(series=series, players=[(one.slug, 2) for one in events], by=by)
    given = [{"person": key, "points": "-1/2", "reason": f"{canary.NAME} in ritardo"}]
    change_series(series=series, values={"points": LEAGUE | {"adjustments": given}}, by=by)
    give_series_role(series=series, email=make.user().email, role="helper", by=by)
    series.prizes_given.create(entry_id=key)
    close_series(series=series, by=by)
    return Series.objects.get(pk=series.pk)


def forgotten(series: Series) -> None:
    """Delete a series and its events."""
    slugs = [*series.events.values_list("slug", flat=True)]
    series.delete()
    for event in Event.objects.filter(slug__in=slugs):
        event.delete()


def table(series: Series) -> list[tuple[int, str]]:
    found = load_series_table(load_series_facts(series))
    assert found is not None
    return [(row.rank, str(found.points(row))) for row in found.standings.rows]


@pytest.mark.deep
def test_out_in_out_is_the_same_to_the_byte(by: Actor, series: Series) -> None:
    first, before = series_archive(series, by), table(series)
    forgotten(series)
    again = restore_series(first, caller=by.user)
    assert series_archive(again, by) == first
    assert table(again) == before
    assert verify_series(again) == []
    assert [role.user for role in again.staff.all()] == [by.user]
    assert Restoration.objects.count() == 3


def test_events_that_are_here_are_linked(by: Actor, series: Series) -> None:
    first = series_archive(series, by)
    events = list(series.events.order_by("pk"))
    Series.objects.all().delete()
    again = restore_series(first, caller=by.user)
    assert list(again.events.order_by("pk")) == events
    assert series_archive(again, by) == first
    beside = restore_series(series_archive(again, by, events=False), slug="altra", caller=by.user)
    assert (beside.slug, list(beside.events.order_by("pk"))) == ("altra", events)


@pytest.mark.deep
def test_events_of_others_stand_in_it_by_their_head(by: Actor, series: Series) -> None:
    foreign = make.played(make.organiser(), 4, formula="single-group")
    series.members.create(event=foreign)
    document = json.loads(series_archive(series, by))
    assert foreign.slug in {member["event"] for member in document["members"]}
    inside = {each["tables"]["events"][0]["slug"] for each in document["events"]}
    assert len(inside) == 3
    assert foreign.slug not in inside
    content = json.dumps(document).encode()
    with pytest.raises(BadInput) as refused:
        restore_series(content, slug="altra", caller=by.user)
    assert refused.value.sentence.values["path"].startswith("members[")
    assert len(json.loads(series_archive(series, None))["events"]) == 4


def test_an_event_that_went_on_is_neither_linked_nor_overwritten(by: Actor, series: Series) -> None:
    first = series_archive(series, by)
    event = series.events.order_by("pk")[0]
    Series.objects.all().delete()
    Event.objects.filter(pk=event.pk).update(head="0" * 64)
    with pytest.raises(RuleError) as refused:
        restore_series(first, caller=by.user)
    assert refused.value.code == "slug_taken"
    assert not Series.objects.exists()


def test_a_series_that_is_here_is_not_overwritten(by: Actor, series: Series) -> None:
    assert make.refusal(restore_series, series_archive(series, by), caller=by.user) == "slug_taken"


@pytest.mark.deep
def test_who_was_erased_since_does_not_come_back(by: Actor, series: Series) -> None:
    first = series_archive(series, by)
    for event in series.events.exclude(state="registration"):
        erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    forgotten(series)
    again = restore_series(first, caller=by.user)
    assert canary.found_in_rows(*canary.WORDS) == []
    assert SeriesAdjustment.objects.get(series=again).reason == "Giocatore 2 in ritardo"
    assert not PersonDecision.objects.filter(series=again).exists()


@pytest.mark.deep
def test_the_commands(series: Series, tmp_path: Path) -> None:
    file, out = tmp_path / "lega.json", StringIO()
    call_command("archive", "lega", str(file), "--series", stdout=StringIO())
    assert file.read_bytes() == series_archive(series, None)
    assert file.stat().st_mode & 0o777 == 0o600
    forgotten(series)
    call_command("restore", str(file), stdout=out)
    assert out.getvalue() == "lega\n"
    assert Series.objects.get().events.count() == 3


@pytest.mark.deep
def test_page_and_endpoint_give_it_to_organisers_and_take_it_back(
    by: Actor, series: Series, client_of: Callable[..., Client]
) -> None:
    addresses = ("/series/lega/archive.json", "/api/v1/series/lega/archive/")
    first = series_archive(series, by)
    helper = Actor(user=series.staff.get(role="helper").user)
    for address in addresses:
        assert client_of(by).get(address).content == first
        assert client_of(helper).get(address).status_code == 403
        assert client_of(None).get(address).status_code in (401, 403)
        assert json.loads(client_of(by).get(f"{address}?events=0").content)["events"] == []
    forgotten(series)
    browser = client_of(by)
    sent = browser.post("/api/v1/series/restore/", first, content_type="application/json")
    assert sent.status_code == 201, sent.json()
    assert sent.json()["slug"] == "lega"
    forgotten(Series.objects.get())
    Restoration.objects.all().delete()
    form = {"file": SimpleUploadedFile("lega.json", first)}
    told = f"Up to {LARGEST // MEBIBYTE} MB. The site’s operator can restore larger archives"
    assert told in browser.get("/events/restore/").content.decode(), "series have the same limit"
    answer = browser.post("/events/restore/", form, format="multipart")
    assert answer.status_code == 302, answer.content.decode()
    assert answer["Location"] == "/series/lega/"
    assert series_archive(Series.objects.get(), by) == first


# --- Malformed ------------------------------------------------------------------------------
def put(*path: Any, value: Any) -> Callable[[Any], None]:
    """Return what puts a value at a path of a document."""

    def plant(document: Any) -> None:
        *above, last = path
        for step in above:
            document = document[step]
        document[last] = value

    return plant


def drop(*path: Any) -> Callable[[Any], None]:
    def plant(document: Any) -> None:
        *above, last = path
        for step in above:
            document = document[step]
        del document[last]

    return plant


MALFORMED: tuple[tuple[Callable[[Any], None], str], ...] = (
    (put("girone_series", value=9), "girone_series"),
    (drop("log"), "log"),
    (put("more", value=1), "more"),
    (put("series", "slug", value="no slug"), "series.slug"),
    (put("series", "name", value=""), "series.name"),
    (put("series", "points", value={"by_place": [1, 2]}), "series.points"),
    (put("series", "order", value=["luck"]), "series.order"),
    (put("series", "prizes", value={"by": "luck"}), "series.prizes"),
    (put("series", "version", value=-1), "series.version"),
    (put("series", "closed_at", value="yesterday"), "series.closed_at"),
    (put("series", "pinned", value={"events": {}}), "series.pinned"),
    (put("members", 0, "event", value="nowhere"), "members[0].event"),
    (put("members", 1, "invited", value=[]), "members[1].invited"),
    (put("decisions", 0, "player", value=99), "decisions[0].player"),
    (put("decisions", 0, "same", value="yes"), "decisions[0].same"),
    (put("adjustments", 0, "event", value="nowhere"), "adjustments[0].player"),
    (put("adjustments", 0, "points", value=3), "adjustments[0].points"),
    (put("adjustments", 0, "points", value="many"), "series"),
    (put("prizes_given", 0, "player", value=None), "prizes_given[0].player"),
    (put("log", 0, "values", value=[]), "log[0].values"),
    (put("log", 1, "values", "players", value=[["a", "b", "c", "d"]]), "log[1].values.players[0]"),
    (put("log", 0, "number", value=2), "log"),
    (put("events", 0, value=7), "events[0]"),
    (put("events", 1, "tables", "entries", 0, "name", value=7), "events[1].tables.entries[0].name"),
    (drop("events", 1, "tables", "entries", 0, "number"), "events[1].tables.entries[0].number"),
    (lambda document: document["members"].pop(), "events"),
    (lambda document: document["members"].append(document["members"][0]), "members[3].event"),
)


@pytest.mark.deep
def test_what_is_malformed_is_refused_with_its_path_and_nothing_is_stored(
    by: Actor, series: Series
) -> None:
    first = series_archive(series, by)
    forgotten(series)
    for at, (plant, path) in enumerate(MALFORMED):
        document = json.loads(first)
        plant(document)
        with pytest.raises(BadInput) as refused:
            restore_series(json.dumps(document).encode(), caller=by.user)
        found = refused.value
        assert (found.code, str(found.sentence.values["path"])[: len(path)]) == (
            "archive_invalid",
            path,
        ), (at, found)
        assert not Series.objects.exists(), at
        assert not Event.objects.exists(), at


@pytest.mark.parametrize("rubbish", [b"", b"[]", b'{"girone_series": 2}', b"\xff", b"[" * 9999])
def test_rubbish_is_refused(rubbish: bytes, by: Actor) -> None:
    assert make.refusal(restore_series, rubbish, caller=by.user) == "archive_invalid"


@pytest.mark.deep
def test_an_account_that_has_restored_enough_is_refused(
    by: Actor, series: Series, settings
) -> None:
    first = series_archive(series, by)
    forgotten(series)
    settings.CEILINGS = settings.CEILINGS | {"restores_a_day": 1}
    restore_series(first, caller=by.user)
    forgotten(Series.objects.get())
    assert make.refusal(restore_series, first, caller=by.user) == "too_many_restores"
