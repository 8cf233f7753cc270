"""Finished answers without a database: when they are rendered, for whom, and where they stay."""

import os
import pickle
import sqlite3
import threading
import time
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from config.pages import KEPT_FOR, PageFileCache
from tests.front import Answers, MadeUp, Time, ask, shared
from tournaments.public.page_cache import BETWEEN, LAG, LONGEST, PageCache
from tournaments.public.storage import (
    LONGEST_RENDERING,
    CachedResponse,
    ResponseMemory,
    SharedResponses,
)


class Scene:
    """A front around a made-up application, at a made-up time."""

    def __init__(self, **more: Any) -> None:
        self.time, self.versions, self.answers = Time(), MadeUp(), Answers(**more)
        self.shared = shared()
        self.front = self.process()

    def process(self) -> PageCache:
        """Return a front as another process of the same site has it."""
        return PageCache(
            self.answers, self.versions, self.shared, now=self.time, sleep=self.time.sleep
        )

    def body(self, **more: Any) -> bytes:
        return ask(self.front, **more)[2]


def test_an_unchanged_answer_is_rendered_once_for_everybody_for_a_while() -> None:
    scene = Scene()
    assert {scene.body() for _reader in range(20)} == {b"answer 1"}
    assert ask(scene.process())[2] == b"answer 1"
    assert scene.answers.count == 1
    scene.body()
    scene.time.at += LONGEST + 0.1
    assert scene.body() == b"answer 2"


def test_a_change_shows_after_a_second_at_most_and_is_rendered_once() -> None:
    scene = Scene()
    scene.body()
    scene.versions.version = 2
    scene.time.at += BETWEEN / 2
    assert scene.body() == b"answer 1"
    scene.time.at += BETWEEN / 2
    assert scene.body() == b"answer 2"
    assert scene.body() == b"answer 2"
    assert scene.answers.count == 2


def test_what_is_older_than_two_seconds_is_not_sent() -> None:
    """Nobody asked for a while: the first who does gets no page of long ago."""
    scene = Scene()
    scene.body()
    scene.time.at += 50
    scene.versions.version = 2
    assert scene.body() == b"answer 2"


def test_what_was_taken_away_is_gone_at_the_next_request_in_each_process() -> None:
    scene = Scene()
    other = scene.process()
    assert scene.body() == ask(other)[2] == b"answer 1"
    scene.versions.version = scene.versions.floor = 2
    assert ask(other)[2] == b"answer 2"
    assert scene.body() == b"answer 2"
    scene.versions.version, scene.versions.floor = 4, 3
    assert scene.body() == b"answer 3"


def test_an_event_that_is_gone_is_left_to_django() -> None:
    scene = Scene()
    scene.body()
    scene.versions.event = 0
    assert scene.body() == b"by django"
    scene.versions.event = 2  # another one of the same address
    assert scene.body() == b"answer 2"


@pytest.mark.deep
@pytest.mark.parametrize("processes", [1, 2])
def test_a_stampede_renders_once_a_second(processes: int) -> None:
    """Two results a second for a minute, 64 readers each tenth of a second."""
    scene = Scene()
    fronts = [scene.front, *(scene.process() for _ in range(processes - 1))]
    shown = {0.0: 0}
    for tick in range(600):
        if tick % 5 == 0:
            scene.versions.version += 1
            shown[scene.time.at] = scene.answers.count
        for reader in range(64):
            ask(fronts[reader % processes])
        scene.time.at += 0.1
    assert 55 <= scene.answers.count <= 61


def test_while_one_renders_the_others_get_the_bytes_of_before_at_once() -> None:
    entered, finish = threading.Event(), threading.Event()

    def slow() -> None:
        if scene.answers.count > 1:
            entered.set()
            assert finish.wait(30)

    scene = Scene(before=slow)
    scene.body()
    scene.versions.version = 2
    scene.time.at += BETWEEN
    renders = threading.Thread(target=scene.body)
    renders.start()
    assert entered.wait(30)
    assert {scene.body() for _reader in range(50)} == {b"answer 1"}
    assert ask(scene.process())[2] == b"answer 1"
    finish.set()
    renders.join(30)
    assert scene.answers.count == 2
    assert scene.body() == b"answer 2"


def test_without_bytes_of_before_the_others_wait_for_the_one_rendering() -> None:
    entered, finish = threading.Event(), threading.Event()

    def slow() -> None:
        entered.set()
        assert finish.wait(30)

    scene = Scene(before=slow)
    scene.front.sleep = lambda _seconds: finish.wait(0.01)
    found: list[bytes] = []
    readers = [threading.Thread(target=lambda: found.append(scene.body())) for _ in range(8)]
    readers[0].start()
    assert entered.wait(30)
    for reader in readers[1:]:
        reader.start()
    finish.set()
    for reader in readers:
        reader.join(30)
    assert found == [b"answer 1"] * 8
    assert scene.answers.count == 1


def test_a_change_that_takes_away_during_a_rendering_is_not_hidden_by_it() -> None:
    """What was rendered from the state of before is not sent to who comes afterwards."""

    def taken_away() -> None:
        if scene.answers.count == 1:
            scene.versions.version = scene.versions.floor = 2

    scene = Scene(before=taken_away)
    scene.body()
    assert scene.body() == b"answer 2"


def test_who_renders_for_long_lets_the_bytes_of_before_live_as_long() -> None:
    def slow() -> None:
        scene.time.at += 3

    scene = Scene(before=slow)
    scene.body()
    scene.versions.version = 2
    scene.time.at += LAG
    holder = scene.shared.turn(next(iter(scene.front.memory._kept)))
    with holder as ours:
        assert ours
        assert scene.body() == b"answer 1"


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


def test_what_was_refused_or_not_there_is_kept_as_soon_as_it_is() -> None:
    scene = Scene(status="429 Too Many Requests")
    assert scene.body() == b"by django"
    scene.answers.status = "200 OK"
    assert [scene.body(), scene.body()] == [b"answer 2"] * 2
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


EXPIRES = pickle.dumps(4e9)
"""How a file of Django's cache begins: when it expires."""


class Broken(SharedResponses):
    """A storage on a full disk, or one that can't be read."""

    def __init__(self, *, reads: bool) -> None:
        self.reads = reads

    def get(self, key: str) -> CachedResponse | None:
        if not self.reads:
            raise PermissionError(13, "unreadable")
        return None

    def put(self, key: str, kept: CachedResponse) -> None:
        raise OSError(28, "No space left on device")

    turn = shared().turn


@pytest.mark.usefixtures("quiet")
def test_a_fault_of_storage_or_database_leaves_the_request_to_django() -> None:
    scene = Scene()
    scene.versions.fault = sqlite3.OperationalError("unable to open database file")
    assert scene.body() == b"by django"
    scene = Scene()
    scene.shared = Broken(reads=False)
    assert ask(scene.process())[2] == b"by django"
    scene.shared = Broken(reads=True)
    front = scene.process()
    assert [ask(front)[2] for _ in range(3)] == [b"answer 1"] * 3, "the process has it itself"


def in_files(folder: Path) -> SharedResponses:
    return SharedResponses(PageFileCache(str(folder), {}), folder)


def test_a_damaged_entry_is_none_and_made_anew(tmp_path: Path) -> None:
    scene = Scene()
    scene.shared = in_files(tmp_path / "pages")
    assert ask(scene.process())[2] == b"answer 1"
    (file,) = (tmp_path / "pages").glob("*.djcache")
    whole = file.read_bytes()
    assert ask(scene.process())[2] == b"answer 1"
    damaged = [
        *(whole[:-40], b"", b"\x80\x7f", b"half a page", EXPIRES, EXPIRES + b"x"),
        *(EXPIRES + zlib.compress(inside) for inside in (b"", b"\x80\x7f", b"cno\nthing\n.")),
        EXPIRES + zlib.compress(pickle.dumps({"no": "answer"})),
    ]
    for number, content in enumerate(damaged, start=2):
        file.write_bytes(content)
        assert ask(scene.process())[2] == b"answer %d" % number, content
        assert ask(scene.process())[2] == b"answer %d" % number, "kept anew"
    assert oct((tmp_path / "pages").stat().st_mode)[-2:] == "00"


@pytest.mark.usefixtures("quiet")
def test_where_nothing_can_be_written_each_process_renders_once() -> None:
    """A read-only disk, as for a container: nobody but root's kernel makes folders in /proc."""
    nowhere = Path("/proc/girone/pages")
    scene = Scene()
    scene.shared = in_files(nowhere)
    front = scene.process()
    assert [ask(front)[2] for _ in range(5)] == [b"answer 1"] * 5
    with scene.shared.turn("a") as ours, scene.shared.turn("a") as again:
        assert (ours, again) == (True, False)
    with scene.shared.turn("a") as ours:
        assert ours
    PageFileCache(str(nowhere), {}).clear()


def test_no_folder_is_made_before_there_is_an_answer(tmp_path: Path) -> None:
    PageFileCache(str(tmp_path / "pages"), {}).clear()
    assert not (tmp_path / "pages").exists()


def test_files_that_expired_are_deleted_by_the_next_answer(tmp_path: Path) -> None:
    pages = PageFileCache(str(tmp_path), {})
    pages.set("old", "Anna Rossi", KEPT_FOR)
    with in_files(tmp_path).turn("a"):
        (tmp_path / "tmp-half").write_text("Anna Rossi")  # of a process that was killed
    for file in tmp_path.iterdir():
        os.utime(file, (time.time() - KEPT_FOR - 1,) * 2)
    pages.set("new", "Player 7", KEPT_FOR)
    assert len(list(tmp_path.iterdir())) == 4, "not at each answer"
    PageFileCache(str(tmp_path), {}).set("newest", "Player 7", KEPT_FOR)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == ["", ".djcache", ".djcache"]
    assert pages.get("new") == "Player 7"


def test_locks_hold_between_threads_and_are_free_afterwards(tmp_path: Any) -> None:
    files = SharedResponses(shared().cache, tmp_path)
    for kind in (files, shared()):
        with kind.turn("a") as ours:
            assert ours
            with kind.turn("a") as again:
                assert not again
        with kind.turn("a") as ours:
            assert ours


def test_a_turn_that_ran_out_in_redis_is_not_given_back_for_somebody_else() -> None:
    site = shared()
    with ExitStack() as first:
        assert first.enter_context(site.turn("a"))
        site.cache.delete("turn:a")  # it rendered for longer than it may
        with site.turn("a") as second:
            assert second
            first.close()
            with site.turn("a") as third:
                assert not third


def test_a_turn_in_redis_lasts_as_long_as_the_last_rendering_and_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site, told = shared(), []
    monkeypatch.setattr(site.cache, "add", lambda _key, _value, seconds: told.append(seconds))
    for took in (0.0, 0.1, 4.0):
        with site.turn("a", took):
            pass
    assert told == [LONGEST_RENDERING, LONGEST_RENDERING, 12.0]


def test_memory_is_bounded_by_bytes_and_drops_what_was_used_longest_ago() -> None:
    scene = Scene()
    scene.body()
    (kept,) = scene.front.memory._kept.values()
    memory = ResponseMemory(most=10_000)
    for number in range(4):
        memory.put(str(number), kept)
        assert memory.get("0") is kept
    memory.put("4", kept)
    assert memory.get("0") is kept
    assert memory.get("1") is None
    assert memory.size <= 10_000
    memory.put("4", kept)
    assert len(memory) == 4
