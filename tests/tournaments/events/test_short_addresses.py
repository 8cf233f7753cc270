"""The short address of an event: letters that lead to it, for who may see it."""

import io
from itertools import pairwise

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from tests import factories as make
from tournaments.core.slugs import LETTERS, code_of, event_of


@given(st.integers(min_value=1, max_value=20**4 + 20**5 + 1_000_000))
def test_every_event_has_letters_of_its_own(key):
    code = code_of(key)
    assert 4 <= len(code) <= 6
    assert event_of(code) == event_of(code.lower()) == key


def test_no_two_events_share_letters_and_neighbours_look_unlike():
    codes = [code_of(key) for key in range(1, 20_001)]
    assert len(set(codes)) == len(codes)
    alike = [
        (one, other)
        for one, other in pairwise(codes)
        if sum(a != b for a, b in zip(one, other, strict=True)) < 2
    ]
    assert alike == []
    assert not set("AEIOU01IL") & set(LETTERS)


@pytest.mark.parametrize("code", ["", "BCD", "AAAA", "BCD0", "B" * 9, "ÄBCD"])
def test_other_letters_are_of_no_event(code):
    assert event_of(code) is None


@pytest.mark.django_db
def test_it_leads_to_the_event_in_upper_and_lower_case(by):
    event = make.open_event(by)
    code = code_of(event.pk)
    for path in (f"/e/{code}", f"/e/{code.lower()}", f"/e/{code}/"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"]) == (302, f"/events/{event.slug}/")
    assert Client().post(f"/e/{code}").status_code == 405


@pytest.mark.django_db
def test_a_draft_is_found_by_its_staff_alone(by):
    event = make.event(by)
    path = f"/e/{code_of(event.pk)}"
    assert Client().get(path).status_code == 404
    assert Client().get(f"/e/{code_of(event.pk + 1)}").status_code == 404
    assert Client().get("/e/AAAA").status_code == 404
    organiser = Client()
    organiser.force_login(by.user)
    assert organiser.get(path).status_code == 302


@pytest.mark.django_db
def test_page_poster_screen_and_slips_name_it(by):
    event = make.playing(by, 4, formula="swiss-cut", decklists="off")
    short = f"testserver/e/{code_of(event.pk)}"
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    for path in ("", "screen/"):
        page = client.get(f"/events/{event.slug}/{path}").content.decode()
        assert short in page.replace("<wbr>", ""), "a line may end before the code"
    for sheet in ("poster", "slips"):
        answer = client.get(f"/events/{event.slug}/print/{sheet}.pdf")
        text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
        assert short in text
