"""Malformed rules that somebody brings: refused with a sentence, nothing stored, never a fault.

Safety notes, T28, T35 and T36.
"""

import random
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from decks.house_formats.services import create_house_format
from decks.models import CardListVersion, HouseFormat
from tests import factories as make

pytestmark = pytest.mark.django_db

RUBBISH = (
    *("", " ", "\x00", "a\x00b", "-1", "0", "1.5", "1e9", "NaN", "²", "٣", "9" * 30, "9" * 5000),
    *("x" * 100_001, "<b>", "null", "[]", "2026-02-30", "9999-12-31", "é" * 81, "\u202eabc", "1,1"),
)
FILES = (
    *(b"", b"\x00", b"PK\x03\x04", b"\xff\xfe\x00", b"list,card\n" + b"," * 5000, b"list\n" * 9),
    *(b'list,card\n"banned,x', b"list;card\nbanned;\xff", b"list,card\nbanned,\xed\xa0\x80\n"),
    b"list,card,aliases\nbanned,x,|||y||\n" * 3,
)


@pytest.fixture
def client() -> Client:
    """Return the browser of somebody who may do all of it; a fault of the site fails the test."""
    browser = Client()
    browser.force_login(make.user(is_staff=True))
    return browser


@pytest.mark.deep
@pytest.mark.parametrize("tries", [1, pytest.param(3, marks=pytest.mark.deep)])
def test_forms_of_house_formats_take_no_rubbish(client: Client, tries: int) -> None:
    dice = random.Random(7)
    owner = make.user()
    house = create_house_format(base="doomtrooper-free", name="Casa", changes={}, by=owner)
    changer = Client()
    changer.force_login(owner)
    pages = [
        (client, reverse("decks:copy", args=["creatures-of-exo"])),
        (client, reverse("decks:copy", args=["doomtrooper-free"])),
        (changer, reverse("decks:change", args=[house.slug])),
    ]
    for browser, address in pages:
        fields = list(browser.get(address).context["form"].fields)
        good: dict[str, Any] = {"name": "Lega", "version": "1"}
        for name in fields:
            for junk in dice.sample(RUBBISH, tries):
                cache.clear()
                answer = browser.post(address, good | {name: junk})
                assert answer.status_code in (302, 400, 409), (address, name, junk[:20])
    assert all(len(made.slug) <= 50 for made in HouseFormat.objects.all())


@pytest.mark.parametrize("content", FILES)
def test_files_of_lists_may_hold_anything(client: Client, content: bytes) -> None:
    address = reverse("decks:lists_load", args=["thoom"])
    for name in ("lists.csv", "lists.xlsx", "../../x", "x" * 300):
        sent = SimpleUploadedFile(name, content)
        answer = client.post(address, {"file": sent, "dated": "2026-12-24", "store": "1"})
        assert answer.status_code in (302, 400)
    assert CardListVersion.objects.count() <= 1


@pytest.mark.deep
def test_fields_of_lists_may_hold_anything(client: Client) -> None:
    address = reverse("decks:lists_load", args=["thoom"])
    good = {"rows": "list,card\nbanned,x\n", "dated": "2026-12-24", "store": "1"}
    for name in ("rows", "dated", "for_site", "store", "file"):
        for junk in RUBBISH:
            cache.clear()
            answer = client.post(address, good | {name: junk})
            assert answer.status_code in (200, 302, 400), (name, junk[:20])


def test_names_come_out_as_plain_text(client: Client) -> None:
    script = "<script>xss()</script>"
    address = reverse("decks:lists_load", args=["thoom"])
    sent = {"rows": f'list,card\nbanned,"{script}"\n', "dated": "2026-12-24"}
    assert script not in client.post(address, sent).content.decode()
    client.post(address, sent | {"store": "1"})
    version = CardListVersion.objects.get()
    house = create_house_format(base="thoom", name=script, changes={}, by=make.user())
    for page in (f"/formats/thoom/lists/{version.pk}/", "/formats/", f"/formats/{house.slug}/"):
        shown = client.get(page).content.decode()
        assert script not in shown
        assert "xss" in shown
