"""What is too large for a page is refused before anybody reads it, in the reader's language."""

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.urls import get_resolver, resolve

from config import sizes
from tests import factories as make
from tournaments.archive.reader import LARGEST

FILM = 300 * sizes.MEBIBYTE


class Unread:
    """A body that nobody may look at."""

    def read(self, *_args):
        raise AssertionError("the body was read")

    readline = read


def post(client, path, length, kind="multipart/form-data; boundary=x", language="en"):
    return client.request(
        PATH_INFO=path,
        REQUEST_METHOD="POST",
        CONTENT_TYPE=kind,
        CONTENT_LENGTH=str(length),
        HTTP_ACCEPT_LANGUAGE=language,
        **{"wsgi.input": Unread()},
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/accounts/login/", sizes.ACCOUNTS),
        ("/accounts/signup/", sizes.ACCOUNTS),
        ("/i18n/setlang/", sizes.ACCOUNTS),
        ("/events/new/", sizes.PAGES),
        ("/events/x/me/deck/", sizes.PAGES),
        ("/events/x/register/", sizes.PAGES),
        ("/events/x/manage/players/paste/", 2 * sizes.MEBIBYTE),
        ("/formats/x/lists/new/", 8 * sizes.MEBIBYTE),
        ("/cards/x/load/", 49 * sizes.MEBIBYTE),
        ("/api/v1/events/", 256 * sizes.KIBIBYTE),
        ("/api/v1/formats/x/validate/", 256 * sizes.KIBIBYTE),
        ("/api/v1/formats/try/", 512 * sizes.KIBIBYTE),
        ("/api/v1/events/x/players/", 2 * sizes.MEBIBYTE),
        ("/api/v1/events/x/matches/1/result/", 256 * sizes.KIBIBYTE),
        ("/api/v1/rank/", 2 * sizes.MEBIBYTE),
        ("/api/v1/events/restore/", LARGEST),
    ],
)
def test_each_path_has_its_own_limit_and_reads_nothing_above_it(path, most):
    request = RequestFactory().post(path)
    assert sizes.largest_body(request, resolve(path).func) == most
    answer = post(Client(enforce_csrf_checks=True), path, most + 1)
    assert answer.status_code == 413
    assert "Nothing was stored" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"), [("en", "This is too much at once"), ("it", "È troppo grande")]
)
def test_the_page_speaks_the_readers_language(language, words):
    answer = post(Client(), "/accounts/login/", FILM, language=language)
    assert answer.status_code == 413
    assert words in answer.content.decode()
    assert f'lang="{language}"' in answer.content.decode()


@pytest.mark.django_db
def test_the_api_answers_a_problem():
    answer = post(Client(), "/api/v1/events/", FILM, kind="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_long")
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_what_fits_is_read():
    make.user("anna@example.org")
    sent = {"login": "anna@example.org", "password": "x" * 200}
    assert Client().post("/accounts/login/", sent).status_code == 200


def test_no_address_takes_more_than_the_server():
    request = RequestFactory().post("/")

    def views(patterns):
        for found in patterns:
            inner = getattr(found, "url_patterns", None)
            yield from views(inner) if inner is not None else [found.callback]

    largest = [sizes.largest_body(request, view) for view in views(get_resolver().url_patterns)]
    assert len(largest) > 100
    assert max(largest) == settings.LARGEST_BODY
