"""Eight requests at once, again and again, on one event: no crash, and the event stays sound.

Safety notes, F07. ``make stress`` runs five hundred rounds; arguments: rounds and seed.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.database import migrated

ROOT = Path(__file__).parents[2]
AT_ONCE = 8
EVENTS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("swiss-cut", 9, {"rounds": 5, "cut": 4}),
    ("mutant-chronicles", 12, {}),
    ("groups-knockout", 8, {}),
    ("single-elimination", 7, {}),
    ("single-group", 6, {"legs": 3}),
)
ACTS = (
    *("pair", "pair", "pair_at_the_desk", "publish", "drop", "enter_late", "report", "confirm"),
    *("decide", "decide", "decide", "type_a_result", "correct", "undo", "close", "lots"),
    *("come_back", "take_a_round_back", "take_a_stage_back", "second_leg", "strike", "redo"),
    *("change_a_draft", "change_a_draft", "extra_match", "discard_a_round", "disqualify"),
)


class Worker:
    """A process that runs ``tests/lives/worker.py``, at the other end of two pipes."""

    def __init__(self, reads: int, writes: int) -> None:
        self.reads = os.fdopen(reads, "r", encoding="utf-8")
        self.writes = os.fdopen(writes, "w", encoding="utf-8")

    def say(self, said: object) -> None:
        """Send a line."""
        self.writes.write(json.dumps(said) + "\n")
        self.writes.flush()

    def hear(self) -> Any:
        """Wait for a line."""
        return json.loads(self.reads.readline())

    def ask(self, *command: object) -> Any:
        """Send a command; return the answer."""
        self.say(command)
        return self.hear()

    def stop(self) -> None:
        """Let the process end by itself."""
        self.writes.close()
        self.reads.close()


def start(count: int, env: dict[str, str], *planted: str) -> tuple[Any, list[Worker]]:
    """Return a process and its forks, so that the project is imported once for all of them."""
    pipes = [(*os.pipe(), *os.pipe()) for _ in range(count)]
    theirs = [(takes, gives) for takes, _, _, gives in pipes]
    ends = [end for pair in theirs for end in pair]
    command = [sys.executable, "-m", "tests.lives.worker", json.dumps(theirs), *planted]
    process = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=ends)
    for end in ends:
        os.close(end)
    return process, [Worker(hears, says) for _, says, hears, _ in pipes]


class Venue:
    """A database, a process that invents requests, and eight that send them."""

    def __init__(self, folder: Path, seed: int, *planted: str) -> None:
        self.seed, self.chance = seed, random.Random(seed)
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.found: list[str] = []
        env = os.environ | {
            "DATABASE_URL": f"sqlite:///{folder}/stress.sqlite3",
            "LOG_LEVEL": "CRITICAL",
            "API_REQUESTS_PER_MINUTE": "100000",
        }
        migrated(folder / "stress.sqlite3")
        self.processes, workers = start(1 + AT_ONCE, env, *planted)
        self.director, *self.senders = workers

    def __enter__(self) -> "Venue":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _at: TracebackType
    ) -> None:
        for worker in (self.director, *self.senders):
            worker.stop()
        self.processes.wait(timeout=60)

    def play(self, rounds: int, *, until_found: bool = False) -> None:
        """Play this many rounds of eight requests, starting a new event when one is over.

        ``until_found`` leaves out the rounds after the first one with a fault.
        """
        slug, events = "", 0
        for number in range(rounds):
            if not slug or not self.director.ask("goes_on", slug):
                slug = self.director.ask("begin", *EVENTS[events % len(EVENTS)])
                events += 1
            asks = self.director.ask("plan", slug, f"{self.seed}:{number}", self.acts())
            self.at_once(asks, number)
            wrong = self.director.ask("verify", slug)
            self.found += [f"round {number}, {slug}: {line} after {asks}" for line in wrong]
            if until_found and self.found:
                return
            if (number + 1) % 100 == 0:
                sys.stderr.write(f"{number + 1} rounds, {events} events\n")

    def acts(self) -> list[str]:
        """Return the acts of eight people, sometimes the same for all."""
        if self.chance.random() < 0.1:
            return [self.chance.choice(ACTS)] * AT_ONCE
        return [self.chance.choice(ACTS) for _ in range(AT_ONCE)]

    def at_once(self, asks: Sequence[dict[str, Any]], number: int) -> None:
        """Send the requests at the same moment."""
        used = self.senders[: len(asks)]
        for worker, ask in zip(used, asks, strict=True):
            worker.say(["send", ask])
        for worker in used:
            assert worker.hear() == "ready"
        for worker in used:
            worker.say("go")
        for worker, ask in zip(used, asks, strict=True):
            status = worker.hear()
            self.statuses[ask["act"], status] += 1
            if status >= 500:
                self.found.append(f"round {number}: {status} for {ask}")

    def summary(self) -> str:
        """Return the responses counted by act and status."""
        lines = [f"{act} {status}: {n}" for (act, status), n in sorted(self.statuses.items())]
        return "\n".join([*lines, *self.found, f"seed {self.seed}, found: {len(self.found)}"])


def main(rounds: int = 500, seed: int = 0) -> int:
    """Play and print the outcome; return 1 if a fault was found."""
    with tempfile.TemporaryDirectory() as folder, Venue(Path(folder), seed) as venue:
        venue.play(rounds)
        sys.stdout.write(venue.summary() + "\n")
        return 1 if venue.found else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
