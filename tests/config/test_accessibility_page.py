"""The accessibility statement: in both languages, and a click from every page."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "words"), [("en", "What is not good yet"), ("it", "Che cosa non va ancora bene")]
)
def test_it_says_what_holds_and_what_falls_short(language: str, words: str) -> None:
    answer = Client(headers={"accept-language": language}).get("/accessibility/")
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert "WCAG" in answer.content.decode()


@pytest.mark.parametrize("page", ["/", "/formats/", "/privacy/", "/accounts/login/"])
def test_every_page_leads_there(page: str) -> None:
    assert '<a href="/accessibility/">' in Client().get(page).content.decode()
