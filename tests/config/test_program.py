"""``girone``: one program that prepares, serves and runs commands, on any system."""

import ctypes
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from filelock import FileLock

from config import data_folder, env, program, systems, terminal
from tests.servers import running

pytestmark = pytest.mark.processes


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Return a data folder with a blank and an accent in its path; the program uses it."""
    folder = tmp_path / "I miei dàti"
    monkeypatch.setenv("GIRONE_DATA", str(folder))
    monkeypatch.setenv("ENV_FILE", "")
    return folder


@pytest.fixture(params=["named", "checkout"])
def data(request, tmp_path, monkeypatch):
    """Return a folder of data: one that GIRONE_DATA names, and the folder of a repository."""
    folder = tmp_path / "Läden & dàti"
    monkeypatch.delenv("ENV_FILE", raising=False)
    if request.param == "named":
        monkeypatch.setenv("GIRONE_DATA", str(folder))
        return folder
    monkeypatch.delenv("GIRONE_DATA", raising=False)
    monkeypatch.setattr(data_folder, "PROGRAM", folder)
    monkeypatch.setattr(program, "is_checkout", lambda: True)
    folder.mkdir()
    (folder / "manage.py").write_text("")
    return folder


def girone(
    folder: Path, *arguments: str, program: Path = running.ROOT, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a copy of the program with a data folder of its own, until it ends."""
    return subprocess.run(
        [sys.executable, "-m", "config.program", *arguments],
        cwd=program,
        env=variables(folder, **more),
        capture_output=True,
        text=True,
    )


def variables(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program with a data folder, and nothing of the tests'."""
    left_out = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "SECRET_KEY", "STATIC_ROOT", "DEBUG"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {"GIRONE_DATA": str(folder), "ENV_FILE": ""} | more


def test_data_lies_where_it_is_told_else_beside_a_checkout_else_with_the_user(
    own, tmp_path, monkeypatch
):
    assert data_folder.data_folder() == own
    monkeypatch.delenv("GIRONE_DATA")
    assert data_folder.data_folder() == running.ROOT
    monkeypatch.setattr(data_folder, "PROGRAM", tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert data_folder.data_folder() == Path("/elsewhere/girone")
    (tmp_path / "db.sqlite3").write_text("")
    assert data_folder.data_folder() == tmp_path  # data beside the program stays in use


def test_a_folder_to_double_click_runs_its_commands_itself(monkeypatch):
    assert data_folder.site_command()[1:] == (str(running.ROOT / "manage.py"),)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert data_folder.site_command() == (sys.executable,)


def test_where_tells_version_data_and_log(own, capsys):
    assert program.main(["where"]) == 0
    told = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert told["Data"] == str(own)
    assert told["Database"] == str(own / "db.sqlite3")
    assert told["Version"] == program.VERSION


def test_data_is_moved_with_its_key_and_named(own, tmp_path, capsys):
    own.mkdir()
    copy = "db.sqlite3.20260101-000000-000000-version-0.9.0"
    for name in ("db.sqlite3", "db.sqlite3-wal", copy, ".secret-key", "girone.log"):
        (own / name).write_text(name)
    (own / "certificate").mkdir(mode=0o700)
    (own / "certificate" / "key.pem").write_text("private")
    (own / ".secret-key").chmod(0o600)
    target = tmp_path / "usb"
    assert program.main(["move-data", str(target)]) == 0
    moved = {"db.sqlite3", "db.sqlite3-wal", copy, ".secret-key", "certificate"}
    assert {each.name for each in target.iterdir()} == moved
    assert {each.name for each in own.iterdir()} == {"girone.log", ".girone.lock"}
    assert (target / "certificate" / "key.pem").read_text() == "private"
    assert stat.S_IMODE((target / ".secret-key").stat().st_mode) == 0o600
    told = capsys.readouterr().out
    assert all(name in told for name in moved)
    assert f"GIRONE_DATA={target}" in told
    (own / "db.sqlite3").write_text("other")
    assert program.main(["move-data", str(target)]) == 1
    assert "holds db.sqlite3 already" in capsys.readouterr().err
    assert (target / "db.sqlite3").read_text() == "db.sqlite3"


def test_data_of_a_running_site_stays(own, tmp_path, capsys):
    own.mkdir()
    (own / "db.sqlite3").write_text("")
    with FileLock(program.ServerLock(own).lock):
        assert program.main(["move-data", str(tmp_path / "usb")]) == 1
    assert "Stop it first" in capsys.readouterr().err
    assert (own / "db.sqlite3").exists()


def test_a_moved_database_keeps_its_key(own, tmp_path):
    own.mkdir()
    key = env.secret_key("NO_KEY", kept_in=own / ".secret-key", may_create=True)
    (own / "db.sqlite3").write_text("")
    assert program.main(["move-data", str(tmp_path / "usb")]) == 0
    kept_in = tmp_path / "usb" / ".secret-key"
    assert env.secret_key("NO_KEY", kept_in=kept_in, may_create=True) == key


def test_a_database_without_its_key_is_told(own, monkeypatch, capsys):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setattr(program.terminal, "set_up_django", lambda: None)
    monkeypatch.setattr(program, "call_command", lambda *_words, **_options: None)
    own.mkdir()
    program.prepare_site(demo=False, hall=False)
    assert "key" not in capsys.readouterr().out
    (own / "db.sqlite3").write_text("")
    program.prepare_site(demo=False, hall=False)
    assert "Put .secret-key next to it" in capsys.readouterr().out
    (own / ".secret-key").write_text("kept")
    program.prepare_site(demo=False, hall=False)
    assert capsys.readouterr().out == ""


def test_a_stick_without_modes_takes_the_data(own, tmp_path, monkeypatch):
    def refuse(*_to, **_options):
        raise PermissionError(1, "Operation not permitted")

    own.mkdir()
    (own / ".secret-key").write_text("key")
    monkeypatch.setattr(shutil, "copymode", refuse)
    assert program.main(["move-data", str(tmp_path / "usb")]) == 0
    assert (tmp_path / "usb" / ".secret-key").read_text() == "key"
    assert not (own / ".secret-key").exists()


def test_nothing_is_moved_where_the_disk_is_full(own, tmp_path, monkeypatch, capsys):
    def fill(old, new):
        if "db.sqlite3" in old.name:
            raise OSError(28, "No space left on device")
        new.write(old.read())

    own.mkdir()
    for name in (".secret-key", "db.sqlite3"):
        (own / name).write_text(name)
    monkeypatch.setattr(shutil, "copyfileobj", fill)
    assert program.main(["move-data", str(tmp_path / "usb")]) == 1
    assert (
        f"Can’t write to the folder {tmp_path / 'usb'}: No space left on device"
        in capsys.readouterr().err
    )
    assert list((tmp_path / "usb").iterdir()) == []
    assert (own / "db.sqlite3").read_text() == "db.sqlite3"


def test_a_file_is_no_folder_to_move_to_and_nothing_is_nothing_to_move(own, tmp_path, capsys):
    assert program.main(["move-data", str(tmp_path / "usb")]) == 1
    assert "no data to move" in capsys.readouterr().err
    own.mkdir()
    assert program.main(["move-data", str(tmp_path / "usb")]) == 1
    assert "no data to move" in capsys.readouterr().err
    (own / "db.sqlite3").write_text("")
    (tmp_path / "file").write_text("")
    assert program.main(["move-data", str(tmp_path / "file")]) == 1
    assert "Can’t write to the folder" in capsys.readouterr().err


def test_a_database_elsewhere_is_said_to_stay(own, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("ENV_FILE")
    monkeypatch.setenv("DATABASE_URL", "")  # put back to what it was
    monkeypatch.delenv("DATABASE_URL")
    own.mkdir()
    (own / ".env").write_text("DATABASE_URL=postgres://girone@localhost/girone\n")
    assert program.main(["move-data", str(tmp_path / "usb")]) == 0
    assert "The database stays" in capsys.readouterr().out


@pytest.mark.deep
def test_a_port_in_use_is_named_and_the_next_one_taken(capsys):
    code = "import socket, sys; one = socket.create_server(('127.0.0.1', 0));"
    code += "print(one.getsockname()[1], flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        port = int(one.stdout.readline())
        assert port < program.find_free_port(port) < port + systems.PORTS
        assert f"({one.pid})" in capsys.readouterr().out  # Linux tells whose it is
        with pytest.MonkeyPatch.context() as elsewhere:
            elsewhere.setattr(systems, "PROC", Path("/nowhere"))
            program.find_free_port(port)
        assert f"Port {port} is in use (?)." in capsys.readouterr().out
        one.communicate()


def test_no_free_port_is_a_sentence(monkeypatch):
    monkeypatch.setattr(systems, "can_bind", lambda *_place: False)
    monkeypatch.setattr(program, "is_answering", lambda _url: False)
    with pytest.raises(program.ProgramError, match="8000 to 8019 are in use"):
        program.find_free_port(8000)


def test_a_file_in_the_place_of_the_folder_is_a_sentence(own, capsys):
    own.write_text("a file, not a folder")
    assert program.main([]) == 1
    said = capsys.readouterr().err
    assert str(own) in said
    assert "GIRONE_DATA" in said


def test_a_folder_that_nobody_may_write_is_a_sentence(data, monkeypatch, capsys):
    def refuse(**_place):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(program.tempfile, "TemporaryFile", refuse)
    for command in ([], ["hall", "127.0.0.1"], ["verify", "--all"]):
        assert program.main(command) == 1
        said = capsys.readouterr().err
        assert f"Can’t write to the folder {data}: Permission denied." in said
        assert "GIRONE_DATA" in said


def test_a_wrong_env_file_is_a_sentence(data, capsys):
    data.mkdir(exist_ok=True)
    (data / ".env").write_text("no value\n")
    for command in ([], ["serve"], ["backup", "x"], ["where"], ["move-data", "elsewhere"]):
        assert program.main(command) == 1
        said = capsys.readouterr().err
        assert f"Line 1 of {data / '.env'} must be NAME=value" in said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("TIME_ZONE=Mars", "like this: Europe/Rome"),
        ("DATABASE_URL=sqlite:////nowhere/x.sqlite3", "Check DATABASE_URL"),
    ],
)
@pytest.mark.parametrize("kind", ["named", "checkout"])
@pytest.mark.deep
def test_a_wrong_value_is_a_sentence(tmp_path, repository, kind, line, said):
    folder = repository if kind == "checkout" else tmp_path
    file = folder / ".env"
    file.write_text(line)
    try:
        named = "" if kind == "checkout" else str(folder)
        done = girone(
            folder, "verify", "--all", program=repository, GIRONE_DATA=named, ENV_FILE=".env"
        )
    finally:
        file.unlink()
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def _italian(monkeypatch):
    """Let the terminal be in Italian."""
    monkeypatch.setenv("LANGUAGE", "it_IT:it")


@pytest.mark.usefixtures("_italian")
def test_bad_input_is_told_in_the_language_of_the_terminal(own, monkeypatch, capsys):
    monkeypatch.setattr(program, "is_answering", lambda _url: True)
    monkeypatch.setattr(systems, "can_bind", lambda _address, port: port > 8000)
    assert program.find_free_port(8000) == 8001
    assert "La porta 8000 è occupata (Girone)." in capsys.readouterr().out
    monkeypatch.setattr(systems, "can_bind", lambda *_place: False)
    assert program.main([]) == 1
    assert "Le porte da 8000 a 8019 sono occupate." in capsys.readouterr().err
    (own / ".girone.json").write_text(json.dumps({"url": "http://127.0.0.1:8003/"}))
    with FileLock(program.ServerLock(own).lock):
        assert program.main(["--no-browser"]) == 0
    assert "Girone è già in esecuzione con questi dati: http" in capsys.readouterr().out
    assert program.main(["hall", "192.168"]) == 1
    assert "Scrivi un indirizzo come 192.168.1.20." in capsys.readouterr().err
    monkeypatch.setenv("ENV_FILE", ".env")
    (own / ".env").write_text("no value\n")
    assert program.main([]) == 1
    assert "La riga 1 di" in capsys.readouterr().err
    monkeypatch.setenv("GIRONE_DATA", str(own / ".env"))
    assert program.main([]) == 1
    assert "Non si può scrivere nella cartella" in capsys.readouterr().err


@pytest.mark.deep
@pytest.mark.parametrize(
    ("language", "said"), [("it", "una versione più recente"), ("C", "by a newer version")]
)
def test_newer_data_is_refused_in_the_language_of_the_terminal(own, language, said):
    own.mkdir()
    with closing(sqlite3.connect(own / "db.sqlite3")) as newer:
        newer.execute("PRAGMA user_version = 99000000")
    for command in (["--no-browser"], ["hall", "127.0.0.1"]):
        done = girone(own, *command, LANGUAGE="", LC_ALL=language)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("variables", "number", "language"),
    [
        ({"LANG": "it_IT.UTF-8"}, 0, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "en_GB.UTF-8"}, 0, "en"),
        ({"LANG": "C.UTF-8"}, 0x410, "en"),
        ({"LANG": "de_DE.UTF-8"}, 0x410, "en"),
        ({}, 0, "en"),
        ({}, 0x410, "it"),  # Windows has a number for each
    ],
)
def test_the_language_is_that_of_variables_or_of_windows(monkeypatch, variables, number, language):
    for name in systems.LANGUAGES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    if number:
        kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
        windll = SimpleNamespace(kernel32=kernel)
        monkeypatch.setattr(ctypes, "windll", windll, raising=False)
    assert terminal.terminal_language() == language


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Return a copy of the program, as a repository, in a path with blanks and umlauts."""
    copied = tmp_path_factory.mktemp("Läden") / "Il mio torneo (più bello)"
    copied.mkdir()
    for name in ("accounts", "config", "decks", "locale", "rules", "templates", "tournaments"):
        shutil.copytree(
            running.ROOT / name, copied / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("manage.py", "CHANGELOG.md"):
        shutil.copy(running.ROOT / name, copied)
    return copied


@pytest.mark.deep
def test_a_repository_in_a_path_with_umlauts_serves_once_and_opens_the_first(repository, tmp_path):
    log, port = tmp_path / "log", running.free_port()
    command = [sys.executable, "-m", "config.program", "--no-browser", "--demo"]
    env = variables(repository, GIRONE_DATA="", PORT=str(port))
    with running.program(command, log, cwd=repository, env=env):
        running.until(lambda: running.answers(port), seconds=150, why="the site was not served")
        second = girone(repository, "--no-browser", program=repository, GIRONE_DATA="")
        assert (second.returncode, second.stderr) == (0, "")
        assert f"http://127.0.0.1:{port}/" in second.stdout
        assert running.ask(port, "/").status == 200
    assert (repository / "db.sqlite3").exists()


def test_a_start_beside_one_that_has_just_begun_waits_for_its_address(own, monkeypatch, capsys):
    own.mkdir()
    opened: list[str] = []
    monkeypatch.setattr(program.webbrowser, "open", opened.append)
    monkeypatch.setattr(systems, "has_desktop", lambda: True)
    monkeypatch.setattr(program, "is_answering", lambda url: bool(url))

    def note(_seconds):
        (own / ".girone.json").write_text(json.dumps({"url": "http://127.0.0.1:8003/"}))

    monkeypatch.setattr(program.time, "sleep", note)
    with FileLock(program.ServerLock(own).lock):
        assert program.main([]) == 0
    assert opened == ["http://127.0.0.1:8003/"]
    assert "already running with this data: http://127.0.0.1:8003/" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("platform", "display", "opens"),
    [("linux", "", False), ("linux", ":0", True), ("win32", "", True), ("darwin", "", True)],
)
def test_a_browser_is_opened_where_somebody_sits(monkeypatch, platform, display, opens):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert systems.has_desktop() is opens


@pytest.mark.deep
def test_commands_of_the_site_are_its_own(own):
    done = girone(own, "version")
    assert done.returncode == 0, done.stderr
    assert program.VERSION in done.stdout
    assert girone(own, "no-such-command").returncode != 0
    assert "usage: girone check_deck" in girone(own, "check-deck", "--help").stdout


def test_links_of_commands_lead_to_the_port_that_is_served(own, monkeypatch):
    own.mkdir()
    (own / ".girone.json").write_text(json.dumps({"url": "http://127.0.0.1:8003/"}))
    monkeypatch.setenv("PORT", "8000")  # put back to what it was
    monkeypatch.setattr(program.terminal, "set_up_django", lambda: None)
    monkeypatch.setattr(program, "run_management_command", lambda *_command: None)
    assert program.main(["password-link", "organiser@girone.local"]) == 0
    assert os.environ["PORT"] == "8003"
    (own / ".girone.json").write_text("half of")
    assert program.ServerLock(own).url() == ""


@pytest.mark.deep
def test_it_serves_and_a_second_start_opens_the_first(own, tmp_path):
    log, port = tmp_path / "log", running.free_port()
    command = [sys.executable, "-m", "config.program", "--port", str(port), "--no-browser"]
    own.mkdir()
    (own / ".girone.hall").write_text('{"address": "127.0.0.2", "certificate": false}')
    with running.program(command, log, cwd=running.ROOT, env=variables(own)):
        running.until(lambda: running.answers(port), seconds=150, why="the site was not served")
        assert f"Girone: http://127.0.0.2:{port}/" in log.read_text()  # open when it ended
        link = f"http://127.0.0.1:{port}/accounts/first/"
        assert link in log.read_text()  # its organiser makes an account
        assert json.loads((own / ".girone.json").read_text())["url"] == f"http://127.0.0.1:{port}/"
        second = girone(own, "--no-browser")
        assert second.returncode == 0, second.stderr
        assert f"http://127.0.0.1:{port}/" in second.stdout
    assert {"db.sqlite3", ".secret-key", "staticfiles"} <= {each.name for each in own.iterdir()}
