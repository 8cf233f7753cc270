"""A photo of a code at the door: read by the site, whatever else is sent is a sentence."""

import io
import random
import struct
import time
import zlib

import pytest
import segno
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageFilter

from rules.errors import BadInput
from tests import factories as make
from tournaments.arrivals import photos
from tournaments.arrivals import photos as photo_views
from tournaments.arrivals.photos import code_of
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_limits_of_before():
    cache.clear()


@pytest.fixture
def event(by):
    found = make.open_event(by)
    make.players_more(found, ["Ada", "Bea"], by)
    return found


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def taken(text, *, kind="JPEG", turned=17, size=(3000, 2250)):
    """Return a photo as a phone takes it: the code askew on something grainy, a little blurred."""
    drawn = io.BytesIO()
    segno.make(text, error="m").save(drawn, kind="png", scale=14, border=4)
    code = Image.open(drawn).convert("L").rotate(turned, expand=True, fillcolor=255)
    grain = Image.frombytes("L", (64, 48), random.Random(5).randbytes(64 * 48)).resize(size)
    grain.paste(code, (700, 500))
    photo = io.BytesIO()
    grain.filter(ImageFilter.GaussianBlur(2)).convert("RGB").save(photo, kind, quality=70)
    return photo.getvalue()


def send(client, event, data, name="code.jpg"):
    to = reverse("tournaments:arrivals-photo", args=[event.slug])
    return client.post(to, {"photo": SimpleUploadedFile(name, data)})


def address_of(entry):
    code = code_of(entry)
    return "http://192.168.1.20" + reverse("tournaments:arrive", args=[entry.event.slug, code])


@pytest.mark.parametrize(
    "kind", ["JPEG", *(pytest.param(kind, marks=pytest.mark.deep) for kind in ("PNG", "WEBP"))]
)
def test_a_photo_of_a_code_leads_to_its_player(client, event, kind):
    entry = event.entries.get(name="Bea")
    answer = send(client, event, taken(address_of(entry), kind=kind))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("tournaments:arrive", args=[event.slug, code_of(entry)])
    page = client.get(answer["Location"]).content.decode()
    assert "Bea" in page
    entry.refresh_from_db()
    assert entry.status == Entry.Status.REGISTERED  # reading alone stores nothing


@pytest.mark.parametrize("turned", [pytest.param(0, marks=pytest.mark.deep), 17])
def test_a_photo_of_a_code_that_a_phone_takes_with_25_megapixels_is_read(turned):
    assert photos.codes_in(io.BytesIO(taken("40 22", size=(5770, 4330), turned=turned)))


def test_other_codes_are_of_nobody(client, event, by):
    other = make.open_event(by)
    make.players_more(other, ["Carlo"], by)
    secret = "/p/abcdefghijklmnopqrstuvwxyz/"
    for text in (address_of(other.entries.get()), f"http://192.168.1.20{secret}", "40 22"):
        answer = send(client, event, taken(text))
        assert answer.status_code == 400
        page = answer.content.decode()
        assert "This code is of nobody in this event. Nothing was stored" in page
        assert 'name="photo"' in page  # the next one is taken at once


def bomb():
    """Return a small PNG that says it has 3.6 thousand million pixels."""
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def cut_off():
    return taken("half")[:9000]


def picture(kind):
    made = io.BytesIO()
    Image.new("RGB", (40, 40)).save(made, kind)
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: b"", "no_photo"),
        (lambda: b"\xff\xd8\xff\xe0 not really", "no_photo"),
        (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no_photo"),
        (lambda: picture("GIF"), "no_photo"),
        (lambda: picture("TIFF"), "no_photo"),
        (cut_off, "no_photo"),
        (bomb, "photo_too_large"),
        (lambda: picture("PNG"), "no_code_found"),
    ],
)
def test_what_is_no_photo_of_a_code_is_refused_at_once(data, code):
    begun = time.process_time()
    with pytest.raises(BadInput) as refused:
        photos.codes_in(io.BytesIO(data()))
    assert refused.value.code == code
    assert time.process_time() - begun < 2


def test_no_photo_at_all_is_a_sentence(client, event):
    answer = client.post(reverse("tournaments:arrivals-photo", args=[event.slug]))
    assert answer.status_code == 400
    assert "No photo was sent" in answer.content.decode()


@pytest.mark.deep
def test_only_the_staff_may_send_and_not_without_end(client, event, monkeypatch):
    photo = taken(address_of(event.entries.get(name="Ada")))
    assert send(Client(), event, photo).status_code == 403
    monkeypatch.setattr(photo_views, "MOST", 2)
    assert [send(client, event, photo).status_code for _time in range(3)] == [302, 302, 429]


def test_more_than_a_photo_is_not_read(client, event):
    assert send(client, event, bytes(photos.LARGEST + 1)).status_code == 413
