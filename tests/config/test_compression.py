"""Pages leave compressed, secrets don't, and what a reader holds stays 304."""

import gzip
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make

PACKED = {"accept-encoding": "gzip"}


def without_tokens(page):
    """Return a page without what is drawn anew for each reader."""
    return re.sub(rb'value="[A-Za-z0-9]{64}"', b"", page)


@pytest.fixture
def event(by):
    return make.playing(by, 8)


@pytest.mark.django_db
class TestPages:
    def test_a_page_leaves_compressed_for_who_takes_it(self, event):
        address = f"/events/{event.slug}/standings/"
        packed, plain = Client().get(address, headers=PACKED), Client().get(address)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert without_tokens(gzip.decompress(packed.content)) == without_tokens(plain.content)
        assert len(packed.content) < len(plain.content) / 2
        assert "Content-Encoding" not in plain.headers

    @pytest.mark.parametrize("part", ["{0}/standings/", "{0}/pairings/"])
    def test_what_a_reader_holds_is_304(self, event, part):
        address = "/events/" + part.format(event.slug)
        asking = PACKED | {"hx-request": "true"}  # a page that asks for what has changed
        first = Client().get(address, headers=asking)
        again = Client().get(address, headers=asking | {"if-none-match": first.headers["ETag"]})
        assert (first.status_code, again.status_code) == (200, 304)
        assert first.headers["Content-Encoding"] == "gzip"
        assert not again.content

    def test_the_api_keeps_its_tags(self, event):
        address = f"/api/v1/events/{event.slug}/"
        first = Client().get(address, headers=PACKED)
        assert first.headers["Content-Encoding"] == "gzip"
        again = Client().get(address, headers={**PACKED, "if-none-match": first.headers["ETag"]})
        assert again.status_code == 304

    @pytest.mark.deep
    def test_equal_pages_have_no_equal_length(self, event):
        address = f"/events/{event.slug}/standings/"
        lengths = {len(Client().get(address, headers=PACKED).content) for _ in range(12)}
        assert len(lengths) > 1


@pytest.mark.django_db
class TestSecrets:
    def test_pages_about_accounts_are_not_compressed(self):
        answer = Client().get(reverse("account_login"), headers=PACKED)
        assert len(answer.content) > 1000
        assert "Content-Encoding" not in answer.headers

    def test_what_nobody_may_store_is_not_compressed(self, by, event):
        client = Client()
        client.force_login(by.user)
        address = f"/events/{event.slug}/manage/tokens/"
        shown = client.post(address, {"level": "results"}, headers=PACKED, follow=True)
        assert shown.status_code == 200
        assert "no-store" in shown.headers["Cache-Control"]
        assert "Content-Encoding" not in shown.headers


@pytest.mark.deep
@pytest.mark.django_db
def test_standings_of_128_players_take_less_than_30_kilobytes(by, quiet):
    event = make.started(by, 128, formula="swiss-cut", options={"rounds": 7, "cut": 8})
    for _ in range(2):
        make.play_round(make.next_round(event, by), by)
    answer = Client().get(f"/events/{event.slug}/standings/", headers=PACKED)
    assert answer.status_code == 200
    assert len(gzip.decompress(answer.content)) > 60_000
    assert len(answer.content) <= 30_000
