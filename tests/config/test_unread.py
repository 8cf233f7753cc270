"""A refused body is read before the answer: a proxy that still sends would lose it."""

from io import BytesIO
from types import SimpleNamespace

import pytest

from config.sizes import MEBIBYTE
from config.unread import CHUNK, reads_to_the_end

MOST = 4 * CHUNK


def environ(size, told=None):
    return {"CONTENT_LENGTH": told or str(size), "wsgi.input": BytesIO(b"x" * size)}


def refuses(environ, start_response):
    return [b"no"]


@pytest.mark.parametrize("size", [0, 1, CHUNK, 3 * CHUNK + 7, MOST])
def test_the_rest_is_read(size):
    asked = environ(size)
    assert reads_to_the_end(refuses, MOST)(asked, None) == [b"no"]
    assert asked["wsgi.input"].tell() == size


def test_a_body_beyond_the_limit_is_left():
    asked = environ(MOST + 1)
    reads_to_the_end(refuses, MOST)(asked, None)
    assert asked["wsgi.input"].tell() == 0


@pytest.mark.parametrize("told", ["", "many", "-3"])
def test_a_length_that_is_none_reads_nothing(told):
    asked = environ(9) | {"CONTENT_LENGTH": told}
    assert reads_to_the_end(refuses, MOST)(asked, None) == [b"no"]
    assert asked["wsgi.input"].tell() == 0


def test_a_body_that_was_read_and_a_sender_who_went_are_no_fault():
    read = environ(9)
    assert reads_to_the_end(lambda e, s: [e["wsgi.input"].read()], MOST)(read, None) == [b"x" * 9]

    def gone(size):
        raise ConnectionResetError

    asked = {"CONTENT_LENGTH": "9", "wsgi.input": SimpleNamespace(read=gone)}
    assert reads_to_the_end(refuses, MOST)(asked, None) == [b"no"]


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
