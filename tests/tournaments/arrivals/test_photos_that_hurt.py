"""Pictures made to cost much: refused by their header, or ended."""

import io
import resource
import tracemalloc

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.measures import photos as measured
from tournaments.arrivals import photos

REFUSED = {
    "PNG of 1 by 80,000,000": "photo_too_large",
    "WebP of 88 megapixels": "photo_too_large",
    "PNG of 89 megapixels": "photo_too_large",
    "half a JPEG of 24 megapixels": "no_photo",
    "10,000 frames": "no_photo",
}


def code_of(photo):
    with pytest.raises(RuleError) as refused:
        photos.codes_in(io.BytesIO(photo))
    return refused.value.code


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
        assert code_of(bomb) == REFUSED[name]
        of_the_server = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert of_the_server < measured.MOST_MEGABYTES * 10**6
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - spent_before
    assert spent < measured.MOST_SECONDS


@pytest.mark.parametrize(
    ("width", "height", "read"),
    [(6000, 4166, True), (6000, 4167, False), (6001, 100, False), (100, 6001, False)],
)
def test_megapixels_and_sides_end_where_they_are_said_to(width, height, read):
    said = "no_code_found" if read else "photo_too_large"
    assert code_of(measured.png(width, height, 1)) == said


def test_a_webp_that_takes_more_memory_than_an_account_may_use_is_refused():
    assert code_of(measured.webp(4_000, 4_001)) == "photo_too_large"
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
    assert code_of(measured.many_scans()) == "photo_too_large"


def reader(tmp_path, monkeypatch, program):
    path = tmp_path / "reader.py"
    path.write_text(program)
    monkeypatch.setattr(photos, "READER", path)


def test_where_the_processor_is_not_counted_patience_ends_it(tmp_path, monkeypatch):
    reader(tmp_path, monkeypatch, "while True: pass")
    monkeypatch.setattr(photos, "PATIENCE", 0.2)
    assert code_of(b"any") == "photo_too_large"


def test_memory_that_is_refused_makes_a_photo_too_large(tmp_path, monkeypatch):
    text = photos.READER.read_text()
    little = text.replace("MEMORY = 768 * ", "MEMORY = 64 * ")
    assert little != text
    reader(tmp_path, monkeypatch, little)
    assert code_of(measured.png(6000, 4166)) == "photo_too_large"
    assert code_of(measured.png(600, 400)) == "no_code_found"


def test_a_reader_that_breaks_is_a_sentence(tmp_path, monkeypatch):
    reader(tmp_path, monkeypatch, "raise SystemError")
    assert code_of(b"any") == "no_photo"


def test_one_photo_at_a_time_is_read(monkeypatch):
    monkeypatch.setattr(photos, "SOON", 0)
    with photos._reading, pytest.raises(RuleError) as refused:
        photos.codes_in(io.BytesIO(b"any"))
    assert refused.value.code == "photo_busy"
    assert not isinstance(refused.value, BadInput)
    assert code_of(b"any") == "no_photo"  # and the next one after it


@pytest.mark.django_db
def test_the_door_and_a_script_are_told_what_is_wrong(by):
    cache.clear()
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    to = reverse("tournaments:arrivals-photo", args=[make.open_event(by).slug])
    bomb = measured.png(9_434, 9_434)
    page = client.post(to, {"photo": SimpleUploadedFile("a.png", bomb)})
    assert page.status_code == 400
    assert "at most 25 megapixels (WebP 16), and 6,000 pixels a side" in page.content.decode()
    said = client.post(
        to, {"photo": SimpleUploadedFile("a.png", bomb)}, headers={"accept": "application/json"}
    )
    assert (said.status_code, said.json()["code"]) == (400, "photo_too_large")
    assert "Nothing was stored" in said.json()["detail"]
