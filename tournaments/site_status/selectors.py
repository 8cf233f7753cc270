"""Who operates the site, what is shown to them, and what they should do next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from accounts.models import Outgoing, User
from config.data_folder import is_checkout
from config.error_reports import recent_errors
from config.upkeep import Counts, SiteInfo, site_info

LITTLE = 500_000_000
"""Bytes on the disk below which an operator should free some."""
OLD = timedelta(days=2)
"""Age from which the last backup is worth a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedError:
    """A logged error of the last day.

    ``title`` is its kind and place in the code; ``request_id`` finds it in the log.
    """

    at: datetime
    title: str
    request_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStatus:
    """State of the site; ``next_step`` is what its operator should do, "" if nothing.

    ``mails`` are (translated state, number) of queued and sent mails.
    """

    facts: SiteInfo
    errors: tuple[LoggedError, ...]
    sends_mail: bool
    mails: tuple[tuple[str, int], ...]
    next_step: str


def is_operator(user: User | None) -> bool:
    """Return whether a user operates the site: active site staff.

    If the site requires a second factor, they need one.
    """
    may = user is not None and user.is_active and user.is_staff
    return may and user is not None and not user.lacks_second_factor


def site_status() -> SiteStatus:
    """Return the state of the site; same queries as ``site_info``."""
    facts = site_info()
    errors = tuple(
        LoggedError(at=at, title=title, request_id=number) for at, title, number in recent_errors()
    )
    return SiteStatus(
        facts=facts,
        errors=errors,
        sends_mail=bool(settings.SENDS_MAIL),
        mails=tuple(_mails(facts.queues.get("mail", {}))),
        next_step=_next_step(facts, errors),
    )


def _mails(counts: Counts) -> Iterator[tuple[str, int]]:
    """Yield the states of mails in words, those that wait first."""
    if counts:
        for state in Outgoing.State:
            yield str(state.label), counts.get(state, 0)


def _next_step(facts: SiteInfo, errors: tuple[LoggedError, ...]) -> str:
    if facts.disk_free is not None and facts.disk_free < LITTLE:
        return _("The disk is almost full. Free some space.")
    if facts.verified is not None and facts.verified.differences:
        return _("Some events don’t match their log. Run “%(command)s”.") % {
            "command": _command("verify --all")
        }
    if facts.backup is None or datetime.now(UTC) - facts.backup.at > OLD:
        with_files = connection.vendor == "sqlite"
        command = _command("backup FOLDER") if with_files else "pg_dump"
        return _("Back up the database: run “%(command)s”.") % {"command": command}
    if errors:
        return _("Look up error %(number)s in the log.") % {"number": errors[0].request_id}
    return ""


def _command(words: str) -> str:
    """Return how an operator types a command of the site."""
    return f"manage.py {words}" if is_checkout() else f"girone {words}"
