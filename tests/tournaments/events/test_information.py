"""The page of information: written in Markdown by the organiser, read by everybody."""

from unittest.mock import patch

import pytest
from django.test import Client

from config.markdown import markdown, reader
from tests import factories as make
from tests.browsers import ENGLISH, page, signed_in, url
from tournaments.events.services.events import change_event
from tournaments.events.services.settings import LONGEST_INFORMATION

pytestmark = pytest.mark.django_db
TEXT = "# Premi\n\n**Primo**: 10 bustine <script>alert(1)</script>\n\n[diretta](https://a.example/)"


@pytest.fixture
def event(by):
    return make.open_event(by)


def test_what_is_written_stands_on_the_event_s_page(event, by):
    answer = signed_in(by).post(url("manage-information", event), {"information": TEXT})
    assert answer.status_code == 302
    shown = page(Client(headers=ENGLISH), "event", event)
    assert "<h3>Premi</h3>" in shown
    assert "<strong>Primo</strong>" in shown
    assert "<script>alert" not in shown
    assert 'rel="nofollow' in shown
    assert "Premi" in page(signed_in(by), "manage-information", event)


def test_without_a_text_there_is_no_part(event):
    assert 'id="information"' not in page(Client(headers=ENGLISH), "event", event)


def test_a_preview_stores_nothing(event, by):
    client, address = signed_in(by), url("manage-information", event)
    whole = client.post(address, {"information": TEXT, "preview": "1"})
    assert whole.status_code == 200
    assert "<h3>Premi</h3>" in whole.content.decode()
    part = client.post(
        address, {"information": TEXT, "preview": "1"}, headers={"HX-Request": "true"}
    )
    assert "<h3>Premi</h3>" in part.content.decode()
    assert "<html" not in part.content.decode()
    event.refresh_from_db()
    assert event.information == ""


def test_too_long_a_text_is_refused_beside_the_field(event, by):
    sent = {"information": "a" * (LONGEST_INFORMATION + 1)}
    answer = signed_in(by).post(url("manage-information", event), sent)
    assert answer.status_code == 400
    assert answer.context["form"].errors.keys() == {"information"}
    event.refresh_from_db()
    assert event.information == ""


@pytest.mark.parametrize("sign", ["[", "a\n", "1 a\n"])
def test_what_is_too_long_is_not_rendered(event, by, sign):
    text = (sign * 300_000)[:1_000_000]
    markdown.cache_clear()
    with patch.object(reader, "parse", wraps=reader.parse) as parsed:
        answer = signed_in(by).post(url("manage-information", event), {"information": text})
    assert answer.status_code == 400
    assert [len(call.args[0]) <= LONGEST_INFORMATION for call in parsed.call_args_list] == [True]


def test_it_changes_while_the_event_runs_and_is_taken_back(by):
    event = make.playing(by, 4, formula="single-group")
    change_event(event=event, changes={"information": TEXT}, by=by)
    assert "Premi" in page(Client(headers=ENGLISH), "event", event)
    line = event.log.order_by("number").last()
    assert line.after == {"information": TEXT}


def test_a_copy_has_it_too(event, by):
    change_event(event=event, changes={"information": TEXT}, by=by)
    client = signed_in(by)
    form = client.get(f"/events/new/?copy={event.slug}").context["form"]
    typed = {bound.html_name: bound.value() for bound in form}
    typed = {k: "" if v is None else v for k, v in typed.items() if v is not False}
    typed |= {"name": "Seconda", "starts_at": "2026-11-28T10:00"}
    assert client.post(f"/events/new/?copy={event.slug}", typed).status_code == 302
    assert type(event).objects.get(name="Seconda").information == TEXT
