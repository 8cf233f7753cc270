"""A killed worker of the outbox loses no mail, and sends none twice that the server answered.

Real processes, a real mail server, SIGKILL.
"""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from tests.database import migrated

ROOT = Path(__file__).parents[2]
PLAYERS = 30
PATIENCE = 300  # seconds: other tests run beside it
RECEIVERS = {f"gioca{number}@example.org" for number in range(1, PLAYERS + 1)}
SITE = "https://girone.example"

pytestmark = [pytest.mark.processes, pytest.mark.deep]


class Box:
    """A mail server that takes its time, and keeps receiver, Message-ID and link of each mail."""

    def __init__(self):
        self.had, self.slow = [], 0.0

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        text = envelope.content.decode()
        key = re.search(r"(?im)^message-id: <(\w+)@", text)[1]
        token = re.search(rf"{SITE}/p/([\w-]+)/", text.replace("=\r\n", ""))[1]
        self.had.append((envelope.rcpt_tos[0], key, token))
        time.sleep(self.slow)  # the answer comes later
        return "250 OK"


class Site:
    """A site in a folder: its database, the file of what was accepted, and its processes."""

    def __init__(self, folder, port):
        self.database = folder / "mails.sqlite3"
        migrated(self.database)
        self.started = []
        self.accepted = Path(f"{self.database}.outbox")
        self.env = os.environ | {
            "DATABASE_URL": f"sqlite:///{self.database}",
            "EMAIL_URL": f"smtp://127.0.0.1:{port}",
            "SITE_ADDRESS": SITE,
            "ENV_FILE": "",
        }

    def start(self, *words):
        command = [sys.executable, "-m", "tests.processes.mailing", *words]
        process = subprocess.Popen(command, cwd=ROOT, env=self.env, stderr=subprocess.DEVNULL)
        self.started.append(process)
        return process

    def rows(self, question):
        with closing(sqlite3.connect(self.database, timeout=20)) as database:
            return database.execute(question).fetchall()

    def waiting(self):
        ((count,),) = self.rows("select count(*) from accounts_outgoing where state = 'waiting'")
        return count


@pytest.fixture
def box():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    found = Box()
    controller = Controller(found, hostname="127.0.0.1", port=port)
    controller.start()
    found.port = port
    yield found
    controller.stop()


@pytest.fixture
def site(box, tmp_path):
    found = Site(tmp_path, box.port)
    assert found.start("fill", str(PLAYERS)).wait(PATIENCE) == 0
    assert found.waiting() == PLAYERS
    yield found
    for process in found.started:
        process.kill()
        process.wait(20)


def until(holds, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def kill(process):
    process.send_signal(signal.SIGKILL)
    assert process.wait(20) == -signal.SIGKILL


def finished(site):
    """Let a worker deliver all that waits."""
    process = site.start("work")
    until(lambda: site.waiting() == 0)
    process.terminate()
    process.wait(20)


def test_killed_after_the_answer_and_before_the_mark_it_sends_no_mail_twice(site, box):
    for number in range(1, 4):
        assert site.start("work", "killed").wait(PATIENCE) == -signal.SIGKILL
        assert site.waiting() == PLAYERS - number + 1, "none of this run is marked"
        assert len(box.had) == number
    finished(site)
    receivers = Counter(receiver for receiver, _key, _token in box.had)
    assert receivers == Counter(
        {f"gioca{number}@example.org": 1 for number in range(1, PLAYERS + 1)}
    )


@pytest.mark.deep
def test_killed_at_any_moment_it_loses_none_and_doubles_only_what_had_no_answer(site, box):
    box.slow, answered = 0.02, []
    for _kill in range(5):
        before = len(box.had)
        process = site.start("work")
        until(lambda before=before: len(box.had) >= before + 3)
        kill(process)
        keys = site.accepted.read_text().split() if site.accepted.exists() else []
        answered.append((len(box.had), set(keys)))
    box.slow = 0.0
    finished(site)
    receivers = Counter(receiver for receiver, _key, _token in box.had)
    assert set(receivers) == RECEIVERS
    keys = Counter(key for _receiver, key, _token in box.had)
    doubled = {key for key, times in keys.items() if times > 1}
    assert len(keys) == PLAYERS, "each delivery has one key"
    assert len(doubled) <= 5 * 8
    for seen, accepted in answered:
        assert not accepted & {key for _receiver, key, _token in box.had[seen:]}
    assert any(accepted for _seen, accepted in answered)
    stored = {row[0] for row in site.rows("select token_hash from tournaments_personallink")}
    sent = {sha256(token.encode()).hexdigest() for _receiver, _key, token in box.had}
    assert sent <= stored, "every link that somebody has works"
    states = site.rows("select state, count(*) from accounts_outgoing group by state")
    assert states == [("sent", PLAYERS)]
