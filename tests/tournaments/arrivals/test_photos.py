"""A photo of a code at the door: read by the site; what is none or costs much is a sentence."""

import io
import random
import resource
import struct
import time
import tracemalloc
import zlib

import pytest
import segno
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageFilter

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import signed_in
from tests.measures import photos as measured
from tournaments.arrivals import photos
from tournaments.arrivals.photos import check_in_code
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    found = make.open_event(by)
    make.players_more(found, ["Ada", "Bea"], by)
    return found


@pytest.fixture
def client(by):
    return signed_in(by)


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
    code = check_in_code(entry)
    return "http://192.168.1.20" + reverse("tournaments:arrive", args=[entry.event.slug, code])


@pytest.mark.deep
@pytest.mark.parametrize(
    "kind", ["JPEG", *(pytest.param(kind, marks=pytest.mark.deep) for kind in ("PNG", "WEBP"))]
)
def test_a_photo_of_a_code_leads_to_its_player(client, event, kind):
    entry = event.entries.get(name="Bea")
    answer = send(client, event, taken(address_of(entry), kind=kind))
    assert answer.status_code == 302
    assert answer["Location"] == reverse(
        "tournaments:arrive", args=[event.slug, check_in_code(entry)]
    )
    page = client.get(answer["Location"]).content.decode()
    assert "Bea" in page
    entry.refresh_from_db()
    assert entry.status == Entry.Status.REGISTERED  # reading alone stores nothing


@pytest.mark.deep
@pytest.mark.parametrize("turned", [pytest.param(0, marks=pytest.mark.deep), 17])
def test_a_photo_of_a_code_that_a_phone_takes_with_25_megapixels_is_read(turned):
    assert photos.qr_codes_in_photo(io.BytesIO(taken("40 22", size=(5770, 4330), turned=turned)))


@pytest.mark.deep
def test_other_codes_are_of_nobody(client, event, by):
    other = make.open_event(by)
    make.players_more(other, ["Carlo"], by)
    secret = "/p/abcdefghijklmnopqrstuvwxyz/"
    for text in (address_of(other.entries.get()), f"http://192.168.1.20{secret}", "40 22"):
        answer = send(client, event, taken(text))
        assert answer.status_code == 400
        page = answer.content.decode()
        assert "This code doesn’t belong to any player in this event" in page
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


@pytest.mark.deep
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
        photos.qr_codes_in_photo(io.BytesIO(data()))
    assert refused.value.code == code
    assert time.process_time() - begun < 2


def test_no_photo_at_all_is_a_sentence(client, event):
    answer = client.post(reverse("tournaments:arrivals-photo", args=[event.slug]))
    assert answer.status_code == 400
    assert "Take a photo" in answer.content.decode()


@pytest.mark.deep
def test_only_the_staff_may_send_and_not_without_end(client, event, monkeypatch):
    photo = taken(address_of(event.entries.get(name="Ada")))
    assert send(Client(), event, photo).status_code == 403
    monkeypatch.setattr(photos, "MOST", 2)
    assert [send(client, event, photo).status_code for _time in range(3)] == [302, 302, 429]


def test_more_than_a_photo_is_not_read(client, event):
    assert send(client, event, bytes(photos.LARGEST + 1)).status_code == 413


REFUSED = {
    "PNG of 1 by 80,000,000": "photo_too_large",
    "WebP of 88 megapixels": "photo_too_large",
    "PNG of 89 megapixels": "photo_too_large",
    "half a JPEG of 24 megapixels": "no_photo",
    "10,000 frames": "no_photo",
}


def refusal_of(photo):
    with pytest.raises(RuleError) as refused:
        photos.qr_codes_in_photo(io.BytesIO(photo))
    return refused.value.code


@pytest.mark.deep
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.deep] if at % 2 else [])
        for at, name in enumerate(measured.BOMBS)
    ],
)
def test_a_bomb_is_refused_before_it_is_unpacked(name):
    bomb = measured.BOMBS[name]()
    read = measured.cost(bomb)
    assert read.answer == {"refused": REFUSED[name]}
    assert read.seconds < measured.MOST_SECONDS
    assert read.megabytes < measured.MOST_MEGABYTES
    spent_before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    tracemalloc.start()
    try:
        assert refusal_of(bomb) == REFUSED[name]
        of_the_server = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert of_the_server < measured.MOST_MEGABYTES * 10**6
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - spent_before
    assert spent < measured.MOST_SECONDS


@pytest.mark.deep
@pytest.mark.parametrize(
    ("width", "height", "read"),
    [(6000, 4166, True), (6000, 4167, False), (6001, 100, False), (100, 6001, False)],
)
def test_megapixels_and_sides_end_where_they_are_said_to(width, height, read):
    said = "no_code_found" if read else "photo_too_large"
    assert refusal_of(measured.png(width, height, 1)) == said


@pytest.mark.deep
def test_a_webp_that_takes_more_memory_than_an_account_may_use_is_refused():
    assert refusal_of(measured.webp(4_000, 4_001)) == "photo_too_large"
    read = measured.cost(measured.WITHIN["WebP of 16 megapixels"]())
    assert read.answer == {"texts": []}
    assert read.megabytes < measured.MOST_READ[1]


@pytest.mark.deep
def test_what_is_within_the_limits_and_takes_too_long_is_ended(tmp_path, monkeypatch):
    """A header is short: what an 11 MB JPEG of many scans would cost is hours."""
    assert "SECONDS = 5\n" in photos.READER.read_text()
    hurried = tmp_path / "reader.py"
    hurried.write_text(photos.READER.read_text().replace("SECONDS = 5\n", "SECONDS = 1\n"))
    monkeypatch.setattr(photos, "READER", hurried)
    assert refusal_of(measured.many_scans()) == "photo_too_large"


def reader(tmp_path, monkeypatch, program):
    path = tmp_path / "reader.py"
    path.write_text(program)
    monkeypatch.setattr(photos, "READER", path)


def test_where_the_processor_is_not_counted_patience_ends_it(tmp_path, monkeypatch):
    reader(tmp_path, monkeypatch, "while True: pass")
    monkeypatch.setattr(photos, "PATIENCE", 0.2)
    assert refusal_of(b"any") == "photo_too_large"


@pytest.mark.deep
def test_memory_that_is_refused_makes_a_photo_too_large(tmp_path, monkeypatch):
    text = photos.READER.read_text()
    little = text.replace("MEMORY = 768 * ", "MEMORY = 64 * ")
    assert little != text
    reader(tmp_path, monkeypatch, little)
    assert refusal_of(measured.png(6000, 4166)) == "photo_too_large"
    assert refusal_of(measured.png(600, 400)) == "no_code_found"


def test_a_reader_that_breaks_is_a_sentence(tmp_path, monkeypatch):
    reader(tmp_path, monkeypatch, "raise SystemError")
    assert refusal_of(b"any") == "no_photo"


def test_the_reader_finds_packages_of_one_user_and_none_of_the_folder(tmp_path, monkeypatch):
    reader = tmp_path / "reader.py"
    reader.write_text(
        "import json, sys\n"
        "print(json.dumps({'texts': [sys.flags.no_user_site, sys.flags.safe_path]}))\n"
    )
    monkeypatch.setattr(photos, "READER", reader)
    assert photos.qr_codes_in_photo(io.BytesIO()) == [0, True]


@pytest.mark.deep
def test_one_photo_at_a_time_is_read(monkeypatch):
    monkeypatch.setattr(photos, "SOON", 0)
    with photos._reading, pytest.raises(RuleError) as refused:
        photos.qr_codes_in_photo(io.BytesIO(b"any"))
    assert refused.value.code == "photo_busy"
    assert not isinstance(refused.value, BadInput)
    assert refusal_of(b"any") == "no_photo"  # and the next one after it


@pytest.mark.deep
@pytest.mark.django_db
def test_the_door_and_a_script_are_told_what_is_wrong(by):
    cache.clear()
    client = signed_in(by)
    to = reverse("tournaments:arrivals-photo", args=[make.open_event(by).slug])
    bomb = measured.png(9_434, 9_434)
    page = client.post(to, {"photo": SimpleUploadedFile("a.png", bomb)})
    assert page.status_code == 400
    assert "This photo is too large" in page.content.decode()
    said = client.post(
        to, {"photo": SimpleUploadedFile("a.png", bomb)}, headers={"accept": "application/json"}
    )
    assert (said.status_code, said.json()["code"]) == (400, "photo_too_large")
    assert "too large" in said.json()["detail"]
