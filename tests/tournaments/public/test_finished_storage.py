"""Where finished answers are kept: faults, damage, locks, and how much memory."""

import sqlite3
from typing import Any

import pytest

from tests.front import ask, shared
from tests.tournaments.public.test_finished_rules import Scene
from tournaments.public.storage import Kept, Memory, Shared


class Broken(Shared):
    """A storage on a full disk, or one that can't be read."""

    def __init__(self, *, reads: bool) -> None:
        self.reads = reads

    def get(self, key: str) -> Kept | None:
        if not self.reads:
            raise PermissionError(13, "unreadable")
        return None

    def put(self, key: str, kept: Kept) -> None:
        raise OSError(28, "No space left on device")

    turn = shared().turn


@pytest.mark.usefixtures("quiet")
def test_a_fault_of_storage_or_database_leaves_the_request_to_django() -> None:
    scene = Scene()
    scene.looks.fault = sqlite3.OperationalError("unable to open database file")
    assert scene.body() == b"by django"
    scene = Scene()
    scene.shared = Broken(reads=False)
    assert ask(scene.process())[2] == b"by django"
    scene.shared = Broken(reads=True)
    front = scene.process()
    assert [ask(front)[2] for _ in range(3)] == [b"answer 1"] * 3, "the process has it itself"


def test_a_damaged_entry_is_none(tmp_path: Any) -> None:
    from django.core.cache.backends.filebased import FileBasedCache

    scene = Scene()
    scene.shared = Shared(FileBasedCache(str(tmp_path), {}), tmp_path)
    assert ask(scene.process())[2] == b"answer 1"
    (file,) = tmp_path.glob("*.djcache")
    assert ask(scene.process())[2] == b"answer 1"
    file.write_bytes(file.read_bytes()[:-40])
    assert ask(scene.process())[2] == b"answer 2"
    assert oct(tmp_path.stat().st_mode)[-2:] == "00"


def test_locks_hold_between_threads_and_are_free_afterwards(tmp_path: Any) -> None:
    files = Shared(shared().cache, tmp_path)
    for kind in (files, shared()):
        with kind.turn("a") as ours:
            assert ours
            with kind.turn("a") as again:
                assert not again
        with kind.turn("a") as ours:
            assert ours


def test_memory_is_bounded_by_bytes_and_drops_what_was_used_longest_ago() -> None:
    scene = Scene()
    scene.body()
    (kept,) = scene.front.memory._kept.values()
    memory = Memory(most=10_000)
    for number in range(4):
        memory.put(str(number), kept)
        assert memory.get("0") is kept
    memory.put("4", kept)
    assert memory.get("0") is kept
    assert memory.get("1") is None
    assert memory.size <= 10_000
    memory.put("4", kept)
    assert len(memory) == 4
