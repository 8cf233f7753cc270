"""Card lists, formats and formulas of an archive are valid for its event alone."""

import json
from datetime import date

import pytest
from django.test import Client
from django.utils.translation import override

from config.wording import explain
from decks.card_lists.services import load_lists
from decks.formats.selectors import format_rows
from decks.house_formats.services import make_house_format
from decks.models import CardListVersion, HouseFormat
from decks.rulebook import dated_formats, rules_of
from rules.errors import BadInput
from tests import factories as make
from tests.tournaments.archive.documents import FORMAT, brought, content, taken_out
from tests.tournaments.formulas.test_saved_formulas import groups
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.formulas import formulas_offered
from tournaments.core.permissions import Actor
from tournaments.events.services.events import delete_event
from tournaments.formulas.services import save_formula
from tournaments.lots import services as draws
from tournaments.models import (
    Event,
    SavedFormula,
)
from tournaments.players.services import departures
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_card_lists_of_an_archive_hold_for_its_event_alone(event: Event, client: Client) -> None:
    stranger = make.user()
    before = rules_of(FORMAT).lists_dated, rules_of(FORMAT, owner_id=stranger.pk).lists_dated
    dates = dated_formats()
    client.force_login(stranger)
    made = client.post(
        "/api/v1/events/restore/", content(brought(taken_out(event))), "application/json"
    )
    assert made.status_code == 201, made.content
    again = Event.objects.get()
    assert again.card_lists is not None
    assert again.card_lists.owner == stranger
    assert (
        rules_of(FORMAT).lists_dated,
        rules_of(FORMAT, owner_id=stranger.pk).lists_dated,
    ) == before
    assert dated_formats() == dates
    page = client.get(f"/formats/{FORMAT}/").content.decode()
    assert "2031" not in page
    same = load_lists(
        slug=FORMAT,
        rows=[{"list": "banned", "card": "Altra"}],
        dated=date(2031, 1, 1),
        for_site=False,
        by=stranger,
    )
    assert same.is_new


def test_what_is_brought_goes_with_its_event(by: Actor) -> None:
    document = brought(taken_out(make.event(by, format=FORMAT)))
    again = restore(content(document), caller=by.user)
    delete_event(event=again, by=by)
    assert not CardListVersion.objects.exists()


def test_a_house_format_of_somebody_else_is_neither_used_nor_locked(by: Actor) -> None:
    assert by.user is not None
    theirs = make_house_format(base="thoom", name="Corta", changes={}, by=by.user)
    document = taken_out(make.event(by, format=theirs.slug))
    stranger = make.organiser()
    again = restore(content(document), caller=stranger.user)
    assert again.format != theirs.slug
    mine = HouseFormat.objects.get(slug=again.format)
    assert (mine.owner, mine.archived_as) == (stranger.user, theirs.slug)
    make.players(again, 4, stranger)
    drawn = draws.draw_start_order(event=again, by=stranger)
    starting.start_event(event=again, draw_number=drawn.number, by=stranger)
    theirs.refresh_from_db()
    assert theirs.locked_at is None
    assert [row["slug"] for row in format_rows()["house"]] == [theirs.slug]
    without = json.loads(content(document))
    without["tables"]["house_formats"] = []
    with pytest.raises(BadInput):
        restore(content(without), slug="other", caller=stranger.user)


def test_a_house_format_that_nobody_could_read_is_refused(by: Actor) -> None:
    assert by.user is not None
    house = make_house_format(base="thoom", name="Corta", changes={}, by=by.user)
    document = taken_out(make.event(by, format=house.slug))
    document["tables"]["house_formats"][0]["changes"] = {"zones": 7}
    with pytest.raises(BadInput):
        restore(content(document), caller=make.user())
    assert len(dated_formats()) > 0


def test_a_formula_of_somebody_else_stays_theirs(by: Actor) -> None:
    assert by.user is not None
    theirs = save_formula(owner=by.user, data=groups())
    document = taken_out(make.event(by, formula=theirs.slug))
    stranger = make.user()
    again = restore(content(document), caller=stranger)
    mine = SavedFormula.objects.get(slug=again.formula)
    assert (mine.owner, mine.archived_as) == (stranger, theirs.slug)
    assert not SavedFormula.objects.made_here().filter(owner=stranger).exists()
    assert again.formula not in {each.key for each in formulas_offered(stranger.pk)}
    without = json.loads(content(document))
    without["tables"]["formulas"] = []
    with pytest.raises(BadInput):
        restore(content(without), slug="other", caller=stranger)


@pytest.mark.parametrize("own", ["format", "formula"])
def test_what_is_renamed_here_keeps_chain_and_archive(by: Actor, own: str) -> None:
    assert by.user is not None
    if own == "format":
        house = make_house_format(base="thoom", name="Corta", changes={}, by=by.user)
        event = make.started(by, 4, formula="single-group", format=house.slug)
    else:
        event = make.started(by, 6, formula=save_formula(owner=by.user, data=groups()).slug)
    make.play_round(make.next_round(event, by), by)
    slug, first = getattr(event, own), archive(event)
    event.delete()
    again = restore(first, caller=make.user())
    assert getattr(again, own) != slug
    assert list(verify_event(again)) == []
    assert archive(again) == first
    departures.withdraw(entry=again.entries.get(number=1), reason="", by=Actor(again.created_by))
    assert list(verify_event(Event.objects.get(pk=again.pk))) == []


@pytest.mark.parametrize("extra", ["card_lists", "house_formats", "formulas"])
def test_what_the_event_does_not_name_is_refused(by: Actor, extra: str) -> None:
    document = taken_out(make.event(by, format=FORMAT))
    named = {
        "card_lists": brought(json.loads(content(document)))["tables"]["card_lists"],
        "house_formats": [{"slug": "thoom--x", "base": "thoom", "name": "x", "changes": {}}],
        "formulas": [{"slug": "custom_x", "name": "x", "definition": {}}],
    }
    document["tables"][extra] = named[extra]
    with pytest.raises(BadInput):
        restore(content(document), caller=make.user())
    assert not CardListVersion.objects.exists()


def test_a_formula_that_cannot_be_played_is_refused_once(by: Actor) -> None:
    assert by.user is not None
    document = taken_out(make.event(by, formula=save_formula(owner=by.user, data=groups()).slug))
    document["tables"]["formulas"][0]["definition"]["players"]["lowest"] = 2
    with pytest.raises(BadInput) as refused:
        restore(content(document), caller=make.user())
    assert refused.value.sentence.values["path"] == "tables.formulas[0].definition"
    for language, nothing in (("en", "Nothing was stored"), ("it", "Non è stato salvato nulla")):
        with override(language):
            assert explain(refused.value).count(nothing) == 1
