"""Two processes that do the same thing at the same moment: one effect and one sentence."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.database import migrated

ROOT = Path(__file__).parents[2]
PLAYERS = 26

pytestmark = [pytest.mark.processes, pytest.mark.deep]


class Worker:
    """A running ``tests/processes/worker.py``."""

    def __init__(self, env: dict[str, str]) -> None:
        command = [sys.executable, "-m", "tests.processes.worker"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, line: str) -> None:
        """Send a command without waiting."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        """Wait for the answer."""
        return self.process.stdout.readline().strip()

    def do(self, line: str) -> str:
        """Send a command and wait for its answer."""
        self.ask(line)
        return self.answer()

    def stop(self) -> None:
        """Let the process end by itself."""
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("race")


@pytest.fixture(scope="module")
def workers(folder):
    env = os.environ | {"DATABASE_URL": f"sqlite:///{folder}/race.sqlite3"}
    migrated(folder / "race.sqlite3")
    both = [Worker(env), Worker(env)]
    yield both
    for worker in both:
        worker.stop()


@pytest.mark.parametrize("rounds", [6, pytest.param(50, marks=pytest.mark.deep)])
def test_two_processes_click_next_round_and_each_round_is_made_once(workers, rounds):
    first, second = workers
    slug = first.do(f"start {PLAYERS}")
    said = Counter()
    for number in range(1, rounds + 1):
        for worker in workers:
            worker.ask(f"draft {slug} {number}")
        said.update(worker.answer() for worker in workers)
        assert second.do(f"play {slug} {number}") == "played"
    assert said == {"made": rounds, "refused round_exists": rounds}
    assert first.do(f"verify {slug}").partition(" ")[2] == "[]"


@pytest.mark.deep
def test_two_processes_write_at_once_and_the_chain_holds(workers):
    first, second = workers
    slug = first.do(f"start {PLAYERS}")
    assert first.do(f"draft {slug} 1") == "made"
    lines = int(first.do(f"verify {slug}").partition(" ")[0])
    for rest, worker in enumerate(workers):
        worker.ask(f"share {slug} 1 {rest}")
    assert [worker.answer() for worker in workers] == ["shared", "shared"]
    lines += PLAYERS // 2
    assert second.do(f"verify {slug}") == f"{lines} []"
