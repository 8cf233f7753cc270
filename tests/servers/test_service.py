"""``girone install-service``: what it writes, and a server installed, upgraded and removed."""

import http.client
import re
import shutil
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from http.cookiejar import CookieJar
from types import SimpleNamespace
from urllib.parse import urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest

from config import paused, program, service
from config.data_folder import PAUSED
from tests.measures.reload import LATER, measured, summary
from tests.servers import debian
from tests.servers.running import ROOT, Answer, needs, until

NAME = "girone.localhost"
ADDRESS = f"https://{NAME}"
MAIL = 2525
PREPARE = "/opt/girone-7/bin/girone prepare"
MIGRATIONS = "python3*/site-packages/girone/site/tournaments/migrations"
CONFINED = sorted((ROOT / "deploy/systemd").glob("*.service"))
pytestmark = pytest.mark.processes


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Return places below a root of the test's own, for a program in /opt/girone-7."""
    monkeypatch.setattr(service, "program_path", lambda: "/opt/girone-7/bin/girone")
    monkeypatch.setattr(shutil, "chown", lambda *_whom: None)
    return service.ServicePaths(tmp_path)


@pytest.mark.skipif(bool(needs("systemd-analyze")), reason="needs systemd-analyze")
@pytest.mark.parametrize("unit", CONFINED, ids=lambda path: path.name)
def test_every_unit_is_confined(unit, tmp_path):
    def exposure(path):
        command = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(path)]
        return subprocess.run(command, capture_output=True).returncode

    open_one = tmp_path / unit.name
    kept = re.sub(r"(?m)^(Protect|System|Restrict|Capab).*\n", "", unit.read_text())
    open_one.write_text(kept)
    assert exposure(unit) == 0
    assert exposure(open_one) != 0


def test_units_name_the_program_that_installs_them(places):
    units = dict(service.render_units(places))
    assert {path.name for path in units} == {
        path.name for path in (ROOT / "deploy/systemd").iterdir() if path.is_file()
    }
    for path, text in units.items():
        assert path.parent == places.units
        assert "/opt/girone/" not in text
        if path.suffix == ".service":
            assert "=/opt/girone-7/bin/girone " in text.replace("=-", "=")
    started = service.enabled_units(list(units.items()))
    assert {"girone.service", "girone.socket", "girone-backup.timer"} <= set(started)
    assert service.BRIDGE not in started


def test_units_of_postgresql_come_where_it_runs_on_the_machine(places):
    service.write_settings(places, ["cup.example"])
    assert not [path for path, _text in service.render_units(places) if path.suffix == ".conf"]
    with places.settings.open("a") as file:
        file.write("DATABASE_URL=postgres:///girone\n")
    drop_ins = [path for path, _text in service.render_units(places) if path.suffix == ".conf"]
    assert {path.parent.name for path in drop_ins} == {
        "girone.service.d",
        "girone-backup.service.d",
    }


def test_settings_are_written_once_and_name_the_site(places):
    assert service.write_settings(places, ["cup.example", "www.cup.example"])
    text = places.settings.read_text()
    assert places.settings.stat().st_mode & 0o777 == 0o600
    assert len(service.read_setting(places, "SECRET_KEY")) > 50
    assert service.read_setting(places, "ALLOWED_HOSTS") == "cup.example,www.cup.example"
    assert service.read_setting(places, "SITE_ADDRESS") == "https://cup.example"
    assert service.write_settings(places, []) == "cup.example"
    assert places.settings.read_text() == text
    with pytest.raises(service.ServiceError, match="Add yours to ALLOWED_HOSTS"):
        service.write_settings(places, ["other.example"])


def test_a_site_needs_a_name_that_can_be_one(places, capsys, monkeypatch):
    with pytest.raises(service.ServiceError, match="Name the site"):
        service.write_settings(places, [])
    monkeypatch.setattr(service, "require_server", lambda: None)
    assert program.main(["install-service", "https://cup.example/"]) == 1
    assert "Write it like girone.example" in capsys.readouterr().err


def test_a_checkout_is_not_installed(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(service.os, "getuid", lambda: 0)
    assert program.main(["remove-service"]) == 1
    assert "in an environment of its own" in capsys.readouterr().err


def test_a_program_that_the_units_hide_is_refused(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(service.os, "getuid", lambda: 0)
    monkeypatch.setattr(service, "is_checkout", lambda: False)
    monkeypatch.setattr(sys, "prefix", "/root/.local/share/uv/tools/girone")
    with pytest.raises(service.ServiceError, match="Install Girone in /opt"):
        service.require_server()


@pytest.fixture
def upgrading(places, monkeypatch):
    """Upgrade from a version in a folder of the test's; return it, and what was run.

    A command that is among ``refused`` fails; ``prepare`` copies the data first.
    """
    former = places.root / "opt/girone-6/bin/girone"
    service.write_file(former, "")
    places.data.mkdir(parents=True)
    done, refused = [], set()

    def do(*words):
        done.append(" ".join(words).replace(str(places.data), "DATA"))
        if done[-1] in refused and not (words[1] == "restart" and (places.data / PAUSED).exists()):
            raise service.ServiceError(f"Failed: {done[-1]}")

    def as_user(_places, *words, by=""):
        if words == ("prepare",):
            (places.data / "db.sqlite3.20270101-version-6.0.0").touch()
        do(by or service.program_path(), *words)
        return "[ ] later"

    def run(*words):
        if words[-1] == "install-service":
            assert service.installed_program(places) == str(former)  # it does not go back itself
        do(*words)

    monkeypatch.setattr(service, "run_as_user", as_user)
    monkeypatch.setattr(service, "run_command", run)
    monkeypatch.setattr(service, "systemctl", lambda *words: do("systemctl", *words))
    (places.data / "db.sqlite3.20260101-version-5.0.0").touch()
    units = list(service.render_units(places))
    for path, text in units:
        service.write_file(path, text)
    return SimpleNamespace(units=units, former=str(former), done=done, refused=refused)


@pytest.mark.parametrize("fault", [PREPARE, "systemctl restart girone.service"])
def test_the_former_version_and_its_data_serve_again_where_an_upgrade_fails(
    places, upgrading, fault
):
    upgrading.refused.add(fault)
    with pytest.raises(service.ServiceError, match="girone-6/bin/girone serves the data of before"):
        service.upgrade(places, upgrading.units, upgrading.former)
    assert upgrading.done[-3:] == [
        "systemctl stop girone.service",
        f"{upgrading.former} restore_backup DATA/db.sqlite3.20270101-version-6.0.0",
        f"{upgrading.former} install-service",
    ]
    assert "systemctl restart girone.service" in upgrading.done
    assert not [one for one in upgrading.done if one.startswith("systemctl stop girone-bridge")]


def test_the_copies_of_upgrades_are_those_of_either_database_that_are_whole(places):
    places.data.mkdir(parents=True)
    whole = {"db.sqlite3.20270101-version-6.0.0", "postgresql.20270101-version-unknown"}
    for name in whole | {"postgresql.before-20270101", "postgresql.20270101-version-6.0.0.part"}:
        (places.data / name).touch()
    assert {copy.name for copy in service.upgrade_backups(places)} == whole


@pytest.mark.parametrize("why", ["the same folder", "refused"])
def test_where_there_is_no_way_back_page_and_operator_are_told_what_to_run(
    places, upgrading, monkeypatch, why
):
    former = upgrading.former if why == "refused" else service.program_path()
    upgrading.refused |= {PREPARE, f"{former} install-service"}
    with pytest.raises(service.ServiceError, match=f"then run: {former} install-service"):
        service.upgrade(places, upgrading.units, former)
    monkeypatch.setattr(settings, "DATA", places.data)
    for language, words in (("en", "The update failed"), ("it", "L’aggiornamento non è riuscito")):
        environ = {"PATH_INFO": "/", "HTTP_ACCEPT_LANGUAGE": language}
        setup_testing_defaults(environ)
        page = paused.paused_response(WSGIRequest(environ)).content.decode()
        assert words in page
        assert "girone install-service" in page


class Sink(socketserver.StreamRequestHandler):
    """A mail server that takes every mail, and keeps it in ``server.mails``."""

    def handle(self):
        self.wfile.write(b"220 sink\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = iter(self.rfile.readline, b".\r\n")
                self.server.mails.append(b"".join(lines).decode())
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")


class Visitor:
    """A browser without scripts, and one who trusts Caddy's own authority."""

    def __init__(self, authority):
        self.trust = ssl.create_default_context(cadata=authority)
        handlers = (
            urllib.request.HTTPCookieProcessor(CookieJar()),
            urllib.request.HTTPSHandler(context=self.trust),
        )
        self.browser = urllib.request.build_opener(*handlers)

    def send(self, url, **fields):
        """Open a page with a form, fill it in and send it; return the page that follows."""
        page = self.browser.open(url)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())[1]
        sent = urlencode(fields | {"csrfmiddlewaretoken": token}).encode()
        headers = {"Referer": page.url, "Origin": ADDRESS}
        asked = urllib.request.Request(page.url, sent, headers)  # noqa: S310
        return self.browser.open(asked).read().decode()

    def get(self, path, headers):
        """Ask for a page on a connection of its own."""
        began = time.monotonic()
        connection = http.client.HTTPSConnection(NAME, context=self.trust, timeout=60)
        try:
            connection.request("GET", path, headers=headers)
            return Answer(connection.getresponse(), time.monotonic() - began)
        finally:
            connection.close()


def install_into(system, folder):
    """Install the program into a folder of the system, from the wheels at its root."""
    system.run("python3", "-m", "venv", folder)
    system.run(
        *(f"{folder}/bin/pip", "install", "-q", "--no-index", "--find-links", "/wheels", "girone")
    )


def confinement(system, unit):
    """Return what the kernel says of the process of a unit, by word."""
    pid = system.run("systemctl", "show", "-P", "MainPID", unit).strip()
    lines = system.run("cat", f"/proc/{pid}/status").splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


@pytest.mark.deep
@pytest.mark.skipif(bool(debian.missing()), reason=debian.missing() or "never")
def test_a_server_is_installed_upgraded_and_removed(tmp_path, monkeypatch):
    system = debian.Debian(tmp_path / "debian")
    system.make()
    debian.wheels(system.folder / "wheels")
    usual = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda _name, *more, **how: usual("127.0.0.1", *more, **how)
    )
    with system.running(), system.network():
        installed_serves_prints_and_mails(system)
        upgrades_lose_no_request(system)
        failed_upgrade_leaves_the_former_version(system)
        removed_and_installed_again(system)


def visitor(system, trusted="var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"):
    """Return a visitor who trusts a certificate of the system, once the site answers with it."""
    authority = system.folder / trusted
    until(authority.exists)
    one = Visitor(authority.read_text())
    until(lambda: one.get("/health/ready", {}).body == b"ok\n", seconds=120)
    return one


def installed_serves_prints_and_mails(system):
    """From nothing to https in two commands after the packages; then a sheet and a mail."""
    install_into(system, "/opt/girone-1")
    told = system.run("/opt/girone-1/bin/girone", "install-service", NAME)
    assert f"{ADDRESS}/accounts/first/" in told
    status = confinement(system, "girone.service")
    assert (status["NoNewPrivs"], status["Seccomp"], int(status["CapBnd"], 16)) == ("1", "2", 0)
    assert "girone-backup.timer" in system.run("systemctl", "list-timers")
    settings = system.folder / "etc/girone/girone.env"
    settings.write_text(f"{settings.read_text()}EMAIL_URL=smtp://127.0.0.1:{MAIL}\n")
    (link,) = re.findall(rf"{ADDRESS}/accounts/first/\S+", system.run("girone", "install-service"))
    somebody = visitor(system)
    somebody.send(link, name="Marta", password="sala-grande-9", email="marta@girone.example")
    assert somebody.browser.open(f"{ADDRESS}/events/new/").url == f"{ADDRESS}/events/new/"
    system.run("girone", "demo", "--players", "8", "--play")
    sheet = somebody.browser.open(f"{ADDRESS}/events/demo-demo/print/standings.pdf")
    assert sheet.read().startswith(b"%PDF")
    with socketserver.ThreadingTCPServer(("127.0.0.1", MAIL), Sink) as sink:
        sink.mails, sink.daemon_threads = [], True
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        other = visitor(system)
        other.send(
            f"{ADDRESS}/accounts/signup/",
            name="Ugo",
            email="ugo@girone.example",
            password1="sala-grande-9",
        )
        until(lambda: sink.mails, why="no mail came")
        sink.shutdown()
    assert "To: ugo@girone.example" in sink.mails[0]
    assert ADDRESS in sink.mails[0]
    system.run("systemctl", "start", "girone-backup")
    assert list((system.folder / "var/backups/girone").glob("girone-*.sqlite3"))


def upgrades_lose_no_request(system):
    """A second installation takes over; then it brings a migration of three seconds."""
    somebody, event = visitor(system), "/events/demo-demo/"
    install_into(system, "/opt/girone-2")
    upgrade = ("/opt/girone-2/bin/girone", "install-service")
    plain = measured(somebody.get, event, 60, lambda: system.run(*upgrade))
    assert summary(plain)["failed"] == 0  # how long they wait is measured on a quiet machine
    assert "/opt/girone-2/" in system.run("systemctl", "cat", "girone.service")
    (folder,) = (system.folder / "opt/girone-2/lib").glob(MIGRATIONS)
    last = max(path.stem for path in folder.glob("0*.py"))
    later = LATER.replace("initial = True", f"dependencies = [('tournaments', '{last}')]")
    (folder / "9999_later.py").write_text(later)
    moved = measured(somebody.get, event, 60, lambda: system.run(*upgrade))
    lost = [one for one in moved if not (one.is_well or one.is_told_of_update)]
    assert [(one.at, one.path, one.answer and one.answer.status) for one in lost] == []
    assert summary(moved)["told"] > 0
    assert somebody.get("/health/ready", {}).body == b"ok\n"


def failed_upgrade_leaves_the_former_version(system):
    """A third installation brings a migration that works and one that fails."""
    somebody = visitor(system)
    install_into(system, "/opt/girone-3")
    (folder,) = (system.folder / "opt/girone-3/lib").glob(MIGRATIONS)
    last = max(path.stem for path in folder.glob("0*.py"))
    names = (last, "9999_later", "99991_table", "99992_fails")
    acts = ("RunPython(lambda *_: None)", "RunSQL('CREATE TABLE half (id integer)')", "RunSQL('x')")
    for before, name, act in zip(names, names[1:], acts, strict=False):
        later = LATER.replace("initial = True", f"dependencies = [('tournaments', '{before}')]")
        act_of_later = "RunPython(lambda apps, schema: time.sleep(3))"
        assert act_of_later in later
        (folder / f"{name}.py").write_text(later.replace(act_of_later, act))
    told = system.run("/opt/girone-3/bin/girone", "install-service", check=False)
    assert "/opt/girone-2/bin/girone serves the data of before again" in told, told
    assert "/opt/girone-2/" in system.run("systemctl", "cat", "girone.service")
    assert somebody.get("/health/ready", {}).body == b"ok\n"
    assert somebody.get("/events/demo-demo/", {}).status == 200
    assert "inactive" in system.run("systemctl", "is-active", "girone-bridge", check=False)
    system.run("girone", "verify", "--all")


def removed_and_installed_again(system):
    """The data stays, unless that is asked."""
    told = system.run("girone", "remove-service")
    assert "/var/lib/girone" in told
    assert not list((system.folder / "etc/systemd/system").glob("girone*"))
    assert not (system.folder / "usr/local/bin/girone").exists()
    assert "girone" not in (system.folder / "etc/caddy/Caddyfile").read_text()
    system.run("systemctl", "stop", "caddy")
    again = ("/opt/girone-2/bin/girone", "install-service", "--proxy", "nginx")
    assert "certbot certonly" in system.run(*again)
    made = f"/etc/letsencrypt/live/{NAME}"
    system.run("mkdir", "-p", made)
    system.run(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}"),
        *("-addext", f"subjectAltName=DNS:{NAME}", "-days", "2"),
        *("-keyout", f"{made}/privkey.pem", "-out", f"{made}/fullchain.pem"),
    )
    assert "/accounts/first/" not in system.run(*again)  # the organiser's account is there still
    page = visitor(system, f"{made[1:]}/fullchain.pem").get("/events/demo-demo/", {})
    assert page.status == 200
    assert "LimitNOFILE=16384" in system.run("systemctl", "cat", "nginx")
    system.run("girone", "remove-service", "--delete-data")
    for gone in ("var/lib/girone", "etc/girone", "var/backups/girone"):
        assert not (system.folder / gone).exists()
    assert "girone" not in (system.folder / "etc/passwd").read_text()
