"""Errors that are logged: counted for the operator, reported to ``ADMINS`` and ``SENTRY_DSN``.

A report names the place in the code, the address by its name and the number of the request, by
which the log tells the rest. It holds nothing that a person sent or that is stored: no message of
an exception, no value, no path, no address. It goes past the outbox, whose database may be what
failed.
"""

import logging
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache as remembered
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.mail import mail_admins

from config import VERSION
from config.logs import current_id

PER_KIND, PER_HOUR = 1, 10
"""Most reports of errors of one kind, and of all kinds, in an hour."""
HOUR = 3600
DAY = timedelta(hours=24)
KEPT, MOST = "errors", 100
"""The cache key of the last errors, and how many are kept."""
PACKAGES = "site-packages/"
LEFT_OUT = "django.security"
"""The logger of requests with a wrong host and the like, which anybody can send."""

log = logging.getLogger("config.error_reports")
listeners: list[Callable[[], object]] = []
"""Called for each error."""
_busy = threading.local()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorReport:
    """An error without personal data; ``frames`` are (file, line, function, code).

    ``kind`` is the exception's name, or the logger's name and message; ``route`` the view's name.
    """

    kind: str
    at: datetime
    request_id: str
    route: str = ""
    method: str = ""
    frames: tuple[tuple[str, int, str, str], ...] = field(default=())

    @property
    def place(self) -> str:
        """Return the innermost frame in the program's code, as desk/views.py:12, or ""."""
        ours = [one for one in self.frames if not one[0].startswith(("/", PACKAGES))]
        return "{}:{}".format(*ours[-1][:2]) if ours else ""

    @property
    def title(self) -> str:
        """Return kind and place."""
        kind = " ".join(self.kind.split())
        return f"{kind} in {self.place}" if self.place else kind

    def text(self) -> str:
        """Return the report as the text of a mail."""
        moment = self.at.astimezone().isoformat(timespec="seconds")
        head = (
            f"Time: {moment}",
            f"Version: {VERSION}",
            f"Request: {f'{self.method} {self.route}'.strip() or '-'}",
            f"Number in the log: {self.request_id}",
        )
        code = (f"{file}:{line} {name}\n    {said}" for file, line, name, said in self.frames)
        more = f"One mail an hour for this error, {PER_HOUR} for all. The log has each of them."
        return "\n".join((*head, "", *code, "", more))

    def event(self) -> dict[str, Any]:
        """Return the report as an event of Sentry."""
        frames = [
            {"filename": file, "lineno": line, "function": name, "context_line": said}
            for file, line, name, said in self.frames
        ]
        return {
            "level": "error",
            "timestamp": self.at.isoformat(),
            "transaction": self.route,
            "exception": {"values": [{"type": self.kind, "stacktrace": {"frames": frames}}]},
            "tags": {"request_id": self.request_id, "method": self.method},
        }


def build_report(record: logging.LogRecord) -> ErrorReport:
    """Return the report of a logged error, without personal data."""
    request = getattr(record, "request", None)
    match = getattr(request, "resolver_match", None)
    error = record.exc_info[1] if record.exc_info else None
    words = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    kind = type(error).__name__ if error is not None else f"{record.name}: {words}"
    return ErrorReport(
        kind=kind,
        at=datetime.fromtimestamp(record.created, UTC),
        request_id=str(getattr(record, "request_id", "") or current_id.get()),
        route=match.view_name if match else "",
        method=str(getattr(request, "method", "") or ""),
        frames=_frames_of(error) if error is not None else (),
    )


def _frames_of(error: BaseException) -> tuple[tuple[str, int, str, str], ...]:
    base = Path(settings.BASE_DIR)
    found = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        name = (path.relative_to(base) if path.is_relative_to(base) else path).as_posix()
        _before, package, rest = name.rpartition(PACKAGES)
        name = f"{package}{rest}"
        found.append((name, frame.lineno or 0, frame.name, frame.line or ""))
    return tuple(found)


class ErrorReportHandler(logging.Handler):
    """Logging handler that counts errors and reports them by mail or Sentry.

    Each kind of error is reported once an hour.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Note and report an error; a fault of doing so is only logged, as a warning."""
        if record.name.startswith(LEFT_OUT) or getattr(_busy, "now", False):
            return
        _busy.now = True
        try:
            report = build_report(record)
            for listener in listeners:
                listener()
            _keep(report)
            _send(report)
        except Exception as fault:  # noqa: BLE001 - who logs an error must not meet another
            log.warning("An error was not reported: %s", type(fault).__name__)
        finally:
            _busy.now = False


def recent_errors() -> list[tuple[datetime, str, str]]:
    """Return (time, title, request id) of the last day's errors, newest first, at most 100.

    If the cache is in memory, only those of this process since it started.
    """
    since = datetime.now(UTC) - DAY
    return [one for one in cache.get(KEPT) or [] if one[0] > since]


def _keep(report: ErrorReport) -> None:
    found = [(report.at, report.title, report.request_id), *recent_errors()]
    cache.set(KEPT, found[:MOST], DAY.total_seconds())


def _send(report: ErrorReport) -> None:
    mails = bool(settings.ADMINS and settings.SENDS_MAIL)
    if not (mails or settings.SENTRY_DSN):
        return
    take_slot = import_module("config.clients").take_rate_limit_slot  # it needs the apps

    if not take_slot(f"report {report.title}", most=PER_KIND, seconds=HOUR):
        return
    if not take_slot("reports", most=PER_HOUR, seconds=HOUR):
        return
    if settings.SENTRY_DSN:
        _sentry().capture_event(report.event())
    if mails:
        run_in_background(lambda: _mail(report))


def run_in_background(work: Callable[[], None]) -> None:
    """Call a function in a daemon thread, so that the request doesn't wait for it."""
    threading.Thread(target=work, name="error report", daemon=True).start()


def _mail(report: ErrorReport) -> None:
    try:
        mail_admins(report.title, report.text())
    except Exception as fault:  # noqa: BLE001 - a thread has nobody to tell
        log.warning("A mail about an error was not sent: %s", type(fault).__name__)


@remembered
def _sentry() -> Any:
    """Return the client of ``SENTRY_DSN``, which collects nothing by itself."""
    sentry_sdk = import_module("sentry_sdk")
    sentry_sdk.init(
        settings.SENTRY_DSN,
        release=f"girone@{VERSION}",
        default_integrations=False,
        auto_enabling_integrations=False,
        max_breadcrumbs=0,
        server_name="",
    )
    return sentry_sdk
