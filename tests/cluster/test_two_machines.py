"""An event that is played on one machine and read on another: nothing old, lost or doubled."""

import os
import re
import signal
import threading
import time

import psycopg
import pytest

from tests.cluster.crowd import LINE, Phone, Seen, Stored, Watch, too_old
from tests.cluster.machines import LIMIT, WORKERS, cluster, command
from tests.servers.documented import NAME
from tests.servers.running import needs, until
from tests.servers.stores import POSTGRES

PHONES = 300
EVERY = {"1": 10, "0": 20}
"""Seconds between two questions, fewer than the play takes; pages made for each cost more."""
PLAYERS, ROUNDS = 16, 4
PACE = 0.8
"""Seconds between two results."""
OLDEST = 2
"""Seconds after which everybody reads what was stored."""
DYING = 1
"""Seconds in which a question may meet a process that dies."""
PASSWORD = "correct horse battery"
lacking = needs("nginx", "openssl", "redis-server") + ([] if POSTGRES else ["postgresql"])

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(bool(lacking), reason=f"needs {', '.join(lacking)} (apt-get install)"),
]


@pytest.fixture(scope="module", params=["1", "0"], ids=["finished pages", "made for each"])
def machines(request, postgres, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    name = f"cluster{request.param}"
    with cluster(folder, postgres, name, FINISHED_PAGES=request.param) as both:
        both.every = EVERY[request.param]
        code = (
            "from accounts.models import User\n"
            f"User.objects.create_user('anna@example.org', {PASSWORD!r}, name='Anna')\n"
        )
        command(both.one, "shell", "-v0", "-c", code)
        both.token = command(both.one, "api_token", "anna@example.org").strip().splitlines()[-1]
        yield both


def prepared(machines, name):
    """Return the address of a started event of Swiss rounds."""
    settings = {
        "name": name,
        "format": "doomtrooper-original",
        "formula": "swiss-cut",
        "options": {"rounds": ROUNDS, "cut": 2},
        "decklists": "off",
    }
    event = f"events/{machines.ok('POST', 'events/', settings)['slug']}/"
    people = [{"name": f"Player {number}"} for number in range(1, PLAYERS + 1)]
    machines.ok("POST", f"{event}players/", people)
    machines.ok("POST", f"{event}start/", {"seed": "cluster"})
    return event


def enter(machines, event, match):
    """Enter a result, until it is known to be stored."""
    body = {"version": match["version"], "score": [40, match["b"] % 40]}
    status, said = machines.call("PUT", f"{event}matches/{match['id']}/result/", body)
    if status == 409:  # the process died after it had stored it and before it could say so
        assert said["code"] == "stale", said
        assert said["match"]["state"] == "final", said
    else:
        assert status == 200, said


def kill_one(machine, deaths):
    """Kill a process of a machine in the middle of whatever it does; another takes its place."""
    gone = machine.workers()[0]
    deaths.append(time.monotonic())
    os.kill(gone, signal.SIGKILL)
    until(lambda: len(machine.workers()) == WORKERS and gone not in machine.workers())


def test_what_is_stored_on_one_is_read_on_the_other(machines):
    event = prepared(machines, "Played on one")
    slug = event.split("/")[1]
    paths = [f"/events/{slug}/{page}/" for page in ("pairings", "standings")]
    phones = [Phone(machines.other, n, paths[n % 2], machines.every) for n in range(PHONES)]
    with psycopg.connect(machines.url, autocommit=True) as look:
        watch = Watch(look, slug)
        sent, deaths = played(machines, event, watch, phones)
        time.sleep(OLDEST)
        last = watch.look()
        ends = {LINE.search(machines.other.ask(path).body.decode())[1] for path in paths * 4}

    seen = [answer for phone in phones for answer in phone.seen]
    assert ends == {str(last)}
    assert too_old(seen, watch.stored, OLDEST) == []
    # only those had no answer whose question the dying process had in hand, or was about to get
    failed = [answer for answer in seen if answer.status not in (200, 304)]
    assert [
        answer
        for answer in failed
        if not any(answer.asked - DYING < death < answer.answered + DYING for death in deaths)
    ] == []
    # every phone read its page, and they saw many states between the first and the last
    assert {bool(phone.seen) for phone in phones} == {True}
    for path in paths:
        assert len({answer.line for answer in seen if answer.path == path}) > 10
    assert len(sent) == ROUNDS * PLAYERS // 2
    nothing_lost_nothing_doubled(machines, event, sent)


def played(machines, event, watch, phones):
    """Play the rounds while the phones ask; return the scores acknowledged and when who died."""
    sent, deaths, killing = {}, [], []
    try:
        for number in range(1, ROUNDS + 1):
            made = machines.ok("POST", f"{event}rounds/", {}, key=f"{event} {number}")
            watch.look()
            if number == 1:
                for phone in phones:
                    phone.start()
            for count, match in enumerate(made["matches"]):
                if number > 1 and count == 4 and len(killing) < 2:
                    # first a process that phones read from, then one that takes results
                    victim = machines.one if killing else machines.other
                    killing.append(threading.Thread(target=kill_one, args=(victim, deaths)))
                    killing[-1].start()
                enter(machines, event, match)
                sent[match["id"]] = match["b"] % 40
                watch.look()
                time.sleep(PACE)
    finally:
        for phone in phones:
            phone.over.set()
        for thread in (*phones, *killing):
            if thread.ident:
                thread.join(60)
    assert len(deaths) == 2
    return sent, deaths


def nothing_lost_nothing_doubled(machines, event, sent):
    """Check what is stored against what was acknowledged, and every event by ``verify``."""
    asked = (
        "SELECT m.id, r.score_b, count(*) OVER (PARTITION BY m.id) FROM tournaments_report r "
        "JOIN tournaments_match m ON m.id = r.match_id JOIN tournaments_round o ON "
        "o.id = m.round_id JOIN tournaments_event e ON e.id = o.event_id WHERE e.slug = %s"
    )
    slug = event.split("/")[1]
    with psycopg.connect(machines.url) as look:
        reports = look.execute(asked, [slug]).fetchall()
        acts = look.execute(
            "SELECT count(*), count(DISTINCT l.subject) FROM tournaments_logline l JOIN "
            "tournaments_event e ON e.id = l.event_id WHERE e.slug = %s AND "
            "l.action = 'result.entered'",
            [slug],
        ).fetchone()
    assert {match: score for match, score, _count in reports} == sent
    assert {count for *_what, count in reports} == {1}
    assert acts == (len(sent), len(sent))
    for machine in (machines.one, machines.other):
        assert command(machine, "verify", "--all")


def test_what_is_taken_back_is_gone_everywhere_at_once(machines):
    event = prepared(machines, "Taken back")
    slug = event.split("/")[1]
    page = f"/events/{slug}/pairings/1/"
    for _time in range(3):
        machines.ok("POST", f"{event}rounds/", {})
        # every process has made the page, and may hold it
        until(lambda: {machines.other.ask(page).status for _each in range(8)} == {200})
        machines.ok("DELETE", f"{event}rounds/1/", {})
        assert [machines.other.ask(page).status for _each in range(8)] == [404] * 8
        assert [machines.one.ask(page).status for _each in range(4)] == [404] * 4


def test_limits_count_on_both_machines_together(machines):
    asked, headers = {"source": "127.2.0.1"}, {"Content-Type": "application/json"}
    both = (machines.one, machines.other)
    most = LIMIT // 10  # of the costly ones
    said = [
        both[n % 2].ask("/api/v1/rank/", method="POST", body=b"{}", headers=headers, **asked)
        for n in range(most + 2)
    ]
    assert [answer.status for answer in said[:most]] == [400] * most
    assert [answer.status for answer in said[most:]] == [429] * 2

    wrong = [sign_in(both[n % 2], "wrong") for n in range(10)]
    assert wrong == [200] * 10
    assert [sign_in(machine, PASSWORD) for machine in both] == [200] * 2
    assert sign_in(machines.other, PASSWORD, "127.2.0.3") == 302  # another address is not held


def sign_in(machine, password, source="127.2.0.2"):
    """Send the form of signing in; return the status: 302 leads on, 200 shows the form again."""
    page = machine.ask("/accounts/login/", source=source)
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.body.decode()))
    origin = f"https://{NAME}"
    headers = {
        "Cookie": page.headers["Set-Cookie"].partition(";")[0],
        "Origin": origin,
        "Referer": f"{origin}/accounts/login/",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    sent = f"csrfmiddlewaretoken={token}&login=anna@example.org&password={password}".encode()
    sent = sent.replace(b" ", b"+")
    return machine.ask(
        "/accounts/login/", method="POST", body=sent, headers=headers, source=source
    ).status


def test_the_measure_of_age_is_able_to_fail():
    stored = [Stored(10, 1), Stored(11, 2), Stored(20, 3)]
    fresh = [Seen(12.9, "/", 200, 1), Seen(13, "/", 304, 2), Seen(22.1, "/", 200, 3)]
    old = [Seen(13.1, "/", 200, 1), Seen(30, "/", 304, 2), Seen(30, "/", 200, 0)]
    assert too_old(fresh, stored, OLDEST) == []
    assert [answer for answer, _due in too_old(old, stored, OLDEST)] == old
    assert too_old([Seen(30, "/", 502, 0)], stored, OLDEST) == []
