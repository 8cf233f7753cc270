"""Settings that could lose a result do not start the site."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.db import connection

from config import checks, systems
from config.checks import (
    check_environment_file,
    check_error_reports,
    check_secret_key_file,
    check_sqlite_pragmas,
    check_sqlite_settings,
    check_trusted_proxies,
)

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
GOOD = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": "/srv/girone/db.sqlite3",
    "OPTIONS": {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;",
    },
}


def check(settings, **changes):
    options = GOOD["OPTIONS"] | changes.pop("OPTIONS", {})
    settings.DATABASES = {"default": GOOD | {"OPTIONS": options} | changes}
    return [error.id for error in check_sqlite_settings(None)]


def test_the_shipped_settings_pass(settings):
    assert check(settings) == []
    assert check(settings, ENGINE="django.db.backends.postgresql", OPTIONS={"timeout": 1}) == []


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 5},
        {"transaction_mode": "DEFERRED"},
        {"init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"},
        {"init_command": "PRAGMA synchronous=FULL;"},
    ],
)
def test_any_other_way_of_running_sqlite_is_refused(settings, options):
    assert check(settings, OPTIONS=options) == ["girone.E001"]


def test_requests_are_not_transactions_and_the_file_is_not_public(settings):
    assert check(settings, ATOMIC_REQUESTS=True) == ["girone.E002"]
    assert check(settings, NAME=settings.STATIC_ROOT / "db.sqlite3") == ["girone.E003"]


def test_reports_of_errors_that_could_not_leave_are_named(settings, monkeypatch):
    assert check_error_reports(None) == []
    settings.ADMINS, settings.SENDS_MAIL, settings.SENTRY_DSN = [("", "a@b.example")], False, "x"
    monkeypatch.setattr(checks, "find_spec", lambda _name: None)
    assert [one.id for one in check_error_reports(None)] == ["girone.E006", "girone.W005"]
    settings.SENDS_MAIL = True
    monkeypatch.setattr(checks, "find_spec", lambda _name: object())
    assert check_error_reports(None) == []


def test_a_key_that_others_can_read_is_refused(settings, tmp_path):
    settings.DATA = tmp_path
    assert check_secret_key_file(None) == []
    (tmp_path / ".secret-key").write_text("x")
    (tmp_path / ".secret-key").chmod(0o644)
    assert [error.id for error in check_secret_key_file(None)] == ["girone.E005"]


def test_modes_are_not_asked_where_they_mean_nothing(settings, tmp_path, monkeypatch):
    """On Windows every file seems to be readable by all, and no chmod changes that."""
    assert systems.HAS_MODES is (os.name == "posix")
    monkeypatch.setattr(systems, "HAS_MODES", False)
    settings.DATA, settings.ENV_FILE = tmp_path, tmp_path / ".env"
    for name in (".secret-key", ".env"):
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(0o666)
    assert check_secret_key_file(None) == check_environment_file(None) == []


def test_modes_are_not_asked_of_a_stick_that_keeps_none(settings, tmp_path, monkeypatch):
    private = tempfile.NamedTemporaryFile

    def shown(**options):
        file = private(**options)
        Path(file.name).chmod(0o755)
        return file

    settings.DATA = tmp_path
    (tmp_path / ".secret-key").write_text("x")
    (tmp_path / ".secret-key").chmod(0o755)
    assert check_secret_key_file(None) != []
    monkeypatch.setattr(systems.tempfile, "NamedTemporaryFile", shown)
    assert check_secret_key_file(None) == []


def run_python(code, tmp_path, **environment):
    """Run code with the settings, on a database of its own; return the finished process."""
    variables = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        **environment,
    }
    # set for the whole process as soon as a browser test has run in it
    variables.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)


@pytest.mark.deep
def test_the_pragmas_hold_on_a_real_file(tmp_path):
    code = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "c = connection.cursor()\n"
        "print(*[c.execute('PRAGMA ' + p).fetchone()[0] for p in "
        "('journal_mode', 'synchronous', 'busy_timeout', 'foreign_keys')])\n"
    )
    assert run_python(code, tmp_path).stdout.split() == ["wal", "2", "20000", "1"]


def test_the_server_does_not_start_with_a_wrong_database(tmp_path):
    code = (
        "from django.conf import settings\n"
        "settings.DATABASES['default']['OPTIONS']['transaction_mode'] = 'DEFERRED'\n"
        "import config.wsgi\n"
    )
    done = run_python(code, tmp_path)
    assert done.returncode != 0
    assert "girone.E001" in done.stderr


@pytest.mark.deep
def test_a_public_site_passes_the_checks_of_django(tmp_path):
    code = (
        "from django.core.management import execute_from_command_line as run\n"
        "run(['manage.py', 'check', '--deploy', '--fail-level', 'WARNING'])\n"
    )
    production = {
        "DEBUG": "0",
        "HTTPS": "1",
        "TRUSTED_PROXIES": "1",
        "ALLOWED_HOSTS": "girone.example",
        "SECRET_KEY": "N3ver-use-this-one-outside-of-tests-0123456789-abcdefghij",
        "EMAIL_URL": "smtp+tls://girone:secret@mail.example:587",
    }
    done = run_python(code, tmp_path, **production)
    assert done.returncode == 0, done.stderr
    done = run_python(code, tmp_path, **{**production, "SECRET_KEY": ""})
    assert "SECRET_KEY" in done.stderr
    done = run_python(code, tmp_path, **production | {"EMAIL_URL": "", "TRUSTED_PROXIES": "0"})
    assert done.returncode != 0
    assert "girone.W002" in done.stderr
    assert "girone.W003" in done.stderr


@pytest.mark.parametrize(
    "tells",
    [
        {"HTTPS": True},
        {"CSRF_TRUSTED_ORIGINS": ["https://girone.example"]},
        {"LISTEN": "unix:/run/girone/socket"},
    ],
)
def test_a_proxy_that_nobody_counted_is_named(settings, tells):
    usual = {"HTTPS": False, "CSRF_TRUSTED_ORIGINS": [], "LISTEN": "127.0.0.1:8000"}
    for name, value in (usual | {"TRUSTED_PROXIES": 0}).items():
        setattr(settings, name, value)
    assert check_trusted_proxies(None) == []
    for name, value in tells.items():
        setattr(settings, name, value)
    (found,) = check_trusted_proxies(None)
    assert (found.id, next(iter(tells)) in found.msg) == ("girone.W003", True)
    settings.TRUSTED_PROXIES = 1
    assert check_trusted_proxies(None) == []


def test_names_in_the_home_network_need_no_proxy(settings):
    settings.TRUSTED_PROXIES, settings.HTTPS = 0, False
    settings.LISTEN, settings.CSRF_TRUSTED_ORIGINS = "127.0.0.1:8000", ["http://192.0.2.7:8000"]
    assert check_trusted_proxies(None) == []


@pytest.mark.django_db
def test_the_live_check_leaves_databases_in_memory_alone():
    connection.ensure_connection()
    assert check_sqlite_pragmas(None, databases=["default"]) == []


def test_a_file_of_variables_that_others_can_read_is_named(settings, tmp_path):
    settings.ENV_FILE = None
    assert check_environment_file(None) == []
    settings.ENV_FILE = tmp_path / ".env"
    assert check_environment_file(None) == []
    settings.ENV_FILE.write_text("SECRET_KEY=")
    settings.ENV_FILE.chmod(0o640)
    (warned,) = check_environment_file(None)
    assert warned.id == "girone.W001"
    assert "chmod 600" in warned.hint
    settings.ENV_FILE.chmod(0o600)
    assert check_environment_file(None) == []


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({}, "0 False False"),
        ({"HSTS_SECONDS": "3600"}, "3600 False False"),
        ({"HSTS_SECONDS": "60", "HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, "60 True True"),
    ],
)
def test_browsers_are_bound_to_https_only_on_request(tmp_path, asked, kept):
    code = (
        "from django.conf import settings as s\n"
        "print(s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)\n"
    )
    assert run_python(code, tmp_path, HTTPS="1", **asked).stdout.strip() == kept
