"""Typed reads of environment variables; an invalid value raises ImproperlyConfigured.

``load_file`` adds the variables of one file to the environment unless they are already set.
"""

import io
import ipaddress
import os
import re
import secrets
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from django.core.exceptions import ImproperlyConfigured
from filelock import FileLock

from config import systems
from config.terminal import gettext as _

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off", ""}


def invalid_value_error(name: str, *examples: str) -> ImproperlyConfigured:
    """Return the ImproperlyConfigured error for an environment variable's invalid value.

    It shows the ``examples`` of valid ones, not the value, which may be secret.
    """
    words = _("%(name)s has a wrong value. Write it like this: %(examples)s")
    return ImproperlyConfigured(words % {"name": name, "examples": ", ".join(examples)})


def unwritable_path_error(name: str) -> ImproperlyConfigured:
    """Return the ImproperlyConfigured error for a path whose folder can't be written.

    name: of the environment variable; the path isn't shown.
    """
    words = _("%(name)s must be in an existing, writable folder.")
    return ImproperlyConfigured(words % {"name": name})


def short_secret_error(name: str, least: int) -> ImproperlyConfigured:
    """Return the ImproperlyConfigured error for a secret of fewer than ``least`` characters."""
    words = _("%(name)s must be a random text of at least %(number)s characters.")
    return ImproperlyConfigured(words % {"name": name, "number": least})


ENTRIES = 50_000
"""Most entries of a cache in memory, some ten megabytes: where it is full, limits are forgotten."""
DATABASES = ("sqlite:///path", "postgres://user:password@host:port/name")
BLANK = r"\s*(#.*)?"
VALUE = r"""('[^']*'|"[^"]*"|(?!['"])(?:(?! \#).)*)"""
LINE = re.compile(rf"{BLANK}|(export )?[A-Za-z_]\w*={VALUE}\s*")


def environment_file(folder: Path) -> Path | None:
    """Return the path of the environment file: ENV_FILE, else ``.env``, in ``folder``.

    None if ENV_FILE is empty, as in tests.
    """
    named = os.environ.get("ENV_FILE")
    if named is None:
        return folder / ".env"
    return folder / named if named.strip() else None


def load_file(path: Path | None) -> None:
    """Add a file's variables to the environment; existing variables take precedence.

    A line is NAME=value; comments are on lines of their own, so that a value may contain ``#``.
    Raises ImproperlyConfigured with the number of an invalid line, or if the file can't be read. A
    missing file is ignored.
    """
    if path is None or not path.exists():
        return
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        words = _("“%(file)s” can’t be read: %(why)s.")
        raise ImproperlyConfigured(words % {"file": path, "why": "UTF-8"}) from error
    for number, line in enumerate(content.splitlines(), 1):
        if not LINE.fullmatch(line):
            words = _("Line %(number)s of %(file)s must be NAME=value, or a comment on its own.")
            raise ImproperlyConfigured(words % {"number": number, "file": path})
    environ.Env.read_env(io.StringIO(content))


def text(name: str, default: str = "") -> str:
    """Return an environment variable without surrounding space; the default if empty."""
    return os.environ.get(name, "").strip() or default


def boolean(name: str, *, default: bool) -> bool:
    """Return an environment variable as a boolean (1/0, true/false, yes/no, on/off)."""
    value = os.environ.get(name)
    if value is None:
        return default
    value = value.strip().lower()
    if value in YES:
        return True
    if value in NO:
        return False
    raise invalid_value_error(name, "1", "0")


def number(name: str, default: int, *, minimum: int = 0) -> int:
    """Return an environment variable as an integer; the default if empty.

    Raises ImproperlyConfigured if it is below ``minimum`` or no number.
    """
    value = text(name)
    if not value:
        return default
    if not value.isdigit() or int(value) < minimum:
        raise invalid_value_error(name, f"{minimum}", f"{minimum + 1} …")
    return int(value)


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    """Return an environment variable that must be one of ``allowed``; the default if empty."""
    value = text(name, default)
    if value not in allowed:
        raise invalid_value_error(name, *allowed)
    return value


def time_zone(name: str, default: str) -> str:
    """Return an environment variable that must name a time zone, such as Europe/Rome."""
    value = text(name, default)
    try:
        ZoneInfo(value)
    except (OSError, ValueError, ZoneInfoNotFoundError):
        raise invalid_value_error(name, "Europe/Rome") from None
    return value


def ensure_folder(path: Path, name: str) -> Path:
    """Create a folder if it is missing; return its path.

    Raises ImproperlyConfigured if it can't be created. name: the environment variable that sets it,
    for the error.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise unwritable_path_error(name) from None
    return path


def file_path(name: str) -> str:
    """Return an environment variable that must be a path in an existing folder; "" if unset."""
    value = text(name)
    if value and not Path(value).parent.is_dir():
        raise unwritable_path_error(name)
    return value


def comma_separated_values(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return an environment variable's comma-separated values; the default if empty."""
    value = text(name)
    return [word.strip() for word in value.split(",") if word.strip()] if value else list(default)


def choices(name: str, allowed: tuple[str, ...]) -> list[str]:
    """Return an environment variable's comma-separated values; each must be in ``allowed``."""
    found = comma_separated_values(name)
    if not set(found) <= set(allowed):
        raise invalid_value_error(name, *allowed)
    return found


def origins(name: str) -> list[str]:
    """Return an environment variable's comma-separated origins, like https://girone.example."""
    found = comma_separated_values(name)
    for origin in found:
        if urlsplit(origin).scheme not in ("http", "https") or not urlsplit(origin).netloc:
            raise invalid_value_error(name, "https://girone.example")
    return found


def networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Return an environment variable's comma-separated IP addresses and networks."""
    try:
        return [ipaddress.ip_network(word, strict=False) for word in comma_separated_values(name)]
    except ValueError as error:
        raise invalid_value_error(name, "192.0.2.7,10.0.0.0/8") from error


def database(name: str, default: Path) -> dict[str, object]:
    """Return an environment variable as an entry of ``DATABASES``.

    Its form is sqlite:///path or postgres://user:password@host:port/name. default: path of the
    SQLite file to use if it is empty.
    """
    if not text(name):
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    return parse_database_url(text(name), name)


def parse_database_url(address: str, name: str = "DATABASE_URL") -> dict[str, object]:
    """Return the entry of ``DATABASES`` for a URL.

    Raises ImproperlyConfigured if it is invalid; name: the setting that errors mention.
    """
    if urlsplit(address).scheme not in ("sqlite", "postgres", "postgresql"):
        raise invalid_value_error(name, *DATABASES)
    try:
        return dict(environ.Env.db_url_config(address))
    except (ValueError, ImproperlyConfigured) as error:
        raise invalid_value_error(name, *DATABASES) from error


def cache(name: str) -> dict[str, object]:
    """Return an environment variable as an entry of ``CACHES``.

    Its form is redis://host:port/number; if it is empty, the memory of the process.
    """
    value = text(name)
    if not value:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": ENTRIES},
        }
    if urlsplit(value).scheme not in ("redis", "rediss", "unix"):
        raise invalid_value_error(name, "redis://host:port/number")
    return {"BACKEND": "config.caches.RedisOrMemoryCache", "LOCATION": value}


def caches(name: str, *, folder: str) -> dict[str, dict[str, object]]:
    """Return ``CACHES``: ``default``, and ``finished`` for rendered pages.

    name: the environment variable of a Redis server for both. If it is empty, ``default`` is memory
    and ``finished`` files in ``folder``.
    """
    default = cache(name)
    if text(name):
        return {"default": default, "finished": default | {"KEY_PREFIX": "finished"}}
    kept: dict[str, object] = {
        "BACKEND": "config.pages.PageFileCache",
        "LOCATION": folder,
        "OPTIONS": {"MAX_ENTRIES": 1_000},
    }
    return {"default": default, "finished": kept}


def mail(name: str) -> dict[str, object]:
    """Return an environment variable as Django's mail settings by name.

    Its form is smtp+tls://user:password@host:port. If it is empty no mail is sent, and none is
    logged: readers of the log could use its links.
    """
    value = text(name)
    if not value:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    try:
        return dict(environ.Env.email_url_config(value))
    except (KeyError, ValueError, ImproperlyConfigured) as error:
        raise invalid_value_error(name, "smtp+tls://user:password@host:587") from error


def secret_key(name: str, *, kept_in: Path, may_create: bool) -> str:
    """Return the secret key from an environment variable or the file ``kept_in``.

    may_create: whether to create the file (0600) if it is missing, as in development. Concurrent
    processes agree on one key: the second one waits for the first one's.
    """
    value = text(name)
    if value:
        if len(value) < 32:
            raise short_secret_error(name, 32)
        return value
    if not may_create:
        raise short_secret_error(name, 50)
    if not kept_in.exists():
        with FileLock(f"{kept_in}.lock", mode=0o600):
            if not kept_in.exists():
                draft = kept_in.with_name(f"{kept_in.name}.new")
                draft.unlink(missing_ok=True)
                with systems.create_file(draft) as file:
                    file.write(secrets.token_urlsafe(64).encode())
                systems.replace_file(draft, kept_in)
    return kept_in.read_text(encoding="utf-8").strip()
