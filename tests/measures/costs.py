"""What strangers may send, at its dearest, and what it may cost: processor and memory.

``make measure-costs``; arguments: parts of addresses or names, to ask no others. Every operation of
the API gets bodies made from its schema (each text at its longest and of one sign, each list at its
longest, each number at its largest), every page those keys that it asks its form for. What is dear
in another way stands in ``dearest``. Each is sent once more in a process of its own, after a usual
body: what is measured is beyond that of a server that has answered before. Nothing is throttled.
"""

import ctypes
import gc
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.measures.shapes import Body, Schema, form, json_body, of_form, of_headers, of_json

NOBODY, MEMBER = "anonymous", "account"
BOUNDS = {NOBODY: (1.0, 100.0), MEMBER: (5.0, 300.0)}
"""Seconds of the processor and megabytes that a request may cost."""
ROLES = (NOBODY, "player", "organiser")
STATES = ("running", "registration")
AGAIN, FINALISTS, SMALL = 2, 3, 0.1
"""Times that what is beyond its bounds is sent again, as machines are busy; shapes of an address
that are measured alone; the share of the bounds below which none is."""
MOST_WAITED = 120
"""Seconds after which a process that tells nothing is ended."""
MOST_SECONDS = 8
TRIM = ctypes.CDLL(None).malloc_trim


class Asked(NamedTuple):
    """An address, a method, a body that is taken, and whom it is taken from."""

    name: str
    method: str
    address: str
    role: str
    browser: Any
    usual: Body
    keys: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    largest: int = 0

    @property
    def who(self) -> str:
        """Return whose bounds hold."""
        return NOBODY if self.role == NOBODY else MEMBER


class Cost(NamedTuple):
    """What came of a request; megabytes at its peak, beyond those of before."""

    seconds: float
    megabytes: float
    status: int
    answer: int

    @property
    def failed(self) -> bool:
        """Say whether the server broke, or was ended."""
        return not 0 < self.status < 500

    def share(self, who: str) -> float:
        """Return the share of the bounds that is taken; above 1 it is too dear."""
        seconds, megabytes = BOUNDS[who]
        return max(self.seconds / seconds, self.megabytes / megabytes)


NOTHING = Cost(0.0, 0.0, 413, 0)
LOST = Cost(float(MOST_SECONDS), 0.0, 0, 0)
"""Of a process that was ended: it took too long, or too much."""


def send(asked: Asked, body: Body) -> Any:
    """Answer a request as the views do."""
    address = asked.address + (f"?{body.query}" if body.query else "")
    return asked.browser.generic(
        asked.method, address, body.content, content_type=body.kind, headers=dict(body.headers)
    )


@contextmanager
def undone() -> Iterator[None]:
    """Let nothing of the block be stored."""
    from django.db import transaction

    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def noted() -> Iterator[tuple[set[str], set[str]]]:
    """Fill two sets with the keys that the block asks forms, and files, for."""
    from django.core.handlers.wsgi import WSGIRequest
    from django.http import QueryDict
    from django.utils.datastructures import MultiValueDict

    class Files(MultiValueDict):  # type: ignore[type-arg]
        pass

    keys, files = set[str](), set[str]()
    usual = {name: getattr(MultiValueDict, name) for name in ("__getitem__", "get", "getlist")}
    load = WSGIRequest._load_post_and_files  # type: ignore[attr-defined]

    def watched(name: str) -> Any:
        def ask(self: Any, key: str, *more: Any, **others: Any) -> Any:
            if isinstance(self, QueryDict | Files):
                (keys if isinstance(self, QueryDict) else files).add(str(key))
            return usual[name](self, key, *more, **others)

        return ask

    def loaded(request: Any) -> None:
        load(request)
        request._files = Files(request._files)

    with ExitStack() as patched:
        patched.enter_context(patch.object(WSGIRequest, "_load_post_and_files", loaded))
        for name in usual:
            patched.enter_context(patch.object(MultiValueDict, name, watched(name)))
        yield keys, files


def everything(scenes: dict[str, Any], chosen: tuple[str, ...]) -> Iterator[tuple[Asked, Schema]]:
    """Yield every operation of the API and every page, as it is asked for at its best."""
    from tests.measures.dearest import places

    for name, method, schema in known():
        if chosen and not any(part in f"{method} {name}" for part in chosen):
            continue
        found = []
        for state, role in ((state, role) for state in STATES for role in ROLES):
            address = places(scenes[state], name)
            if address is None:
                continue
            asked = probed(name, method, address, role, scenes[state], schema)
            found.append(asked)
            if asked[0] < 400:
                break
        yield min(found, key=lambda each: each[0])[1], schema


def known() -> Iterator[tuple[str, str, Schema]]:
    """Yield every operation by its path in the schema, and every page by its name: all there is."""
    from tests.crawling import methods, refusing, views

    document = Schema.document()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield path, method.upper(), Schema(operation, document)
    nothing = Schema({}, document)
    for name, view in dict(views()).items():
        if "_api:" not in name:
            for method in ("GET", "POST"):
                taken = methods(view)
                if name not in refusing(method) and (not taken or method in taken):
                    yield name, method, nothing


def probed(
    name: str, method: str, address: str, role: str, scene: Any, schema: Schema
) -> tuple[int, Asked]:
    """Return the status of a usual request, and what is known of it."""
    from django.test import RequestFactory
    from django.urls import resolve

    from config.sizes import max_body_size
    from tests.measures.dearest import usual_form, usual_json

    browser = scene.browsers[role]
    browser.raise_request_exception = False
    if schema.operation:
        usual = json_body(usual_json(address, method, schema)) if schema.takes_body else Body(b"")
    else:
        usual = form(usual_form(name)) if method == "POST" else Body(b"")
    asked = Asked(name, method, address, role, browser, usual)

    def told() -> Iterator[tuple[int, str, list[str], list[str]]]:
        with undone(), noted() as (keys, files):
            answer = send(asked, usual)
        yield answer.status_code, answer.headers.get("Location", ""), sorted(keys), sorted(files)

    # Threads, such as those that typeset, would not live on in the forks that follow.
    ((status, location, keys, files),), _ended = _forked(told)
    if status == 302 and "/accounts/login/" in location:
        status = 401
    most = max_body_size(RequestFactory().get(address), resolve(address).func)
    found = asked._replace(keys=frozenset(keys), files=frozenset(files), largest=most)
    # A refusal of what is sent looks at it; one of who sends it does not.
    return (status if status not in (401, 403, 404, 405) else status + 100), found


def bodies(asked: Asked, schema: Schema) -> Iterator[tuple[str, Body]]:
    """Yield every shape of what is sent, and its name."""
    from tests.measures.dearest import dearest

    yield from dearest(asked)
    if asked.method == "GET" or not (schema.takes_body or asked.keys or asked.files):
        yield from of_headers(schema.queries if schema.operation else sorted(asked.keys))
        return
    if schema.operation:
        yield from of_json(schema, asked.usual, asked.largest)
    else:
        yield from of_form(asked.usual, sorted(asked.keys), asked.largest)


def surveyed(asked: Asked, schema: Schema) -> list[tuple[str, Cost]]:
    """Return what every shape costs, all sent by one process as long as it lives."""
    found: list[tuple[str, Cost]] = []
    names: list[str] = []
    while True:
        told, ended = _forked(partial(_tell_all, asked, schema, len(found)))
        found += [(shape, Cost(*figures)) for shape, figures in told]
        if ended:
            return found
        names = names or [shape for shape, _body in bodies(asked, schema)]
        found.append((names[len(found)], LOST))


def _tell_all(asked: Asked, schema: Schema, first: int) -> Iterator[tuple[str, Cost]]:
    with undone():
        send(asked, asked.usual)
    for shape, body in islice(bodies(asked, schema), first, None):
        if len(body.content) > asked.largest > 0:
            yield shape, NOTHING
            continue
        with undone():
            yield shape, _measured(asked, body)


def cost(asked: Asked, schema: Schema, which: int) -> Cost:
    """Send one shape in a process of its own; return what it cost beyond a usual body."""

    def told() -> Iterator[tuple[str, Cost]]:
        shape, body = next(islice(bodies(asked, schema), which, None))
        with undone():
            send(asked, asked.usual)
        yield shape, _measured(asked, body)

    found, _ended = _forked(told)
    return Cost(*found[0][1]) if found else LOST


def _forked(tell: Callable[[], Iterator[object]]) -> tuple[list[Any], bool]:
    """Return what a fork of this process tells, as JSON, and whether it came to its end."""
    from django.db import connections

    connections.close_all()
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reads)
            signal.alarm(MOST_WAITED)
            for line in tell():
                signal.alarm(MOST_WAITED)
                os.write(writes, json.dumps(line).encode() + b"\n")
            connections.close_all()
            code = 0
        except Exception:  # noqa: BLE001 - the fork would go on as its parent
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writes)
    with os.fdopen(reads) as lines:
        found = list(map(json.loads, lines))
    return found, os.waitpid(child, 0)[1] == 0


def _measured(asked: Asked, body: Body) -> Cost:
    from tests.costly_site import forget

    forget()
    gc.collect()
    TRIM(0)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)  # which ends this process
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again
    before, begun = _peak(), _seconds()
    answer = send(asked, body)
    size = sum(map(len, answer))
    seconds, megabytes = _seconds() - begun, (_peak() - before) / 1024
    signal.setitimer(signal.ITIMER_PROF, 0)
    return Cost(seconds, megabytes, answer.status_code, size)


def _peak() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def _seconds() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


class Stored:
    """The database as a file, which is put back after each request that wrote to it."""

    def __init__(self, place: Path) -> None:
        from django.db import connection, connections

        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connections.close_all()
        self.place, self.pristine = place, place.with_suffix(".pristine")
        shutil.copyfile(place, self.pristine)
        self.state = self._state()

    def _state(self) -> list[tuple[int, int]]:
        beside = self.place.with_name(f"{self.place.name}-wal")
        return [
            (p.stat().st_mtime_ns, p.stat().st_size) for p in (self.place, beside) if p.exists()
        ]

    def put_back(self) -> None:
        """Undo what was written."""
        if self._state() != self.state:
            for end in ("-wal", "-shm"):
                self.place.with_name(f"{self.place.name}{end}").unlink(missing_ok=True)
            shutil.copyfile(self.pristine, self.place)
            self.state = self._state()


def told_in_a_row(share: float, shape: str, asked: Asked, told: Cost) -> str:
    """Return a row of a table."""
    figures = f"{told.seconds:.2f} s | {told.megabytes:.0f} MB | {told.answer // 1000} kB"
    line = f"| {asked.method} {asked.name} | {shape} | {asked.role} | {told.status} | {figures} |"
    return f"{line} BEYOND" if share > 1 or told.failed else line


def main(*chosen: str) -> int:
    """Print the dearest shape of each address, or all of those chosen; 1 beyond the bounds."""
    from tests.measures.dearest import folder, kept, scenes
    from tests.measures.site import busy

    load, begun = busy(), time.monotonic()
    around = scenes(
        cards=not chosen or any(map(re.compile("deck|cards|format|valid").search, chosen))
    )
    known_calls = list(everything(around, chosen))
    if any(asked.files for asked, _schema in known_calls):
        kept(folder())
    stored = Stored(folder() / "site.sqlite3")
    gc.freeze()
    found, sent = [], 0
    for asked, schema in known_calls:
        known = surveyed(asked, schema)
        sent += len(known)
        shares = [told.share(asked.who) for _shape, told in known]
        rows = []
        dear = sorted(range(len(known)), key=shares.__getitem__)[-FINALISTS:]
        broken = [at for at, (_shape, told) in enumerate(known) if told.failed]
        for at in dict.fromkeys(dear + broken):
            shape, told = known[at]
            for _ in range(1 + AGAIN) if shares[at] > SMALL else ():
                told = cost(asked, schema, at)
                stored.put_back()
                if told.share(asked.who) < 1:
                    break
            rows.append((told.share(asked.who), shape, asked, told))
        rows.sort(key=lambda row: -row[0])
        if not chosen:
            rows = [row for row in rows if row[0] > 1 or row[3].failed] or rows[:1]
        found += rows
        for row in rows:
            sys.stderr.write(f"{time.monotonic() - begun:.0f} s {told_in_a_row(*row)}\n")
    found.sort(key=lambda row: -row[0])
    bad = sum(share > 1 or told.failed for share, _shape, _asked, told in found)
    for row in found:
        sys.stdout.write(f"{told_in_a_row(*row)}\n")
    spent = time.monotonic() - begun
    sys.stdout.write(
        f"| {len(known_calls)} addresses | {sent} requests in {spent:.0f} s | {bad} beyond their "
        f"bounds | load {load} |\n"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    import logging

    import django

    from tests.database import migrated

    with TemporaryDirectory() as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "0", "ENV_FILE": ""}
        os.environ |= {"ALLOWED_HOSTS": "testserver", "SECRET_KEY": "only-for-measuring-" * 4}
        os.environ |= {"DATABASE_URL": f"sqlite:///{folder}/site.sqlite3", "FINISHED_PAGES": "0"}
        os.environ["API_REQUESTS_PER_MINUTE"] = "10000000"
        migrated(Path(folder) / "site.sqlite3")
        django.setup()
        logging.disable(logging.CRITICAL)
        sys.exit(main(*sys.argv[1:]))
