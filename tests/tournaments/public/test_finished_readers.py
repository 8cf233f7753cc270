"""Who is sent a finished answer, who is left to Django, and the tags of answers."""

from typing import Any

import pytest
from django.test import override_settings

from tests.front import ask
from tests.tournaments.public.test_finished_rules import Scene


@pytest.mark.parametrize(
    "more",
    [
        {"status": "404 Not Found"},
        {"granted": False},
        {"headers": [("Set-Cookie", "csrf=1")]},
        {"headers": [("Cache-Control", "private, no-store")]},
        {"headers": [("Content-Encoding", "gzip")]},
    ],
)
def test_what_is_not_offered_or_somebodys_own_is_left_to_django(more: dict[str, Any]) -> None:
    scene = Scene(**more)
    assert {scene.body() for _ in range(5)} == {b"by django"}
    assert scene.answers.count == 1, "it is not tried with every request"
    assert not len(scene.front.memory)


@pytest.mark.parametrize(
    "more",
    [
        {"REQUEST_METHOD": "POST"},
        {"HTTP_AUTHORIZATION": "Token x"},
        {"HTTP_COOKIE": "a=b; girone=abc"},
        {"HTTP_COOKIE": "messages=abc"},
        {"QUERY_STRING": "utm=1"},
        {"QUERY_STRING": "page=" + "1" * 300, "PATH_INFO": "/"},
        {"QUERY_STRING": "page=1&page=2", "PATH_INFO": "/"},
        {"HTTP_HOST": "evil.example"},
        {"PATH_INFO": "/accounts/login/"},
        {"PATH_INFO": "/events/a/desk/"},
        {"PATH_INFO": "/events/a/me/"},
        {"PATH_INFO": "/events/a/log/"},
        {"PATH_INFO": "/nowhere"},
        {"PATH_INFO": "/api/v1/events/", "HTTP_ACCEPT": "application/json; indent=4"},
        {"PATH_INFO": "/api/v1/events/", "HTTP_ACCEPT": "application/json; INDENT=4"},
        {"HTTP_IF_NONE_MATCH": "*"},
        {"HTTP_RANGE": "bytes=0-3"},
    ],
)
def test_everything_else_is_left_to_django_as_it_came(more: dict[str, Any]) -> None:
    scene = Scene()
    scene.body()
    assert scene.body(**more) == b"by django"
    assert scene.answers.asked[-1].items() >= more.items()
    assert scene.answers.count == 1


@override_settings(ALLOWED_HOSTS=["localhost", "b.example"], LISTEN="127.0.0.1:8000")
def test_an_unknown_host_gets_nothing_that_is_kept() -> None:
    scene = Scene()
    assert scene.body(HTTP_HOST="localhost") == b"answer 1"
    assert scene.body(HTTP_HOST="b.example") == b"answer 2"
    assert scene.body(HTTP_HOST="c.example") == b"by django"
    assert scene.body(HTTP_HOST="localhost:8000") == b"answer 3"


@pytest.mark.parametrize(
    ("allowed", "site", "name", "usual"),
    [
        (["localhost", "b.example"], "", "localhost", "b.example"),
        (["b.example", "c.example"], "https://c.example", "b.example", "c.example"),
        (["b.example"], "https://elsewhere.example:8443", "b.example", "b.example"),
        ([".b.example"], "", "x.b.example", "b.example"),
        (["*"], "http://192.168.1.20:8123", "anybody.example", "192.168.1.20:8123"),
        (["*"], "", "anybody.example", "localhost:8000"),
        (["localhost", "b.example"], "https://b.example:8443", "b.example", "b.example:8443"),
    ],
)
def test_hosts_that_anybody_can_invent_share_one_answer(
    allowed: list[str], site: str, name: str, usual: str
) -> None:
    listens = "127.0.0.1:8000 192.168.1.20:8000"
    invented = [f"{name}:{port}" for port in range(9_000, 9_008)]
    invented += [f"{name.upper()}", f"{name}.", f"{name.upper()}:1"]
    with override_settings(ALLOWED_HOSTS=allowed, SITE_ADDRESS=site, LISTEN=listens):
        scene = Scene()
        assert {scene.body(HTTP_HOST=host) for host in invented} == {b"answer 1"}
        assert scene.answers.asked[-1]["HTTP_HOST"] == usual
        assert scene.body(HTTP_HOST=usual) == b"answer 1"
    assert scene.answers.count == 1


@override_settings(ALLOWED_HOSTS=["b.example"], LISTEN="unix:/run/girone.sock", PORT=8_100)
def test_a_host_with_the_port_of_the_server_has_its_own_answer() -> None:
    scene = Scene()
    assert scene.body(HTTP_HOST="b.example:8100") == b"answer 1"
    assert scene.answers.asked[-1]["HTTP_HOST"] == "b.example:8100"
    assert scene.body(HTTP_HOST="b.example") == b"answer 2"
    assert scene.body(HTTP_HOST="b.example:8101") == b"answer 2"


@override_settings(
    SECURE_SSL_REDIRECT=True, SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")
)
def test_plain_http_is_left_to_the_redirect() -> None:
    scene = Scene()
    assert scene.body() == b"by django"
    assert scene.body(HTTP_X_FORWARDED_PROTO="https") == b"answer 1"
    assert scene.body() == b"by django"


def test_each_kind_of_reader_has_an_answer_of_its_own() -> None:
    scene = Scene()
    kinds: list[dict[str, Any]] = [
        {},
        {"HTTP_ACCEPT_LANGUAGE": "en"},
        {"HTTP_HX_REQUEST": "true"},
        {"HTTP_HX_REQUEST": "true", "HTTP_HX_BOOSTED": "true"},
        {"wsgi.url_scheme": "https"},
        {"PATH_INFO": "/events/b/"},
        {"PATH_INFO": "/", "QUERY_STRING": ""},
        {"PATH_INFO": "/", "QUERY_STRING": "page=2"},
    ]
    assert [scene.body(**kind) for kind in kinds] == [
        b"answer %d" % number for number in range(1, len(kinds) + 1)
    ]
    same: list[dict[str, Any]] = [
        {"HTTP_ACCEPT_LANGUAGE": "it-IT,it;q=0.9,en;q=0.1"},
        {"HTTP_ACCEPT_LANGUAGE": "xx", "HTTP_COOKIE": "csrf=abc; django_language=en"},
        {"HTTP_HX_REQUEST": "true", "HTTP_ACCEPT_LANGUAGE": "de,it"},
    ]
    assert [scene.body(**kind) for kind in same] == [b"answer 1", b"answer 2", b"answer 3"]


def test_it_is_rendered_as_for_a_reader_of_whom_nothing_is_known() -> None:
    scene = Scene()
    scene.body(
        PATH_INFO="/",
        QUERY_STRING="page=2",
        REQUEST_METHOD="HEAD",
        HTTP_COOKIE="csrf=abc; django_language=en; other=1",
        HTTP_IF_NONE_MATCH='"x"',
        HTTP_ACCEPT_ENCODING="gzip",
    )
    (asked,) = scene.answers.asked
    assert asked["REQUEST_METHOD"] == "GET"
    assert asked["HTTP_COOKIE"] == "django_language=en"
    assert not {"HTTP_IF_NONE_MATCH", "HTTP_ACCEPT_ENCODING"} & set(asked)


def test_no_other_header_reaches_a_rendering_that_others_are_sent() -> None:
    scene = Scene()
    scene.body(
        HTTP_ACCEPT="text/plain",
        HTTP_USER_AGENT="Phone/1",
        HTTP_REFERER="https://elsewhere.example/",
        HTTP_X_FORWARDED_HOST="evil.example",
        HTTP_HX_CURRENT_URL="https://evil.example/",
        HTTP_ACCEPT_LANGUAGE="en",
    )
    (asked,) = scene.answers.asked
    found = {name: value for name, value in asked.items() if name.startswith("HTTP_")}
    assert found == {"HTTP_COOKIE": "django_language=en", "HTTP_HOST": "localhost"}


@pytest.mark.parametrize(
    "cookie",
    [
        'django_language="en\\073 girone\\075stolen"',
        'django_language="en\\073 messages\\075stolen"',
        "django_language=en/../../x",
    ],
)
def test_the_cookie_of_the_language_brings_nothing_else_in(cookie: str) -> None:
    scene = Scene()
    assert scene.body(HTTP_COOKIE=cookie) == b"answer 1"
    assert scene.answers.asked[0]["HTTP_COOKIE"] == "django_language=it"
    assert scene.body() == b"answer 1", "the language of who says none"


def test_what_others_add_to_a_shared_link_makes_no_answer_of_its_own() -> None:
    """A phone that opened such a link asks at its address all day."""
    scene = Scene()
    for number in range(5):
        marks = f"utm_source=chat&fbclid={'Iw' * 80}{number}&igsh="
        assert scene.body(QUERY_STRING=marks) == b"answer 1"
        assert scene.body(PATH_INFO="/", QUERY_STRING=f"{marks}&page=2") == b"answer 2"
    assert [asked["QUERY_STRING"] for asked in scene.answers.asked] == ["", "page=2"]
    assert scene.body() == b"answer 1"
    assert scene.body(QUERY_STRING="utm=1") == b"by django"
    assert scene.body(QUERY_STRING="fbclid=" + "x" * 800 + "&q=a") == b"by django"


def test_questions_are_remembered_up_to_so_many_letters() -> None:
    scene = Scene()
    for number in range(30):
        scene.body(HTTP_ACCEPT_LANGUAGE="en," + "x" * 8_000 + str(number))
        scene.body(HTTP_COOKIE="django_language=" + "x" * 4_000 + str(number))
        scene.body(PATH_INFO="/" + "x" * 8_000 + str(number))
    assert len(scene.front.requests) == 0
    scene.body()
    assert len(scene.front.requests) == 1


def test_who_asked_too_often_does_not_decide_for_others() -> None:
    scene = Scene(status="429 Too Many Requests")
    assert scene.body() == b"by django"
    scene.answers.status = "200 OK"
    assert [scene.body(), scene.body()] == [b"answer 2"] * 2


def test_what_was_not_there_is_kept_as_soon_as_it_is() -> None:
    """A round is published while phones ask for its page: they do not render one each."""
    scene = Scene(status="404 Not Found")
    assert scene.body() == b"by django"
    scene.answers.status = "200 OK"
    assert scene.body() == b"by django"
    scene.versions.version = 2
    assert [scene.body(), scene.body()] == [b"answer 2"] * 2


def test_a_rendering_that_dies_gives_its_turn_back() -> None:
    def dies() -> None:
        if scene.answers.count == 1:
            raise SystemExit  # as gunicorn ends a process that takes too long

    scene = Scene(before=dies)
    with pytest.raises(SystemExit):
        scene.body()
    assert scene.body() == b"answer 2"


def test_tags_and_heads() -> None:
    scene = Scene(headers=[("ETag", '"abc"'), ("X-Frame-Options", "DENY")])
    status, headers, body = ask(scene.front)
    assert (status, body, headers["ETag"]) == ("200 OK", b"answer 1", 'W/"abc"')
    assert headers["Content-Length"] == str(len(body))
    assert headers["Cache-Control"] == "private, no-cache"
    for tag in ('W/"abc"', '"abc"', '"x", W/"abc"'):
        status, headers, body = ask(scene.front, HTTP_IF_NONE_MATCH=tag)
        assert (status, body) == ("304 Not Modified", b"")
        assert headers["X-Frame-Options"] == "DENY"
        assert not {"Content-Length", "Content-Type"} & set(headers)
    assert ask(scene.front, HTTP_IF_NONE_MATCH='W/"other"')[0] == "200 OK"
    status, headers, body = ask(scene.front, REQUEST_METHOD="HEAD")
    assert (status, headers["Content-Length"], body) == ("200 OK", "8", b"")


def test_each_answer_has_a_number_of_its_own() -> None:
    scene = Scene(headers=[("X-Request-ID", "of-the-rendering")])
    numbers = {ask(scene.front)[1]["X-Request-ID"] for _ in range(5)}
    assert len(numbers) == 5
    assert "of-the-rendering" not in numbers
    assert ask(scene.front, HTTP_X_REQUEST_ID="12345678")[1]["X-Request-ID"] == "12345678"
    assert ask(scene.front, HTTP_X_REQUEST_ID="a\n12345678")[1]["X-Request-ID"] not in numbers
