"""The page that restores an event from its file."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests import factories as make
from tournaments.archive.writer import archive
from tournaments.models import Event

pytestmark = pytest.mark.django_db

PAGE = "/events/restore/"


@pytest.fixture
def somebody():
    return make.user("somebody@example.org")


@pytest.fixture
def client(somebody):
    client = Client(headers={"accept-language": "en"})
    client.force_login(somebody)
    return client


def sent(client, content, slug=""):
    """Send a file by the page's form; return its answer."""
    file = SimpleUploadedFile("event.json", content)
    return client.post(PAGE, {"file": file, "slug": slug})


def test_a_file_becomes_an_event_whose_organiser_restored_it(event, client, somebody):
    content = archive(event)
    event.delete()
    assert PAGE in client.get(reverse("tournaments:event-new")).content.decode()
    answer = sent(client, content)
    restored = Event.objects.get()
    assert answer.headers["Location"] == reverse("tournaments:manage", args=[restored.slug])
    assert "The event is restored" in client.get(answer.headers["Location"]).content.decode()
    assert [role.user for role in restored.staff.all()] == [somebody]
    assert archive(restored) == content


def test_an_address_that_is_taken_is_said_at_its_field(event, client):
    answer = sent(client, archive(event))
    assert answer.status_code == 409
    assert "name another slug" in answer.context["form"].errors["slug"][0]
    assert sent(client, archive(event), slug="Copia").status_code == 302
    assert Event.objects.filter(slug="copia").exists()


@pytest.mark.parametrize("content", [b"", b"{", b'{"girone": 2}', b"\xff\xfe\x00"])
def test_what_is_no_archive_is_said_at_the_file(client, content):
    answer = sent(client, content)
    assert answer.status_code == 400
    assert "This archive can't be restored." in answer.context["form"].errors["file"][0]
    assert not Event.objects.exists()


def test_an_account_that_has_restored_enough_reads_so(event, client, settings):
    settings.CEILINGS = settings.CEILINGS | {"restores_a_day": 0}
    answer = sent(client, archive(event), slug="copia")
    assert answer.status_code == 400
    assert "restores at most 0 archives a day" in answer.content.decode()
    assert Event.objects.count() == 1


def test_only_those_who_may_make_events_restore_one(event, client):
    User.objects.update(can_create_events=False)
    assert client.get(PAGE).status_code == 403
    assert sent(client, archive(event), slug="copia").status_code == 403
    client.logout()
    assert sent(client, archive(event), slug="copia").status_code == 302
    assert Event.objects.count() == 1
