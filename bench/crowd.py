"""A hall that reads: finished pages against a bare Django view, stampedes, phones that keep asking.

``python -m bench.crowd [warm] [stampede] [hall] [laptop] [cold]`` (none: all of them) prints each
figure with its goal, the server, the client's share of the processor and the load of others.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from threading import Event, Thread

from bench import cold
from bench.hall import HOST, THREADS, WORKERS, Hall, gunicorn, nginx
from bench.phones import Crowd, asking, p95
from bench.timing import Figure, Watch, halves, only_on, processor_of, show
from tests.servers import running

SLICE = 4
"""Seconds of each slice of the alternating runs."""
TURNS = 3
SAVE = 150
"""Milliseconds that the desk's save may take beside a crowd."""


def wrk(port: int, path: str, seconds: float, headers: dict[str, str]) -> float:
    """Ask for a page on 64 connections; return the requests a second."""
    if running.needs("wrk"):
        raise SystemExit("Install wrk first: apt-get install wrk")
    named = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    address = f"http://{HOST}:{port}{path}"
    command = ["wrk", "-t2", "-c64", f"-d{seconds}s", *named, address]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    said = done.stdout
    if "Non-2xx" in said and "If-None-Match" not in headers:
        raise ConnectionError(said)
    return float(said.partition("Requests/sec:")[2].split()[0])


def warm(folder: Path) -> Iterator[Figure]:
    """Yield the ratios of finished pages and 304 to hello, by requests a second and processor.

    Servers and wrk have cores of their own: what wrk needs to read an answer, it would take from
    the server, and a page has more to read than hello.
    """
    hall = Hall(folder, 128)
    servers, clients = halves()
    with (
        only_on(servers),
        gunicorn("config.wsgi", folder) as (port, site),
        gunicorn("bench.hello:application", folder) as (bare, other),
        only_on(clients),
    ):
        path, usual = hall.page(), {"Accept-Encoding": "gzip"}
        tag = running.ask(port, path, headers={"Host": f"{HOST}:{port}"}).headers["ETag"]
        for title, headers in (("page", usual), ("304", usual | {"If-None-Match": tag})):
            speed, cost = [], []
            for _turn in range(TURNS):
                ours, ours_cost = _slice(port, site, path, headers)
                hello, hello_cost = _slice(bare, other, "/hello", usual)
                speed.append(ours / hello)
                cost.append(hello_cost / ours_cost)
            name = f"warm pairings of 128, {title}, gunicorn {WORKERS} x {THREADS}"
            yield Least(f"{name}: {ours:.0f} of {hello:.0f} req/s", median(speed), 1.5)
            yield Least(f"{name}: hello's processor a request", median(cost), 1.5)


class Least(Figure):
    """A number that should not be below its goal."""

    def __str__(self) -> str:
        sign = ">=" if self.value >= self.goal else "< "
        return f"{self.name:<76} {self.value:8.2f}   {sign} {self.goal:g}"


class Share(Figure):
    """The shares of server and client, and the server's milliseconds a request."""

    def __str__(self) -> str:
        return f"{self.name}, {self.value:.2f} ms a request"


def _slice(port: int, pid: int, path: str, headers: dict[str, str]) -> tuple[float, float]:
    """Return requests a second and seconds of the server's processor for each."""
    before = processor_of(pid)
    speed = wrk(port, path, SLICE, headers)
    return speed, (processor_of(pid) - before) / (speed * SLICE)


def stampede(folder: Path) -> Iterator[Figure]:
    """Yield the renderings a second of a page asked for by 64 clients while results come."""
    hall, seconds = Hall(folder, 128), 12
    with gunicorn("config.wsgi", folder) as (port, _site):
        for name in ("pairings", "standings"):
            over, began = Event(), time.monotonic()
            count = Thread(target=_count, args=(folder, over, written := []))
            save = Thread(target=_save, args=(hall, port, seconds))
            count.start(), save.start()
            speed = wrk(port, hall.page(name), seconds, {"Accept-Encoding": "gzip"})
            over.set()
            took = time.monotonic() - began
            save.join(), count.join()
            title = f"stampede on {name} of 128, {speed:.0f} req/s: renderings a second"
            yield Figure(title, len(written) / took, 1.2)


def _count(folder: Path, over: Event, written: list[int]) -> None:
    """Note each time an answer that processes share is written."""
    shared, known = folder / "site.sqlite3.pages", set[tuple[str, int]]()
    first = True
    while not over.wait(0.02):
        for file in shared.glob("*.djcache"):
            try:
                seen = (file.name, file.stat().st_mtime_ns)
            except FileNotFoundError:
                continue
            if seen not in known:
                known.add(seen)
                if not first:
                    written.append(seen[1])
        first = False


def _save(hall: Hall, port: int, seconds: float) -> None:
    """Save a result a second, each once."""
    until = time.monotonic() + seconds
    while hall.matches and time.monotonic() < until:
        path, body = hall.results()[0]
        hall.matches.pop(0)
        headers = hall.saving() | {"Content-Type": "application/json", "Host": HOST}
        sent = json.dumps(body).encode()
        answer = running.ask(port, path, method="PUT", body=sent, headers=headers)
        if answer.status != 200:
            raise ConnectionError(answer.body)
        time.sleep(max(0.0, 1 - answer.seconds))


def phones(title: str, crowd: Crowd, pid: int, goal: float) -> Iterator[Figure]:
    """Yield the figures of a crowd: 95th percentiles in milliseconds, and faults.

    The crowd comes ``TURNS`` times, with results of its own each time: the medians of its figures.
    """
    before = processor_of(pid)
    turns = [asking(replace(crowd, results=crowd.results[turn::TURNS])) for turn in range(TURNS)]
    used, cores = processor_of(pid) - before, os.cpu_count() or 1
    seconds, client = (sum(told[name] for told in turns) for name in ("seconds", "processor"))
    shares = [each / seconds / cores for each in (used, client)]
    spent = 1000 * used / max(1, sum(sum(told["statuses"].values()) for told in turns))
    yield Share(f"{title}: processors, server {shares[0]:.0%}, client {shares[1]:.0%}", spent, 0)
    for path in sorted(turns[0]["asked"]):
        asked = [told["asked"][path] for told in turns]
        name = f"{title}, {path.rstrip('/').rpartition('/')[2]}: p95 ms of {len(asked[0])}"
        middle = median(map(median, asked))
        yield Figure(f"{name}, median {middle:.0f}", median(map(p95, asked)), goal)
    saved = [told["saved"] for told in turns]
    name = f"{title}: the desk's save, p95 ms of {len(saved[0])}"
    yield Figure(name, median(map(p95, saved)), SAVE)
    faults = [fault for told in turns for fault in told["faults"]]
    yield Figure(f"{title}: faults {faults[:2]}", len(faults), 0)


def hall(folder: Path) -> Iterator[Figure]:
    """Yield what 512 phones on pairings and 512 on their own pages feel, and the desk."""
    site, seconds = Hall(folder, 512, people=512), 30
    with gunicorn("config.wsgi", folder) as (port, pid):
        public = [(site.page(), {})] * 512
        own = [(f"/events/{site.slug}/me/now/", cookie) for cookie in site.cookies]
        crowd = Crowd(
            port, HOST, seconds, [*public, *own], results=site.results(), saving=site.saving()
        )
        yield from phones("512 + 512 phones of 512 players", crowd, pid, 50)


def laptop(folder: Path) -> Iterator[Figure]:
    """Yield what 10,000 phones on public pages of 1,024 players feel."""
    site, seconds = Hall(folder, 1_024, rounds=1), 30
    with gunicorn("config.wsgi", folder) as (behind, pid), nginx(folder, behind) as port:
        pages = [site.page(), site.page("standings")]
        crowd = Crowd(
            port,
            HOST,
            seconds,
            [(pages[number % 2], {}) for number in range(10_000)],
            results=site.results(),
            saving=site.saving(),
        )
        title = "10,000 phones, 1,024 players, behind nginx"
        yield from phones(title, crowd, pid, 50)


SUBJECTS = {
    "warm": warm,
    "stampede": stampede,
    "hall": hall,
    "laptop": laptop,
    "cold": cold.measure,
}


def main(names: list[str]) -> None:
    """Measure and print."""
    for name in names or list(SUBJECTS):
        subject = SUBJECTS[name]
        sys.stdout.write(f"\n{subject.__doc__.splitlines()[0]}\n" if subject.__doc__ else "")
        with tempfile.TemporaryDirectory() as folder, Watch() as watch:
            show(subject(Path(folder)))
        sys.stdout.write(f"  {watch}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
