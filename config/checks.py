"""System checks that must pass before the site starts."""

import stat
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.apps.config import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from config import systems
from config.addresses import site_address

PROMISE = "An acknowledged result must survive a power cut, and writers must queue, not fail."
WANTED = {"transaction_mode": "IMMEDIATE", "timeout": 20}


def is_sqlite_file(database: dict[str, Any]) -> bool:
    """Return whether an entry of ``DATABASES`` is an SQLite file, not a database in memory."""
    return database["ENGINE"].endswith("sqlite3") and "memory" not in str(database["NAME"])


def check_sqlite_settings(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check: error if SQLite's settings risk losing data.

    These are transaction mode, timeout, WAL mode, synchronous writes, no ``ATOMIC_REQUESTS``, and a
    file outside the public folder.
    """
    database: dict[str, Any] = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return []
    options = database.get("OPTIONS", {})
    init = options.get("init_command", "").replace(" ", "").upper()
    wrong = [f"{name}={value}" for name, value in WANTED.items() if options.get(name) != value]
    wrong += [
        pragma
        for pragma in ("journal_mode=WAL", "synchronous=FULL")
        if f"PRAGMA{pragma.upper()};" not in init
    ]
    found: list[CheckMessage] = []
    if wrong:
        found.append(
            Error(f"SQLite must run with {', '.join(wrong)}.", hint=PROMISE, id="girone.E001")
        )
    if database.get("ATOMIC_REQUESTS"):
        found.append(Error("ATOMIC_REQUESTS must stay off.", hint=PROMISE, id="girone.E002"))
    name = Path(str(database["NAME"])).resolve()
    if is_sqlite_file(database) and name.is_relative_to(Path(settings.STATIC_ROOT).resolve()):
        found.append(Error("The database lies among the public files.", id="girone.E003"))
    return found


def check_sqlite_pragmas(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """System check: error if the PRAGMAs are not in effect on an open SQLite connection."""
    connection = connections["default"]
    if "default" not in (databases or ()) or not is_sqlite_file(connection.settings_dict):
        return []
    with connection.cursor() as cursor:
        journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if (journal, synchronous) != ("wal", 2):
        return [
            Error(
                f"SQLite runs with journal_mode={journal}, synchronous={synchronous}.",
                hint=PROMISE,
                id="girone.E004",
            )
        ]
    return []


def _is_open_to_others(path: Path) -> bool:
    is_open = path.exists() and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    return is_open and systems.supports_file_modes(path.parent)


def check_secret_key_file(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check: error if other users of the machine can read the secret key file."""
    path = settings.DATA / ".secret-key"
    if _is_open_to_others(path):
        return [
            Error(
                "Others can read the file .secret-key.",
                hint="chmod 600 .secret-key",
                id="girone.E005",
            )
        ]
    return []


def check_environment_file(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check: warn if other users can read the environment file, which holds passwords."""
    path: Path | None = settings.ENV_FILE
    if path and _is_open_to_others(path):
        return [
            Warning(
                f"Others can read the file {path.name}.",
                hint=f"chmod 600 {path.name}",
                id="girone.W001",
            )
        ]
    return []


def check_mail_settings(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check on deployment: warn if the site sends no mail."""
    if settings.SENDS_MAIL:
        return []
    return [
        Warning(
            "EMAIL_URL is not set: the site sends no mail.",
            hint="New passwords are made by manage.py password_link, and no address is checked.",
            id="girone.W002",
        )
    ]


def check_site_address(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check: warn if the site sends mail but doesn't know its address for links."""
    if not settings.SENDS_MAIL or site_address():
        return []
    return [
        Warning(
            "The site does not know its own address: no mail with a link is sent.",
            hint="Set SITE_ADDRESS, as https://girone.example, or a whole name in ALLOWED_HOSTS.",
            id="girone.W004",
        )
    ]


def check_trusted_proxies(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check on deployment: warn if settings imply a proxy but TRUSTED_PROXIES is 0."""
    if settings.TRUSTED_PROXIES:
        return []
    secure = [name for name in settings.CSRF_TRUSTED_ORIGINS if name.startswith("https://")]
    signs = {
        "HTTPS=1": settings.HTTPS,
        "CSRF_TRUSTED_ORIGINS": secure,
        "LISTEN": settings.LISTEN.startswith("unix:"),
    }
    found = [name for name, tells in signs.items() if tells]
    if not found:
        return []
    return [
        Warning(
            f"TRUSTED_PROXIES is 0, but by {', '.join(found)} there is a proxy in front.",
            hint="Set TRUSTED_PROXIES=1: else all people are one client for the limits, and with "
            "HTTPS=1 every page leads to itself.",
            id="girone.W003",
        )
    ]


def check_error_reports(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """System check: error or warning if configured error reports can't be sent.

    ``SENTRY_DSN`` needs sentry-sdk, ``ADMINS`` needs ``EMAIL_URL``.
    """
    found: list[CheckMessage] = []
    if settings.SENTRY_DSN and find_spec("sentry_sdk") is None:
        hint = "pip install sentry-sdk"
        found.append(Error("SENTRY_DSN needs the package sentry-sdk.", hint=hint, id="girone.E006"))
    if settings.ADMINS and not settings.SENDS_MAIL:
        hint = "Set EMAIL_URL, or leave ADMINS empty."
        found.append(Warning("ADMINS get no mail without EMAIL_URL.", hint=hint, id="girone.W005"))
    return found


def register_checks() -> None:
    """Register the checks of this module with Django."""
    register(check_mail_settings, deploy=True)
    register(check_trusted_proxies, deploy=True)
    register(check_site_address)
    register(check_error_reports)
    register(check_sqlite_settings)
    register(check_secret_key_file)
    register(check_environment_file)
    register(check_sqlite_pragmas, Tags.database)
