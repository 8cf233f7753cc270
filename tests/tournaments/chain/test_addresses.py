"""The head of a deleted event stays at its address, and what is restored there continues it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests import factories as make
from tests.tournaments.chain.forging import verified
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.chain.addresses import carry_heads, heads_at
from tournaments.events.services.events import change_event, delete_event
from tournaments.models import Event, Restoration
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def by(transactional_db):
    return make.organiser()


@pytest.fixture
def event(by):
    return Event.objects.get(pk=make.playing(by, 4, formula="single-group").pk)


def delete(slug):
    out = StringIO()
    call_command("delete_event", slug, stdout=out)
    return out.getvalue()


def later(event, by):
    """Return an event after one more act."""
    return change_event(event=event, changes={"venue": "Palestra"}, by=by)


def checks(event):
    return [finding.check for finding in verify_event(event)]


def test_the_operator_deletes_a_started_event_and_its_head_stays(event, heads):
    said = delete(event.slug)
    assert not Event.objects.exists()
    (head,) = heads_at(event.slug)
    assert (head["number"], head["digest"]) == (event.version, event.head)
    assert event.head in said
    assert [path.name for path in heads.glob("*.json")] == []
    with pytest.raises(CommandError) as refused:
        delete(event.slug)
    assert refused.value.returncode == 2


def test_what_continues_it_is_not_marked(event, by):
    whole = archive(later(event, by))
    delete(event.slug)
    again = restore(whole, caller=by.user)
    assert again.restoration.continues
    assert checks(again) == []
    longer = archive(change_event(event=again, changes={"venue": "Bar"}, by=by))
    delete(event.slug)
    assert checks(restore(longer)) == []
    assert len(heads_at(event.slug)) == 2


def test_an_earlier_archive_is_marked_and_takes_no_place_of_the_head(event, by, client, in_english):
    earlier = archive(event)
    head = later(event, by).head
    delete(event.slug)
    again = restore(earlier)
    assert not Restoration.objects.get(event=again).continues
    code, said = verified(event.slug)
    assert (code, f"line {event.version + 1} has the fingerprint {head[:16]}" in said) == (1, True)
    page = client.get(f"/events/{event.slug}/", headers={"accept-language": "en"}).content.decode()
    assert "It does not continue the event that was at this address before." in page
    delete(event.slug)
    assert [each["digest"] for each in heads_at(event.slug)] == [head]
    assert not restore(earlier).restoration.continues


def test_it_is_marked_although_the_folder_was_lost_since(event, by, heads, settings):
    earlier = archive(event)
    later(event, by)
    delete(event.slug)
    again = restore(earlier)
    settings.HEADS_DIR = str(heads) + "-lost"
    assert checks(again) == ["address"]


def test_it_is_marked_although_the_row_was_changed(event, by):
    earlier = archive(event)
    later(event, by)
    delete(event.slug)
    again = restore(earlier)
    Restoration.objects.update(continues=True)
    assert checks(again) == ["address"]


def test_an_archive_without_a_chain_does_not_continue_one(event):
    document = json.loads(archive(event))
    document["tables"]["events"][0]["head"] = ""
    empty = {"facts": {}, "words": {}, "salt": "", "closed_digest": "", "digest": ""}
    for line in document["tables"]["log"]:
        line |= empty | {"signature": "", "player": None}
    delete(event.slug)
    assert checks(restore(json.dumps(document).encode())) == ["address"]


def test_whoever_deletes_the_row_leaves_the_head(event):
    event.delete()
    assert [head["digest"] for head in heads_at(event.slug)] == [event.head]


def test_another_address_is_free(event, by):
    whole = archive(event)
    later(event, by)
    delete(event.slug)
    assert checks(restore(whole, slug="copia")) == []


def test_an_event_that_never_started_is_deleted_by_its_organiser_and_leaves_nothing(by, heads):
    event = make.open_event(by)
    earlier = archive(event)
    delete_event(event=later(event, by), by=by)
    assert heads_at(event.slug) == []
    assert [path.name for path in heads.glob("**/*.json")] == []
    assert checks(restore(earlier)) == []


def test_a_file_that_can_not_be_read_is_named(event, by, heads):
    whole = archive(event)
    delete(event.slug)
    (heads / "addresses" / f"{event.slug}.json").write_text("{")
    assert checks(restore(whole)) == ["head"]


def test_heads_of_what_a_restored_database_lacks_go_along(event, by, heads, tmp_path):
    other = make.playing(by, 5)
    delete(event.slug)
    (heads / "99.json").write_text("rubbish")
    carry_heads(heads, tmp_path / "new", {other.slug})
    assert [path.name for path in sorted(tmp_path.glob("new/**/*.json"))] == [f"{event.slug}.json"]
    carry_heads(heads, tmp_path / "all", ())
    assert len(list(tmp_path.glob("all/addresses/*.json"))) == 2


def test_the_administration_deletes_no_event(event, client):
    client.force_login(make.user(is_staff=True, is_superuser=True))
    address = f"/admin/tournaments/event/{event.pk}/delete/"
    assert client.get(address).status_code == 403
    assert client.post(address, {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [event.pk], "post": "yes"}
    client.post("/admin/tournaments/event/", chosen)
    assert Event.objects.filter(pk=event.pk).exists()
