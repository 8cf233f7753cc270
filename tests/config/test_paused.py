"""The page in place of the site while an update prepares its data."""

import json
from io import BytesIO
from wsgiref.util import setup_testing_defaults

import pytest

from config import paused


def asked(path="/", method="GET", language="it", body=b""):
    """Return status, headers and text of an answer."""
    environ = {
        "PATH_INFO": path,
        "REQUEST_METHOD": method,
        "HTTP_ACCEPT_LANGUAGE": language,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": (sent := BytesIO(body)),
    }
    setup_testing_defaults(environ)
    heads = []
    parts = paused.application(environ, lambda status, headers: heads.append((status, headers)))
    ((status, headers),) = heads
    assert sent.read() == b""  # a body that is left would reset the connection
    return int(status[:3]), dict(headers), b"".join(parts).decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", "Il sito è in aggiornamento"), ("en", "The site is being updated")],
)
def test_readers_are_told_in_their_language_when_to_come_back(language, words):
    status, headers, text = asked("/events/cup/", language=language)
    assert status == 503
    assert headers["Retry-After"] == str(paused.RETRY_SECONDS)
    assert headers["Cache-Control"] == "no-store"
    assert words in text
    assert f'<html lang="{language}">' in text
    assert f'http-equiv="refresh" content="{paused.RETRY_SECONDS}"' in text


def test_what_was_sent_is_not_saved_and_not_sent_again():
    status, _headers, text = asked("/events/cup/desk/", method="POST", body=b"x" * 100_000)
    assert status == 503
    assert "Non salvat" in text
    assert "refresh" not in text


def test_programs_get_a_problem_document():
    status, headers, text = asked("/api/v1/events/", language="en")
    assert (status, json.loads(text)["code"]) == (503, "busy")
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Retry-After"]


def test_the_process_lives_and_is_not_ready():
    assert asked("/health/live")[0] == 200
    assert asked("/health/ready")[::2] == (503, "updating\n")


def test_a_head_has_no_body():
    assert asked(method="HEAD")[::2] == (503, "")
