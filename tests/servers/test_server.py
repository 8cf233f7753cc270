"""How waitress is set up; collected files have names by their hash; a crowd of phones."""

import logging
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage

from config import server, sheets, static_files
from config.server import close_longest_idle_channel
from config.sheets import SHEETS, compile_css
from config.sizes import ACCOUNTS, MEBIBYTE
from tests.servers.running import (
    ROOT,
    answers,
    ask,
    commands,
    environment,
    forked,
    gunicorn,
    manage,
    open_sockets,
    waitress,
)

IDLE, SLOW = 150, 20


def test_waitress_polls_and_lets_a_hall_in(monkeypatch):
    raised = [(1024, 65_536)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: raised[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    set_up = server.waitress_options(threads=8, largest_body=64, proxies=0)
    assert set_up["asyncore_use_poll"] is True
    assert set_up["connection_limit"] == server.CONNECTIONS >= server.FEW
    assert raised[1:] == [(server.CONNECTIONS + server.SPARE_FILES, 65_536)]
    assert set_up["max_request_body_size"] == 64 + server.BODY_SPARE
    assert set_up["clear_untrusted_proxy_headers"] is True


def test_headers_of_trusted_proxies_reach_the_site():
    set_up = server.waitress_options(threads=8, largest_body=64, proxies=1)
    assert set_up["clear_untrusted_proxy_headers"] is False


def limited(soft, hard):
    """Return what the server lets in, and the limit it set, in a process with these limits."""
    code = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from config import server\n"
        "print(server.raise_connection_limit(2000), "
        "*resource.getrlimit(resource.RLIMIT_NOFILE))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    return [int(number) for number in done.stdout.split()]


@pytest.mark.deep
def test_the_limit_of_open_files_is_raised_as_far_as_it_goes():
    assert limited(1024, 4096) == [2000, 2000 + server.SPARE_FILES, 4096]
    assert limited(1024, 1024) == [1024 - server.SPARE_FILES, 1024, 1024]


def test_a_limit_that_is_too_low_is_said(monkeypatch, caplog):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: None)  # this process keeps its own
    with caplog.at_level(logging.WARNING):
        server.waitress_options(threads=8, largest_body=64, proxies=0)
    assert "ulimit -n" in caplog.text


def connection(*, idle: float, requests=(), unsent=0, request=None, sent=b""):
    """Return what the choice looks at of a connection; ``sent`` was not read by the server yet."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.sendall(sent)
    told = {"requests": list(requests), "total_outbufs_len": unsent, "request": request}
    return SimpleNamespace(socket=ours, other=theirs, last_activity=-idle, will_close=False, **told)


def test_the_connection_that_was_idle_longest_makes_room():
    kinds = [
        {"idle": 90, "requests": ["one that is answered"]},
        {"idle": 80, "unsent": 1_000},
        {"idle": 70, "sent": b"GET"},
        {"idle": 60, "request": "half of one"},
        {"idle": 50},
        {"idle": 40},
    ]
    held = [connection(**kind) for kind in kinds]
    try:
        for closed in ([4], [4, 5], [3, 4, 5]):
            close_longest_idle_channel([one for one in held if not one.will_close])
            assert [number for number, one in enumerate(held) if one.will_close] == closed
    finally:
        for one in held:
            one.socket.close()
            one.other.close()


@pytest.fixture(scope="module")
def plain(migrated, tmp_path_factory):
    """Return the port of a site that is served as usual."""
    site = tmp_path_factory.mktemp("plain")
    shutil.copy(migrated / "site.sqlite3", site)
    with waitress(site) as port:
        yield port


@pytest.mark.deep
@pytest.mark.processes
def test_idle_and_slow_connections_keep_nobody_waiting(plain):
    whole = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    idle = open_sockets(plain, IDLE, whole)
    slow = open_sockets(plain, SLOW, whole[:20])
    try:
        answer = ask(plain, "/")
        assert (answer.status, answer.seconds < server.IDLE_SECONDS) == (200, True)
        assert all(one.recv(12).endswith(b"200") for one in idle)
    finally:
        for one in idle + slow:
            one.close()
    assert answers(plain)


@pytest.mark.deep
@pytest.mark.processes
def test_https_behind_a_proxy_does_not_lead_in_circles(site):
    with waitress(site, HTTPS="1", TRUSTED_PROXIES="1") as port:
        told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
        assert ask(port, "/", headers=told).status == 200
        assert ask(port, "/").status == 301


@pytest.mark.processes
def test_the_server_ends_what_is_too_large_for_everything(plain):
    told = {
        "Content-Length": str(300 * MEBIBYTE),
        "Content-Type": "multipart/form-data; boundary=x",
    }
    answer = ask(plain, "/accounts/login/", method="POST", body=b"--x", headers=told)
    assert answer.status == 413
    assert answer.seconds < 60  # the body never ends
    whole = b"x" * (ACCOUNTS + 1)
    answer = ask(plain, "/accounts/login/", method="POST", body=whole)
    assert answer.status == 413
    assert "64,0\xa0KB" in answer.body.decode()


@pytest.mark.deep
@pytest.mark.processes
def test_gunicorn_leaves_nothing_in_the_home_of_its_user(site, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    with gunicorn(site, HOME=str(home), XDG_RUNTIME_DIR=str(home)) as port:
        assert answers(port)
        assert list(home.iterdir()) == []


# The link of a page as the server would send it, in place of serving.
SERVED = """
from django.conf import settings
settings.STATIC_ROOT = {root!r}
from config import server
from django.templatetags.static import static
class Served:
    def __init__(self, application, **options):
        print(static("girone/site-pages.css"))
    def print_listen(self, text):
        pass
    def run(self):
        pass
server.waitress.create_server = Served
server.main([])
"""


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """Return a folder that ``collectstatic`` has filled."""
    root = tmp_path_factory.mktemp("static")
    manage("collectstatic", "--noinput", "-v0", env=environment(root, STATIC_ROOT=str(root)))
    return root


@pytest.fixture
def storage(settings):
    def make(root):
        settings.STATIC_ROOT = root
        return static_files.CollectedStaticFilesStorage(location=str(root))

    return make


def test_collected_files_are_named_by_their_hash(collected, storage):
    url = storage(collected).url("girone/girone.css")
    assert re.fullmatch(r"/static/girone/girone\.[0-9a-f]{12}\.css", url)
    assert (collected / url.removeprefix("/static/")).exists()
    assert (collected / (url.removeprefix("/static/") + ".gz")).exists()
    assert not list(collected.rglob("*.map"))


def test_a_kind_of_page_has_one_style_sheet_of_its_parts(collected, storage, monkeypatch):
    monkeypatch.setattr(sheets, "staticfiles_storage", storage(collected))
    for kind, parts in SHEETS.items():
        (name,) = sheets.style_sheet_files(kind)
        path = sheets.staticfiles_storage.url(name).removeprefix("/static/")
        texts = [Path(str(finders.find(part))).read_text() for part in parts]
        assert (collected / path).read_text() == compile_css("\n".join(texts))


def test_the_server_collects_first_and_says_so(tmp_path):
    root = tmp_path / "static"
    root.mkdir()
    code = SERVED.format(root=str(root))
    told, link = forked(code, tmp_path).splitlines()
    assert told == "Collecting style sheets and scripts; this takes some seconds."
    assert re.fullmatch(r"/static/girone/site-pages\.[0-9a-f]{12}\.css", link)
    assert forked(code, tmp_path) == link, "nothing has changed since"
    os.utime(root / static_files.CollectedStaticFilesStorage.manifest_name, (1, 1))
    assert forked(code, tmp_path).splitlines() == [told, link]


@pytest.mark.deep
def test_the_server_serves_nothing_where_files_cannot_be_collected(tmp_path):
    root = tmp_path / "file"
    root.write_text("no folder")
    done = commands().run(["-c", SERVED.format(root=str(root))], tmp_path / "site.sqlite3")
    assert done.returncode == 1
    assert "Nothing is served" in done.stdout + done.stderr


def test_a_file_that_was_not_collected_keeps_its_name(tmp_path, storage):
    assert storage(tmp_path).url("girone/girone.css") == "/static/girone/girone.css"


def test_a_change_is_noticed(collected, storage, monkeypatch):
    assert static_files.is_collection_up_to_date(collected)
    manifest = collected / static_files.CollectedStaticFilesStorage.manifest_name
    kept = manifest.stat()
    os.utime(manifest, (1, 1))
    try:
        assert not static_files.is_collection_up_to_date(collected)
        assert storage(collected).url("girone/girone.css") == "/static/girone/girone.css"
    finally:
        os.utime(manifest, (kept.st_atime, kept.st_mtime))
    monkeypatch.setitem(SHEETS, "site", ("girone/girone.css",))
    assert not static_files.is_collection_up_to_date(collected)


@pytest.mark.deep
def test_nothing_is_collected_where_nothing_has_changed(collected):
    before = (collected / "staticfiles.json").stat().st_mtime_ns
    env = environment(collected, STATIC_ROOT=str(collected))
    manage("collectstatic", "--noinput", "-v0", "--if-changed", env=env)
    assert (collected / "staticfiles.json").stat().st_mtime_ns == before


def test_make_run_collects():
    root = Path(__file__).resolve().parents[2]
    assert 'call_command("prepare"' in (root / "config/program.py").read_text()
    command = root / "config/management/commands/prepare.py"
    assert 'call_command("collectstatic", interactive=False, verbosity=0, if_changed=True)' in (
        command.read_text()
    )
    assert issubclass(static_files.CollectedStaticFilesStorage, StaticFilesStorage)


@pytest.mark.deep
@pytest.mark.processes
def test_they_are_sent_compressed_and_kept_for_a_year(collected, site):
    with waitress(site, STATIC_ROOT=str(collected)) as port:
        page = ask(port, "/").body.decode()
        (style,) = set(re.findall(r"/static/girone/event-pages\.[0-9a-f]{12}\.css", page))
        answer = ask(port, style, headers={"Accept-Encoding": "gzip"})
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    kept = re.search(r"max-age=(\d+)", answer.headers["Cache-Control"])
    assert int(kept[1]) >= 365 * 24 * 3600
    assert "immutable" in answer.headers["Cache-Control"]
