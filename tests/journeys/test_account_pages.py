"""Signing up and in, second factor, passkeys and invitations in a real browser, page by page.

Each walk is taken in Italian, where axe looks at the phone's width; ``make test-all`` takes it in
English too, and asks for the colours of the dark. On every page: nothing scrolls sideways,
the language and the title are right, no script stands in the page; and over the whole walk the
console is silent, but for the answers that are a 404 on purpose.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.journeys import account_pages as walks
from tests.journeys.letters import DARK, LIGHT, LOCALES, PHONE, axe_problems, plain_problems

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


ITALIAN_FIRST = pytest.mark.parametrize(
    "problems", ["it", pytest.param("en", marks=pytest.mark.deep)], indirect=True
)


@pytest.fixture
def problems(request, open_page, axe_finds) -> Callable[..., list[str]]:
    """Return a function that takes a walk in a language and lists what is wrong on its pages."""
    language = request.param
    schemes = (LIGHT, DARK) if request.config.getoption("--deep") else (LIGHT,)
    page = open_page(locale=LOCALES[language])

    def wrong(walk: Callable[..., Iterator[Any]], *more: Any) -> list[str]:
        found: list[str] = []
        for shown in walk(page, *more):
            found += plain_problems(shown, language)
            if language == "it":
                found += axe_problems(shown, axe_finds, (PHONE,), schemes)
        return found

    return wrong


@pytest.fixture
def _with_passkeys(settings) -> None:
    """Offer passkeys, as HTTPS and a domain would; browsers trust this machine without."""
    settings.MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
    settings.MFA_PASSKEY_LOGIN_ENABLED = True
    settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
    settings.ROOT_URLCONF = "tests.journeys.urls_with_passkeys"


@ITALIAN_FIRST
def test_sign_up_by_invitation(problems, settings, watch):
    watch.allow = ["/accounts/invitation/used/"]  # answers 404, which the console repeats
    assert problems(walks.by_invitation, settings) == []


@pytest.mark.deep  # pages that differ by a sentence from those of a site that sends mail
@pytest.mark.parametrize("problems", ["it", "en"], indirect=True)
def test_accounts_without_mail(problems, capsys):
    assert problems(walks.without_mail, capsys) == []


@pytest.mark.deep
@ITALIAN_FIRST
def test_accounts_with_mail(problems, settings):
    assert problems(walks.with_mail, settings) == []


@pytest.mark.deep
@ITALIAN_FIRST
def test_codes_of_an_app(problems):
    assert problems(walks.second_factor) == []


@pytest.mark.deep
@ITALIAN_FIRST
@pytest.mark.usefixtures("_with_passkeys")
def test_passkeys(problems):
    assert problems(walks.passkeys) == []


@pytest.mark.deep  # the event of Doomtrooper invites its judge so
@pytest.mark.parametrize("problems", ["it", "en"], indirect=True)
def test_invitation_to_the_staff(problems, by):
    assert problems(walks.staff, by) == []
