"""Bodies that are too large or refused: said before they are read, read before the answer."""

from io import BytesIO
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.urls import get_resolver, resolve

from config import sizes
from config.sizes import CHUNK, MEBIBYTE, drain_bodies
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
    assert sizes.max_body_size(request, resolve(path).func) == most
    answer = post(Client(enforce_csrf_checks=True), path, most + 1)
    assert answer.status_code == 413
    assert "Choose a smaller file" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("en", "Too large"), ("it", "Troppo grande")])
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

    largest = [sizes.max_body_size(request, view) for view in views(get_resolver().url_patterns)]
    assert len(largest) > 100
    assert max(largest) == settings.LARGEST_BODY


MOST = 4 * CHUNK


def environ(size, told=None):
    return {"CONTENT_LENGTH": told or str(size), "wsgi.input": BytesIO(b"x" * size)}


def refuses(environ, start_response):
    return [b"no"]


@pytest.mark.parametrize("size", [0, 1, CHUNK, 3 * CHUNK + 7, MOST])
def test_the_rest_is_read(size):
    asked = environ(size)
    assert drain_bodies(refuses, MOST)(asked, None) == [b"no"]
    assert asked["wsgi.input"].tell() == size


def test_a_body_beyond_the_limit_is_left():
    asked = environ(MOST + 1)
    drain_bodies(refuses, MOST)(asked, None)
    assert asked["wsgi.input"].tell() == 0


@pytest.mark.parametrize("told", ["", "many", "-3"])
def test_a_length_that_is_none_reads_nothing(told):
    asked = environ(9) | {"CONTENT_LENGTH": told}
    assert drain_bodies(refuses, MOST)(asked, None) == [b"no"]
    assert asked["wsgi.input"].tell() == 0


def test_a_body_that_was_read_and_a_sender_who_went_are_no_fault():
    read = environ(9)
    assert drain_bodies(lambda e, s: [e["wsgi.input"].read()], MOST)(read, None) == [b"x" * 9]

    def gone(size):
        raise ConnectionResetError

    asked = {"CONTENT_LENGTH": "9", "wsgi.input": SimpleNamespace(read=gone)}
    assert drain_bodies(refuses, MOST)(asked, None) == [b"no"]


@pytest.mark.deep
@pytest.mark.django_db
def test_the_site_reads_an_archive_that_it_refuses():
    from config import wsgi

    body = BytesIO(b'"' + b"x" * MEBIBYTE + b'"')
    asked = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/api/v1/events/restore/",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(MEBIBYTE + 2),
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "wsgi.input": body,
        "wsgi.url_scheme": "http",
    }
    told = []
    response = wsgi.application(asked, lambda status, headers: told.append(status))
    assert b"".join(response)
    assert told[0].startswith("401")
    assert body.tell() == MEBIBYTE + 2
