"""The privacy page: shipped in both languages, changed by the site's owner, linked everywhere."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import PrivacyNotice
from accounts.privacy import split_paragraphs
from tests import factories as make

pytestmark = pytest.mark.django_db


def shown(language: str) -> str:
    return Client(headers={"accept-language": language}).get("/privacy/").content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", "Per quanto tempo"), ("en", "How long")],
)
def test_it_says_what_is_kept_for_how_long(language, words) -> None:
    text = shown(language)
    assert f"<h2>{words}</h2>" in text
    assert "48" in text
    assert "100" in text


def test_the_owner_changes_it_in_one_language() -> None:
    PrivacyNotice.objects.create(language="it", text="# Chi\n\nNoi <b>qui</b>\nin due righe")
    assert "<h2>Chi</h2>" in shown("it")
    assert "Noi &lt;b&gt;qui&lt;/b&gt;<br>in due righe" in shown("it")
    assert "How long" in shown("en")


def test_an_empty_text_is_none() -> None:
    PrivacyNotice.objects.create(language="it", text=" \n")
    assert "Per quanto tempo" in shown("it")


def test_the_admin_begins_with_the_shipped_words() -> None:
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(make.user(is_staff=True, is_superuser=True))
    at = reverse("admin:accounts_privacynotice_add")
    assert "Che cosa resta, e chi lo vede" in browser.get(at).content.decode()
    assert "What is kept" in browser.get(at, {"language": "en"}).content.decode()
    sent = {"language": "en", "text": "Write to us."}
    assert browser.post(at, sent).status_code == 302
    assert "Write to us." in shown("en")


def test_it_is_linked_from_every_page_and_beside_the_names_that_are_asked_for() -> None:
    event = make.open_event(make.organiser())
    link = '<a href="/privacy/">'
    browser = Client(headers={"accept-language": "en"})
    assert link in browser.get("/").content.decode()
    for name, parts in (("account_signup", []), ("tournaments:register", [event.slug])):
        text = browser.get(reverse(name, args=parts)).content.decode()
        assert text.count(link) == 2, name


def test_paragraphs_are_parted_by_empty_lines() -> None:
    found = split_paragraphs("# A\r\n\r\neins\r\nzwei\n\n\n \n#kein Titel\n")
    assert found == [
        ("A", True),
        ("eins\nzwei", False),
        ("#kein Titel", False),
    ]
