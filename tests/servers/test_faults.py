"""Redis, PostgreSQL, the disk and the lock taken away from a running site, and given back."""

import concurrent.futures
import json
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress

import pytest

from bench.connections import RESULT
from tests.servers import running
from tests.servers.running import ROOT, ask, free_port, until, waitress
from tests.servers.stores import needs_postgres, needs_redis, redis

pytestmark = pytest.mark.processes
PEOPLE = """
from knox.models import AuthToken
from accounts.models import User
user = User.objects.create_user("anna@example.org", "correct horse battery", name="Anna")
print(AuthToken.objects.create(user=user)[1])
"""


@pytest.fixture
def token(site):
    return running.forked(PEOPLE, site)


def ready(port):
    answer = ask(port, "/health/ready")
    return answer.status, answer.body.decode().strip()


def create(port, token, name="Coppa"):
    """Ask for a write; return the answer."""
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    event = {
        "name": name,
        "format": "doomtrooper-original",
        "formula": "single-group",
        "decklists": "off",
    }
    body = json.dumps(event).encode()
    return ask(port, "/api/v1/events/", method="POST", body=body, headers=headers)


def sign_in(port):
    """Send a wrong password, with its token against forged forms; return the status."""
    page = ask(port, "/accounts/login/")
    token = page.body.decode().partition('name="csrfmiddlewaretoken" value="')[2][:64]
    headers = {
        "Cookie": page.headers["Set-Cookie"].partition(";")[0],
        "Content-Type": "application/x-www-form-urlencoded",
    }
    sent = f"csrfmiddlewaretoken={token}&login=anna@example.org&password=wrong".encode()
    return ask(port, "/accounts/login/", method="POST", body=sent, headers=headers).status


@pytest.mark.deep
@needs_redis
def test_redis_goes_and_comes_back(site, token):
    place = free_port()
    with waitress(site, CACHE_URL=f"redis://127.0.0.1:{place}/0") as port:
        with redis(site, place) as server:
            assert ready(port) == (200, "ok")
            assert create(port, token).status == 201
            running.end(server, signal.SIGKILL)
            assert ready(port) == (200, "degraded: cache")
            said = [create(port, token, f"Coppa {number}").status for number in range(3)]
            assert said == [201] * 3
            assert ask(port, "/").status == 200
            assert [sign_in(port) for _ in range(12)] == [200] * 12
            assert ask(port, "/api/v1/events/").status == 200
        log = (site / "server.log").read_text()
        assert log.count("Redis does not answer") == 1
        with redis(site, place):
            until(lambda: ready(port) == (200, "ok"))


@pytest.mark.deep
@needs_postgres
def test_postgresql_goes_and_comes_back(tmp_path, postgres):
    url = {"DATABASE_URL": postgres.url}
    env = running.environment(tmp_path, **url)
    running.manage("migrate", "-v0", env=env)
    token = running.python(PEOPLE, env=env)
    with waitress(tmp_path, **url) as port:
        assert ready(port) == (200, "ok")
        assert create(port, token).status == 201
        postgres.stop()
        assert ready(port) == (503, "database")
        for gone in (ask(port, "/"), create(port, token, "Altra"), ask(port, "/api/v1/events/")):
            assert (gone.status, gone.headers["Retry-After"]) == (503, "5")
        assert ask(port, "/health/live").status == 200
        postgres.start()
        until(lambda: ready(port) == (200, "ok"))
        assert ask(port, "/").status == 200
        assert create(port, token, "Altra").status == 201
    assert "Traceback" not in (tmp_path / "server.log").read_text()


DEADLOCK = """
import logging, threading
from django.db import connection
from accounts.models import User
from config import transaction
logging.disable(logging.CRITICAL)
for name in "ab":
    User.objects.create_user(f"{name}@example.org", "x", name=name)
both = threading.Barrier(2)
done = []

@transaction.atomic
def rename(first, second, tried):
    tried.append(1)
    User.objects.filter(email=first).update(name=f"{first} first")
    if len(tried) == 1:
        both.wait(30)
    User.objects.filter(email=second).update(name=f"{first} second")

def act(first, second):
    tried = []
    rename(first, second, tried)
    done.append(len(tried))
    connection.close()

pair = ("a@example.org", "b@example.org")
threads = [threading.Thread(target=act, args=names) for names in (pair, pair[::-1])]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sorted(done))
"""


@pytest.mark.deep
@needs_postgres
def test_a_deadlock_is_tried_once_more(tmp_path, postgres):
    env = running.environment(tmp_path, DATABASE_URL=postgres.url)
    running.manage("migrate", "-v0", env=env)
    assert running.python(DEADLOCK, env=env) in ("[1, 2]", "[2, 2]")


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a disk of its own, of twelve megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)  # noqa: S607


@pytest.mark.deep
def test_a_full_disk_stores_nothing_in_part_and_recovers(site, token, small_disk):
    shutil.copy(site / "site.sqlite3", small_disk)
    database = small_disk / "site.sqlite3"
    with waitress(site, DATABASE_URL=f"sqlite:///{database}") as port:
        assert ready(port) == (200, "ok")
        stored = [create(port, token, "Prima").status]
        filler = small_disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(64 * 1024))
        with suppress(OSError), filler.open("ab", buffering=0) as file:
            while True:
                file.write(b"x" * 512)
        assert ready(port) == (503, "full")
        # the write-ahead log has some pages of its own left; then nothing fits
        refused = None
        for number in range(400):
            answer = create(port, token, f"Coppa {number}")
            if answer.status != 201:
                refused = answer
                break
            stored.append(201)
        assert refused is not None
        assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
        assert b"storage_full" in refused.body
        assert ask(port, "/").status == 200
        filler.unlink()
        assert ready(port) == (200, "ok")
        stored.append(create(port, token, "Dopo").status)
    assert set(stored) == {201}
    with closing(sqlite3.connect(database)) as look:
        assert look.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (events,) = look.execute("SELECT count(*) FROM tournaments_event").fetchone()
    assert events == len(stored)


@pytest.mark.deep
def test_a_read_only_disk_is_red_and_stores_nothing(site, small_disk):
    slug, number, token = running.forked(RESULT, site).split()
    with closing(sqlite3.connect(site / "site.sqlite3")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(site / "site.sqlite3", small_disk)
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    subprocess.run(remount, check=True)
    result = f"/api/v1/events/{slug}/matches/{number}/result/"
    code = (
        "from django.test import Client\n"
        "client = Client(raise_request_exception=False, headers={'host': 'localhost'})\n"
        "for path in ('/health/ready', '/'):\n"
        "    answer = client.get(path)\n"
        "    print(answer.status_code, answer.content.decode().splitlines()[0])\n"
        "data = {'version': 0, 'score': [40, 22]}\n"
        f"answer = client.put({result!r}, data, 'application/json',\n"
        f"    headers={{'Authorization': 'Token {token}', 'Accept-Language': 'en'}})\n"
        "print(answer.status_code, answer.json()['code'], answer.json()['detail'])\n"
    )
    url = f"sqlite:///{small_disk / 'site.sqlite3'}"
    env = running.environment(site, DATABASE_URL=url, LOG_LEVEL="CRITICAL")
    health, page, refused = running.python(code, env=env).splitlines()
    assert health == "503 readonly"
    assert page.startswith(("503", "200"))
    assert refused.startswith("503 storage_read_only The database is read-only.")


@pytest.mark.deep
def test_a_lock_of_thirty_seconds_stops_no_reader(site, token):
    """Twelve writers while another program holds the database; readers all the time."""
    with (
        waitress(site) as port,
        closing(sqlite3.connect(site / "site.sqlite3", isolation_level=None)) as other,
        concurrent.futures.ThreadPoolExecutor(12) as people,
    ):
        assert create(port, token).status == 201
        other.execute("BEGIN IMMEDIATE")
        ends = time.monotonic() + 30
        writes = [people.submit(create, port, token, f"Coppa {number}") for number in range(12)]
        time.sleep(2)
        reads = []
        while time.monotonic() < ends:
            reads.append(ask(port, "/"))
        done = [each.result() for each in writes]
        other.execute("ROLLBACK")
        assert {answer.status for answer in reads} == {200}
        reads.sort(key=lambda answer: answer.seconds)
        assert reads[int(len(reads) * 0.95)].seconds < 2
        assert {answer.status for answer in done} == {503}
        assert all(answer.headers["Retry-After"] == "5" for answer in done)
        at_once = [answer for answer in done if answer.seconds < 10]
        assert len(at_once) == 8
        assert create(port, token, "Dopo").status == 201


def test_the_docs_name_what_is_red():
    text = (ROOT / "docs" / "deploying.md").read_text()
    for word in ("degraded: cache", "database", "migrations", "full", "readonly", "locked"):
        assert f"| `{word}` |" in text
