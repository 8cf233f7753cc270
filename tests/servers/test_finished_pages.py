"""Finished pages of real processes on one file: shared, fresh, and gone when they must be."""

import re
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.servers import running

pytestmark = pytest.mark.processes
BEGIN = """
from accounts.models import User
from tests import factories as make
from tournaments.core.permissions import Actor
by = Actor(user=User.objects.first() or make.user())
event = make.started(by, 16, formula="swiss-cut")
make.play_round(make.next_round(event, by), by)
make.next_round(event, by)
print(event.slug)
"""
ACT = """
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Event, StaffRole
from tournaments.results.services.results import decide_result
from tournaments.rounds.services import delete_last_round
event = Event.objects.get(slug=SLUG)
by = Actor(user=event.created_by)
"""
RESULT = """
match = event.rounds.last().matches.exclude(state="final").first()
decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)
"""
VERSIONS = """
import sys
from tournaments.public.storage import SqliteVersionReader
from django.conf import settings
from tournaments.models import Event
slug = Event.objects.get().slug
data, said = SqliteVersionReader(str(settings.DATABASES["default"]["NAME"])), []
data.current(slug), data.current(None), data.current("nowhere")
data.seen.source.set_trace_callback(said.append)
found = [data.current(slug) for _ in range(10)], data.current(None), data.current("nowhere")
assert set(said) == {"PRAGMA data_version"}, said
assert found[2] is None and found[0][0].number == Event.objects.get().version
said.clear()
Event.objects.update(version=Event.objects.get().version + 1)
data.current(slug), data.current(slug)
assert len([line for line in said if "SELECT" in line.split("(")[0]]) == 1, said
print(len(said))
"""

REPLACED = """
from pathlib import Path
from django.conf import settings
from tournaments.models import Event
from tournaments.public.storage import SqliteVersionReader
file, slug = Path(settings.DATABASES["default"]["NAME"]), Event.objects.get().slug
data = SqliteVersionReader(str(file))
assert data.current(slug) is not None
stamp = data.seen.stamp
(file.parent / "empty.sqlite3").replace(file)
assert data.current(slug) is None
assert data.current(None).number == 0
"""
PUBLISHED = """
from accounts.models import User
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.decklists.services import publish_decklists
by = Actor(user=User.objects.first() or make.user())
event = make.played(by, 4, format="creatures-of-exo", decklists="required")
publish_decklists(event=event, by=by)
print(event.slug)
"""
PLAYING = b">Playing</span>"
HIDE = """
from tournaments.decklists.services import hide_decklists
hide_decklists(event=event, by=by)
"""
ERASE = """
from tournaments.erasing.services.erase import erase_player
from tournaments.players.services.departures import withdraw
entry = event.entries.get(number=3)
withdraw(entry=entry, by=by)
erase_player(event=Event.objects.get(pk=event.pk), number=3, confirm=entry.name, by=by)
"""
HOLD = """
from tournaments.events.services import change_event
change_event(event=event, changes={"standings_held": "all"}, by=by)
"""
DISCARD = """
from tournaments.rounds.services import discard_round
discard_round(event=event, ordinal=2, confirm="Turno 2", by=by)
"""


@pytest.fixture
def played(site: Path) -> tuple[Path, str]:
    """Return a site with an event in its second round, and its slug."""
    return site, running.forked(BEGIN, site)


@pytest.fixture(scope="module")
def served(
    migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[int]]]:
    """Serve a site by two processes that know nothing of each other but the file."""
    site = tmp_path_factory.mktemp("served")
    shutil.copy(migrated / "site.sqlite3", site / "site.sqlite3")
    with ExitStack() as stack:
        yield site, [stack.enter_context(running.waitress(site)) for _ in range(2)]


@pytest.fixture
def two(served: tuple[Path, list[int]]) -> tuple[Path, str, list[int]]:
    """Return the served site, an event of the test's own in its second round, and the ports."""
    site, ports = served
    return site, running.forked(BEGIN, site), ports


def act(site: Path, slug: str, code: str) -> None:
    """Write of an event by a third process."""
    running.forked(f"SLUG = {slug!r}{ACT}{code}", site)


def test_nothing_written_costs_no_query_and_a_write_one(played: tuple[Path, str]) -> None:
    site, _slug = played
    running.forked(VERSIONS, site)


@pytest.mark.deep
def test_what_one_writes_the_other_shows_and_what_is_taken_away_is_gone(
    two: tuple[Path, str, list[int]],
) -> None:
    site, slug, ports = two
    pairings, event = f"/events/{slug}/pairings/", f"/events/{slug}/"
    headers = {"Accept-Language": "en", "Host": "localhost"}

    def told(path: str) -> list[bytes]:
        return [running.ask(port, path, headers=headers).body for port in ports]

    before = kept(site)
    first = told(pairings)
    assert first[0] == first[1]
    assert first[0].count(PLAYING) == 8
    assert len(kept(site) - before) == 1, "rendered once for both"
    act(site, slug, RESULT)
    running.until(lambda: all(each.count(PLAYING) == 7 for each in told(pairings)), seconds=20)
    told(event)
    act(site, slug, DISCARD)
    assert not any(each.count(PLAYING) == 7 for each in told(pairings)), "a round taken back"
    act(site, slug, "Event.objects.filter(pk=event.pk).update(state='draft')")
    for path in (event, pairings, f"/api/v1/events/{slug}/"):
        assert {running.ask(port, path, headers=headers).status for port in ports} == {404}
    assert not any(slug.encode() in each for each in told("/"))


@pytest.mark.deep
def test_names_lists_and_tables_are_gone_in_every_process_at_once(
    two: tuple[Path, str, list[int]],
) -> None:
    site, slug, ports = two
    name = running.forked(
        "from tournaments.models import Entry\n"
        f"print(Entry.objects.get(event__slug={slug!r}, number=3).name)",
        site,
    ).encode()
    told = f"/events/{slug}/players/"

    def bodies(path: str) -> list[bytes]:
        return [running.ask(port, path, headers={"Host": "localhost"}).body for port in ports]

    assert all(name in body for body in bodies(told) + bodies(told))
    act(site, slug, ERASE)
    assert not any(name in body for body in bodies(told))
    assert not any(name in body for body in bodies(f"/api/v1/events/{slug}/players/"))

    table = f"/api/v1/events/{slug}/standings/"
    before = bodies(table)
    assert all(len(points(body)) > 1 for body in before + bodies(table))
    act(site, slug, HOLD)
    assert [points(body) for body in bodies(table)] == [{0}, {0}]

    published = running.forked(PUBLISHED, site)
    at = f"/events/{published}/played/"

    def statuses() -> list[int]:
        return [running.ask(port, at, headers={"Host": "localhost"}).status for port in ports]

    assert statuses() == statuses() == [200, 200]
    act(site, published, HIDE)
    assert statuses() == [404, 404]


def points(body: bytes) -> set[int]:
    """Return the points that a table of the API tells."""
    return {int(found) for found in re.findall(rb'"points": ?"?(\d+)', body)}


def test_a_database_put_in_the_place_of_another_is_noticed(
    played: tuple[Path, str], migrated: Path
) -> None:
    site, _slug = played
    shutil.copy(migrated / "site.sqlite3", site / "empty.sqlite3")
    running.forked(REPLACED, site)


@pytest.mark.deep
def test_a_file_put_in_the_place_of_another_is_shown_at_the_next_request(
    played: tuple[Path, str], tmp_path: Path
) -> None:
    site, slug = played
    file, other = site / "site.sqlite3", tmp_path / "other"
    other.mkdir()
    headers = {"Host": "localhost", "Accept-Language": "en"}
    with running.gunicorn(site, THREADS="2") as port:
        paths = (f"/events/{slug}/pairings/", f"/api/v1/events/{slug}/rounds/2/")
        for _each in range(4):  # each thread has read the file
            assert {running.ask(port, path, headers=headers).status for path in paths} == {200}
        running.forked(
            "from django.db import connection\nconnection.cursor().execute("
            "'PRAGMA wal_checkpoint(TRUNCATE)')",
            site,
        )
        shutil.copy(file, other / "site.sqlite3")
        act(other, slug, DISCARD)
        running.forked(
            "from django.db import connection\nconnection.cursor().execute("
            "'PRAGMA wal_checkpoint(TRUNCATE)')",
            other,
        )
        for name in ("site.sqlite3-wal", "site.sqlite3-shm"):
            (site / name).unlink(missing_ok=True)
        (other / "site.sqlite3").replace(file)
        for _each in range(4):
            assert b"Results missing" not in running.ask(port, paths[0], headers=headers).body
            assert running.ask(port, paths[1], headers=headers).status == 404


@pytest.mark.deep
def test_a_crowd_of_readers_costs_a_rendering_a_second(
    two: tuple[Path, str, list[int]],
) -> None:
    site, slug, ports = two
    path, over = f"/events/{slug}/standings/", threading.Event()

    def reads(port: int) -> set[str]:
        seen, last = set(), False
        while not last:
            last = over.is_set()
            answer = running.ask(port, path, headers={"Host": "localhost"})
            assert answer.status == 200
            seen.add(answer.headers["ETag"])
        return seen

    began = time.monotonic()
    with ThreadPoolExecutor(8) as crowd:
        readers = [crowd.submit(reads, ports[n % 2]) for n in range(8)]
        try:
            act(site, slug, "import time\n" + f"{RESULT}time.sleep(0.2)\n" * 6)
        finally:
            over.set()
    # Both processes together render once a second, counted from the first rendering: as long as
    # all of this took, however slow the machine is, and one more for each end of that time.
    most = time.monotonic() - began + 2
    assert len(set().union(*(reader.result() for reader in readers))) <= most


@pytest.mark.deep
def test_one_setting_turns_it_off(played: tuple[Path, str]) -> None:
    site, slug = played
    with running.waitress(site, FINISHED_PAGES="0") as port:
        answer = running.ask(port, f"/events/{slug}/")
        assert answer.status == 200
        assert "ETag" not in answer.headers
    assert not kept(site)


def kept(site: Path) -> set[Path]:
    """Return the files of the answers that processes share."""
    return set((site / "site.sqlite3.pages").glob("*.djcache"))
