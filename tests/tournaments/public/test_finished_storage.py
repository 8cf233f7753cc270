"""Where finished answers are kept: faults, damage, locks, and how much memory."""

import os
import pickle
import sqlite3
import time
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from config.pages import KEPT_FOR, PageFiles
from tests.front import ask, shared
from tests.tournaments.public.test_finished_rules import Scene
from tournaments.public.storage import LONGEST_RENDERING, CachedAnswer, Memory, Shared

LATER = pickle.dumps(4e9)
"""How a file of Django's cache begins: when it expires."""


class Broken(Shared):
    """A storage on a full disk, or one that can't be read."""

    def __init__(self, *, reads: bool) -> None:
        self.reads = reads

    def get(self, key: str) -> CachedAnswer | None:
        if not self.reads:
            raise PermissionError(13, "unreadable")
        return None

    def put(self, key: str, kept: CachedAnswer) -> None:
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


def in_files(folder: Path) -> Shared:
    return Shared(PageFiles(str(folder), {}), folder)


def test_a_damaged_entry_is_none_and_made_anew(tmp_path: Path) -> None:
    scene = Scene()
    scene.shared = in_files(tmp_path / "pages")
    assert ask(scene.process())[2] == b"answer 1"
    (file,) = (tmp_path / "pages").glob("*.djcache")
    whole = file.read_bytes()
    assert ask(scene.process())[2] == b"answer 1"
    damaged = [
        *(whole[:-40], b"", b"\x80\x7f", b"half a page", LATER, LATER + b"x"),
        *(LATER + zlib.compress(inside) for inside in (b"", b"\x80\x7f", b"cno\nthing\n.")),
        LATER + zlib.compress(pickle.dumps({"no": "answer"})),
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
    PageFiles(str(nowhere), {}).clear()


def test_no_folder_is_made_before_there_is_an_answer(tmp_path: Path) -> None:
    PageFiles(str(tmp_path / "pages"), {}).clear()
    assert not (tmp_path / "pages").exists()


def test_files_that_expired_are_deleted_by_the_next_answer(tmp_path: Path) -> None:
    pages = PageFiles(str(tmp_path), {})
    pages.set("old", "Anna Rossi", KEPT_FOR)
    with in_files(tmp_path).turn("a"):
        (tmp_path / "tmp-half").write_text("Anna Rossi")  # of a process that was killed
    for file in tmp_path.iterdir():
        os.utime(file, (time.time() - KEPT_FOR - 1,) * 2)
    pages.set("new", "Player 7", KEPT_FOR)
    assert len(list(tmp_path.iterdir())) == 4, "not at each answer"
    PageFiles(str(tmp_path), {}).set("newest", "Player 7", KEPT_FOR)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == ["", ".djcache", ".djcache"]
    assert pages.get("new") == "Player 7"


def test_locks_hold_between_threads_and_are_free_afterwards(tmp_path: Any) -> None:
    files = Shared(shared().cache, tmp_path)
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
