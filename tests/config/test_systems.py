"""What differs between systems, each taken away as another system lacks it."""

import importlib.metadata
import io
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.core.cache.backends.filebased import FileBasedCache

from config import alive, database_file, pages, server, systems, venue
from config.env import secret_key
from tests.servers import running
from tournaments.arrivals import photo_reader, photos
from tournaments.core import clocks


@pytest.fixture
def windows(monkeypatch, tmp_path):
    """Take away what Windows lacks: modes, limits, /proc, links, the clock of Linux."""
    monkeypatch.setattr(systems, "HAS_MODES", False)
    monkeypatch.setattr(systems, "resource", None)
    monkeypatch.setattr(systems, "PROC", tmp_path / "no proc")
    monkeypatch.setattr(systems, "AWAKE", None)
    monkeypatch.setattr(systems, "PAUSE", 0.01)
    monkeypatch.delattr(os, "link")
    monkeypatch.setattr(os, "fsync", lambda _handle: None)
    usual = os.open

    def opened(path, flags, mode=0o777, **more):
        if Path(path).is_dir():
            raise PermissionError(13, "a folder can't be opened")
        return usual(path, flags, **more)  # a mode has no effect

    monkeypatch.setattr(os, "open", opened)


def held_open(monkeypatch, file: Path, times: int) -> list[Path]:
    """Refuse the first moves onto a file, as Windows does while somebody reads it."""
    refused: list[Path] = []
    usual = Path.replace

    def replace(self, target):
        if Path(target) == file and len(refused) < times:
            refused.append(self)
            raise PermissionError(13, "used by another process")
        return usual(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    return refused


def test_a_file_that_is_read_is_replaced_as_soon_as_it_is_closed(windows, monkeypatch, tmp_path):
    draft, file = tmp_path / "draft", tmp_path / "file"
    draft.write_text("new")
    file.write_text("old")
    refused = held_open(monkeypatch, file, 5)
    systems.replace_file(draft, file)
    assert (file.read_text(), len(refused)) == ("new", 5)


@pytest.mark.deep
def test_a_file_that_stays_open_is_an_error_and_the_old_one_stays(windows, monkeypatch, tmp_path):
    draft, file = tmp_path / "draft", tmp_path / "file"
    draft.write_text("new")
    file.write_text("old")
    held_open(monkeypatch, file, 1_000)
    with pytest.raises(PermissionError):
        systems.replace_file(draft, file)
    assert file.read_text() == "old"


def test_a_folder_nobody_may_write_is_refused_at_once_where_modes_exist(monkeypatch, tmp_path):
    (tmp_path / "draft").write_text("new")
    refused = held_open(monkeypatch, tmp_path / "file", 1_000)
    with pytest.raises(PermissionError):
        systems.replace_file(tmp_path / "draft", tmp_path / "file")
    assert len(refused) == 1


def test_a_new_file_is_its_owners_and_holds_the_bytes_as_they_are(tmp_path):
    file = tmp_path / "key"
    with systems.create_file(file) as opened:
        opened.write(b"one\ntwo")
    assert file.read_bytes() == b"one\ntwo"
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        systems.create_file(file)


def test_the_site_writes_all_its_files_as_windows_lets_it(windows, monkeypatch, settings, tmp_path):
    key = secret_key("NO_SUCH_KEY", kept_in=tmp_path / ".secret-key", may_create=True)
    assert len(key) > 50
    settings.ALIVE_FILE = str(tmp_path / "site.alive")
    refused = held_open(monkeypatch, tmp_path / "site.alive", 2)
    monkeypatch.setattr(alive, "EVERY", 3_600)
    alive.start_heartbeat()
    assert len(refused) == 2
    assert alive.read_heartbeat().at > time.time() - 60
    made = venue.ensure_certificate(tmp_path / "tls", "192.168.1.20")
    assert made.key.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----\n")
    new, file = tmp_path / "new", tmp_path / "site.sqlite3"
    new.write_text("new")
    file.write_text("old")
    assert database_file.replace_database(new, file, tmp_path / "aside")
    assert (file.read_text(), (tmp_path / "aside").read_text()) == ("new", "old")
    assert database_file.processes_using(file) == []


def test_finished_pages_are_kept_while_others_read_them(windows, monkeypatch, tmp_path):
    kept = pages.PageFileCache(str(tmp_path / "pages"), {})
    kept.set("key", "first", 60)
    (file,) = kept.folder.iterdir()
    refused = held_open(monkeypatch, file, 3)
    kept.set("key", "second", 60)
    assert (kept.get("key"), len(refused)) == ("second", 3)
    assert list(kept.folder.iterdir()) == [file]  # no draft is left

    def in_use(*_file):
        raise PermissionError(13, "used by another process")

    with monkeypatch.context() as busy:
        busy.setattr(FileBasedCache, "_delete", in_use)
        busy.setattr(Path, "unlink", in_use)
        kept.set("late", "third", -1)
        assert kept.get("late") is None
        kept.sweep(time.time() + 60)
        kept.clear()
    assert file.exists()
    kept.clear()
    assert not file.exists()


def test_a_place_without_limits_lets_500_connections_in(windows):
    options = server.waitress_options(threads=8, largest_body=64, proxies=0)
    assert options["connection_limit"] == systems.SELECTED == 500


def test_a_system_that_refuses_a_higher_limit_keeps_its_own(monkeypatch):
    class Limits:
        RLIMIT_NOFILE, RLIM_INFINITY = 7, -1

        @staticmethod
        def getrlimit(_kind):
            return 256, Limits.RLIM_INFINITY

        @staticmethod
        def setrlimit(_kind, _limits):
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(systems, "resource", Limits)
    assert systems.raise_open_file_limit(10_256) == 256
    assert server.raise_connection_limit(10_000) == 128


def test_clocks_count_by_the_time_of_day_where_no_boot_is_numbered(windows):
    clocks.boot_id.cache_clear()
    try:
        assert clocks.current_moment().machine == ""
    finally:
        clocks.boot_id.cache_clear()
    before = systems.monotonic_seconds()
    assert systems.monotonic_seconds() >= before


@pytest.mark.parametrize(
    ("code", "killed"), [(0, False), (1, False), (-9, True), (0xC000_0005, True)]
)
def test_a_reader_that_was_ended_by_the_system_says_so(monkeypatch, code, killed):
    done = subprocess.CompletedProcess([], code, stdout=b"{}")
    monkeypatch.setattr(photos.subprocess, "run", lambda *_all, **_more: done)
    refused = photos._read_in_process(b"")[1]
    assert refused == ("photo_too_large" if killed else "no_photo" if code else "")


def test_a_photo_is_read_where_a_process_has_no_limits(monkeypatch):
    monkeypatch.setattr(photo_reader, "resource", None)
    monkeypatch.delattr(os, "nice")
    empty = io.TextIOWrapper(io.BytesIO(b"no photo"))
    monkeypatch.setattr(sys, "stdin", empty)
    assert photo_reader.main() == {"refused": "no_photo"}


def test_a_console_without_a_letter_prints_a_question_mark():
    printed = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    systems.replace_unencodable_characters(printed, None)
    printed.write("Nicolò → ▄")
    printed.flush()
    assert printed.buffer.getvalue() == "Nicolò ? ?".encode("cp1252")


@pytest.mark.parametrize(
    ("name", "safe"),
    [("con", "con_"), ("LPT1", "LPT1_"), ("nul.pdf", "nul.pdf_"), ("con-2026", "con-2026")],
)
def test_no_folder_is_called_like_a_device(name, safe):
    assert systems.portable_file_name(name) == safe


def test_who_holds_a_port_is_named_on_linux():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        command = [
            sys.executable,
            "-c",
            f"from config.systems import program_on_port\nprint(program_on_port({port}))",
        ]
        told = subprocess.run(command, cwd=running.ROOT, capture_output=True, text=True).stdout
        assert f"({os.getpid()})" in told
        assert systems.can_bind("127.0.0.1", port) is False


def test_nobody_is_named_without_proc(windows):
    assert systems.program_on_port(80) == ""


def test_time_zones_come_with_the_program_on_windows():
    needed = importlib.metadata.requires("Django") or []
    assert any("tzdata" in line and "win32" in line for line in needed)


def test_threads_that_write_one_file_leave_it_whole(tmp_path):
    file = tmp_path / "file"

    def write(number: int) -> None:
        for _turn in range(50):
            draft = tmp_path / f"draft{number}"
            draft.write_text(str(number) * 1_000)
            systems.replace_file(draft, file)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(set(file.read_text())) == 1
