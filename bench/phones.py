"""Phones that keep asking a site, each on a connection of its own, beside a desk that saves.

A program of its own, so that its share of the processor is known: the work is read as JSON from
the standard input (:class:`Crowd`), what was measured is written as JSON to the standard output.
"""

import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Crowd:
    """Who asks for what: ``phones`` are (path, headers) each, ``results`` are (path, body) to save.

    Phones ask every ``period`` seconds, beginning at random moments of the first one; results come
    ``rate`` a second. What is asked in the first ``period`` is not counted.
    """

    port: int
    host: str
    seconds: float
    phones: list[tuple[str, dict[str, str]]]
    period: float = 10.0
    results: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    saving: dict[str, str] = field(default_factory=dict)
    rate: float = 2.0


@dataclass
class Told:
    """What was measured: milliseconds of counted answers by path, faults, processor in seconds."""

    asked: dict[str, list[float]] = field(default_factory=dict)
    saved: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    processor: float = 0.0
    seconds: float = 0.0


def asking(crowd: Crowd) -> dict[str, Any]:
    """Run a crowd in a process of its own; return what it measured."""
    command = [sys.executable, "-m", "bench.phones"]
    given = json.dumps(asdict(crowd)).encode()
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True)  # noqa: S603
    return dict(json.loads(done.stdout))


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))] if values else float("inf")


class Phone:
    """One client with one connection, opened anew when the server has closed it."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, head: bytes, body: bytes = b"") -> tuple[int, str]:
        """Return status and ETag of an answer."""
        for again in (True, False):
            if self.writer is None or self.writer.is_closing():
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.crowd.port
                )
            try:
                self.writer.write(head + body)
                return await self._answer()
            except (ConnectionError, asyncio.IncompleteReadError):
                self.writer.close()
                self.writer = None
                if not again:
                    raise
        raise ConnectionError

    async def _answer(self) -> tuple[int, str]:
        reader = self.reader
        if reader is None:
            raise ConnectionError
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _colon, value in (line.partition(":") for line in lines[1:])
        }
        await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close" and self.writer is not None:
            self.writer.close()
        return int(lines[0].split()[1]), headers.get("etag", "")


def request(method: str, path: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """Return the head of a request."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def polls(crowd: Crowd, told: Told, path: str, own: dict[str, str], until: float) -> None:
    """Ask again and again, with the tag of the last answer, as the site's pages do."""
    phone, tag, counted = Phone(crowd), "", False
    usual = {"Host": crowd.host, "Accept-Encoding": "gzip", "HX-Request": "true", **own}
    await asyncio.sleep(random.random() * crowd.period)  # noqa: S311 - when a phone begins
    while (began := time.monotonic()) < until:
        sent = {**usual, **({"If-None-Match": tag} if tag else {})}
        try:
            async with asyncio.timeout(60):
                status, tag = await phone.ask(request("GET", path, sent.items()))
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
            told.faults.append(f"{type(fault).__name__}: {fault}")
            phone = Phone(crowd)
            status = 0
        took = time.monotonic() - began
        told.statuses[str(status)] = told.statuses.get(str(status), 0) + 1
        if status not in (0, 200, 304):
            told.faults.append(f"{path}: {status}")
        if counted and status:
            told.asked.setdefault(path, []).append(1000 * took)
        counted = True
        rest = crowd.period * (0.95 + 0.1 * random.random())  # noqa: S311 - as browsers do
        await asyncio.sleep(max(0.0, rest - took))
    if phone.writer is not None:
        phone.writer.close()


async def saves(crowd: Crowd, told: Told, until: float) -> None:
    """Save results at a steady rate, one after another."""
    desk = Phone(crowd)
    await asyncio.sleep(crowd.period / 2)
    for number, (path, values) in enumerate(crowd.results):
        began = time.monotonic()
        if began >= until:
            return
        body = json.dumps(values).encode()
        sent = {"Host": crowd.host, "Content-Type": "application/json", **crowd.saving}
        sent["Content-Length"] = str(len(body))
        try:
            status, _tag = await desk.ask(request("PUT", path, sent.items()), body)
        except (OSError, asyncio.IncompleteReadError) as fault:
            told.faults.append(f"save: {type(fault).__name__}: {fault}")
            desk, status = Phone(crowd), 0
        took = time.monotonic() - began
        if status not in (0, 200):
            told.faults.append(f"save {number}: {status}")
        told.saved.append(1000 * took)
        await asyncio.sleep(max(0.0, 1 / crowd.rate - took))


async def gathered(crowd: Crowd) -> Told:
    """Run everybody at once."""
    told, began = Told(), time.monotonic()
    until = began + crowd.seconds + crowd.period
    await asyncio.gather(
        saves(crowd, told, until),
        *(polls(crowd, told, path, own, until) for path, own in crowd.phones),
    )
    told.seconds = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    told.processor = used.ru_utime + used.ru_stime
    return told


def main() -> None:
    """Read, run, write."""
    given = json.load(sys.stdin)
    needed = len(given["phones"]) + 200
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, needed), hard), hard))
    json.dump(asdict(asyncio.run(gathered(Crowd(**given)))), sys.stdout)


if __name__ == "__main__":
    main()
