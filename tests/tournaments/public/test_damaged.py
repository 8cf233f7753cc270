"""Pages of an event that can't be shown say so, in the reader's language."""

import pytest
from django.test import Client

from tests.tournaments.public.test_left_out import EACH_FAULT, FAULTS, nothing_known, plant, site
from tournaments.events import views
from tournaments.public import storage

__all__ = ["nothing_known", "site"]
pytestmark = pytest.mark.django_db

PAGES = ("", "me/", "manage/", "manage/settings/", "manage/players/", "desk/", "log/")
SENTENCES = {
    "en": "This event can’t be shown, as something stored of it is damaged.",
    "it": "Questo evento non si può mostrare, perché un dato salvato è danneggiato.",
}


def reader_of(user, language="en"):
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    client.force_login(user)
    return client


@pytest.mark.parametrize("fault", EACH_FAULT)
def test_a_page_of_a_damaged_event_is_shown_or_says_so(site, fault):
    (_played, playing, _open), _good, player = site
    plant(playing, FAULTS[fault])
    for user in (player, playing.created_by):
        client = reader_of(user)
        for page in PAGES:
            answer = client.get(f"/events/{playing.slug}/{page}")
            assert answer.status_code < 500 or SENTENCES["en"] in answer.content.decode(), page


@pytest.mark.parametrize("language", SENTENCES)
def test_it_says_so_in_the_reader_s_language_and_is_logged(site, language, caplog):
    broken = site[0][1]
    plant(broken, {"time_zone": "Nowhere/X"})
    client = reader_of(broken.created_by, language)
    page = client.get(f"/events/{broken.slug}/manage/")
    assert page.status_code == 500
    assert SENTENCES[language] in page.content.decode()
    assert "event_damaged" in page.content.decode()
    assert "Nowhere/X" in caplog.text
    told = client.get(f"/api/v1/events/{broken.slug}/")
    assert (told.status_code, told.json()["code"]) == (500, "event_damaged")


def test_a_fault_of_the_program_is_none_of_the_event(site, monkeypatch):
    def fails(_event):
        raise ValueError

    monkeypatch.setattr(views, "settings_of", fails)
    good = site[1]
    page = reader_of(good.created_by).get(f"/events/{good.slug}/manage/settings/")
    assert page.status_code == 500
    assert "event_damaged" not in page.content.decode()


def test_a_refusal_draws_no_event(site, monkeypatch):
    drawn = []
    monkeypatch.setattr(storage, "draw_event", drawn.append)
    good, client = site[1], Client()
    refused = [client.get(f"/events/{good.slug}/{page}").status_code for page in ("r/99/", "x/me/")]
    refused += [reader_of(site[2]).get(f"/events/{good.slug}/manage/").status_code]
    assert set(refused) == {403, 404}
    assert drawn == []
