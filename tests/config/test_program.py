"""``girone``: one program that prepares, serves and runs commands, on any system."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from config import data_folder, program, systems
from tests.servers import running

pytestmark = pytest.mark.processes


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Return a data folder with a blank and an accent in its path; the program uses it."""
    folder = tmp_path / "I miei dàti"
    monkeypatch.setenv("GIRONE_DATA", str(folder))
    monkeypatch.setenv("ENV_FILE", "")
    return folder


def girone(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the program with a data folder of its own, until it ends."""
    return subprocess.run(
        [sys.executable, "-m", "config.program", *arguments],
        cwd=running.ROOT,
        env=variables(folder, **more),
        capture_output=True,
        text=True,
    )


def variables(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program with a data folder, and nothing of the tests'."""
    left_out = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "SECRET_KEY", "STATIC_ROOT", "DEBUG"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {"GIRONE_DATA": str(folder), "ENV_FILE": ""} | more


def test_data_lies_where_it_is_told_else_beside_a_checkout_else_with_the_user(own, monkeypatch):
    assert data_folder.data_folder() == own
    monkeypatch.delenv("GIRONE_DATA")
    assert data_folder.data_folder() == running.ROOT
    monkeypatch.setattr(data_folder, "is_checkout", lambda: False)
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert data_folder.data_folder() == Path("/elsewhere/girone")


def test_where_tells_version_data_and_log(own, capsys):
    assert program.main(["where"]) == 0
    told = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert told["Data"] == str(own)
    assert told["Database"] == str(own / "db.sqlite3")
    assert told["Version"] == program.VERSION


def test_data_is_moved_with_its_key_and_named(own, tmp_path, capsys):
    own.mkdir()
    for name in ("db.sqlite3", "db.sqlite3-wal", ".secret-key", "girone.log"):
        (own / name).write_text(name)
    target = tmp_path / "usb"
    assert program.main(["move-data", str(target)]) == 0
    assert {each.name for each in target.iterdir()} == {
        "db.sqlite3",
        "db.sqlite3-wal",
        ".secret-key",
    }
    told = capsys.readouterr().out
    assert ".secret-key" in told
    assert f"GIRONE_DATA={target}" in told
    (own / "db.sqlite3").write_text("other")
    assert program.main(["move-data", str(target)]) == 1
    assert "holds db.sqlite3 already" in capsys.readouterr().err
    assert (target / "db.sqlite3").read_text() == "db.sqlite3"


def test_data_of_a_running_site_stays(own, tmp_path, capsys):
    own.mkdir()
    (own / "db.sqlite3").write_text("")
    with FileLock(program.Running(own).lock):
        assert program.main(["move-data", str(tmp_path / "usb")]) == 1
    assert "Stop it first" in capsys.readouterr().err
    assert (own / "db.sqlite3").exists()


def test_a_port_in_use_is_named_and_the_next_one_taken(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert port < program.free_port(port) < port + program.PORTS
    assert f"Port {port} is in use by another program." in capsys.readouterr().out


def test_no_free_port_is_a_sentence(monkeypatch):
    monkeypatch.setattr(systems, "can_bind", lambda *_place: False)
    monkeypatch.setattr(program, "answers", lambda _url: False)
    with pytest.raises(program.ProgramError, match="8000 to 8019 are in use"):
        program.free_port(8000)


def test_a_folder_that_nobody_may_write_is_a_sentence(own, capsys):
    own.write_text("a file, not a folder")
    assert program.main([]) == 1
    said = capsys.readouterr().err
    assert str(own) in said
    assert "GIRONE_DATA" in said


def test_a_wrong_env_file_is_a_sentence(own, monkeypatch, capsys):
    monkeypatch.delenv("ENV_FILE")
    own.mkdir()
    (own / ".env").write_text("no value\n")
    assert program.main([]) == 1
    assert "Line 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("platform", "display", "opens"),
    [("linux", "", False), ("linux", ":0", True), ("win32", "", True), ("darwin", "", True)],
)
def test_a_browser_is_opened_where_somebody_sits(monkeypatch, platform, display, opens):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert systems.has_screen() is opens


def test_commands_of_the_site_are_its_own(own):
    done = girone(own, "version")
    assert done.returncode == 0, done.stderr
    assert program.VERSION in done.stdout
    assert girone(own, "no-such-command").returncode != 0


def test_it_serves_and_a_second_start_opens_the_first(own, tmp_path):
    log, port = tmp_path / "log", running.free_port()
    command = [sys.executable, "-m", "config.program", "--port", str(port), "--no-browser"]
    with running.program(command, log, cwd=running.ROOT, env=variables(own)):
        running.until(lambda: running.answers(port), seconds=150, why="the site was not served")
        link = f"http://127.0.0.1:{port}/accounts/first/"
        assert link in log.read_text()  # its organiser makes an account
        assert json.loads((own / ".girone.json").read_text())["url"] == f"http://127.0.0.1:{port}/"
        second = girone(own, "--no-browser")
        assert second.returncode == 0, second.stderr
        assert f"http://127.0.0.1:{port}/" in second.stdout
    assert {"db.sqlite3", ".secret-key", "staticfiles"} <= {each.name for each in own.iterdir()}
