"""Finished pages of real processes on one file: shared, fresh, and gone when they must be."""

import shutil
import threading
import time
from collections.abc import Iterator
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
from tournaments.rounds.services import take_back_round
event = Event.objects.get(slug=SLUG)
by = Actor(user=event.created_by)
"""
RESULT = """
match = event.rounds.last().matches.exclude(state="final").first()
decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)
"""
LOOKS = """
import sys
from tournaments.public.looks import SqliteLooks
from django.conf import settings
from tournaments.models import Event
slug = Event.objects.get().slug
looks, said = SqliteLooks(str(settings.DATABASES["default"]["NAME"])), []
looks.look(slug), looks.look(None), looks.look("nowhere")
looks.seen.source.set_trace_callback(said.append)
found = [looks.look(slug) for _ in range(10)], looks.look(None), looks.look("nowhere")
assert set(said) == {"PRAGMA data_version"}, said
assert found[2] is None and found[0][0].number == Event.objects.get().version
said.clear()
Event.objects.update(version=Event.objects.get().version + 1)
looks.look(slug), looks.look(slug)
assert len([line for line in said if "SELECT" in line.split("(")[0]]) == 1, said
print(len(said))
"""

REPLACED = """
from pathlib import Path
from django.conf import settings
from tournaments.models import Event
from tournaments.public.looks import SqliteLooks
file, slug = Path(settings.DATABASES["default"]["NAME"]), Event.objects.get().slug
looks = SqliteLooks(str(file))
assert looks.look(slug) is not None
stamp = looks.seen.stamp
(file.parent / "empty.sqlite3").replace(file)
assert looks.look(slug) is None
assert looks.look(None).number == 0
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
    running.forked(LOOKS, site)


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
    assert b"Results missing: 8" in first[0]
    assert len(kept(site) - before) == 1, "rendered once for both"
    act(site, slug, RESULT)
    running.until(lambda: all(b"Results missing: 7" in each for each in told(pairings)), seconds=20)
    told(event)
    act(site, slug, DISCARD)
    assert not any(b"Results missing: 7" in each for each in told(pairings)), "a round taken back"
    act(site, slug, "Event.objects.filter(pk=event.pk).update(state='draft')")
    for path in (event, pairings, f"/api/v1/events/{slug}/"):
        assert {running.ask(port, path, headers=headers).status for port in ports} == {404}
    assert not any(slug.encode() in each for each in told("/"))


def test_a_database_put_in_the_place_of_another_is_noticed(
    played: tuple[Path, str], migrated: Path
) -> None:
    site, _slug = played
    shutil.copy(migrated / "site.sqlite3", site / "empty.sqlite3")
    running.forked(REPLACED, site)


def test_a_crowd_of_readers_costs_a_rendering_a_second(
    two: tuple[Path, str, list[int]],
) -> None:
    site, slug, ports = two
    path, over, seen = f"/events/{slug}/standings/", threading.Event(), set()

    def reads(port: int) -> None:
        while not over.is_set():
            answer = running.ask(port, path, headers={"Host": "localhost"})
            assert answer.status == 200
            seen.add(answer.headers["ETag"])

    readers = [threading.Thread(target=reads, args=(ports[n % 2],)) for n in range(8)]
    began = time.monotonic()
    for reader in readers:
        reader.start()
    act(site, slug, "import time\n" + f"{RESULT}time.sleep(0.2)\n" * 6)
    over.set()
    for reader in readers:
        reader.join(60)
    # a second may be over just after the first answer: one more than seconds have begun
    assert 1 <= len(seen) <= time.monotonic() - began + 2


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
