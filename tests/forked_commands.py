"""Commands of ``manage.py``, each in a process of its own, without importing the project each time.

Importing takes longer than most commands run. So one process imports the project and then forks
for every command that it reads: the command has arguments, output, exit code, memory and locks of
its own. What a start from nothing does besides (``manage.py`` itself, ``.env``, the environment)
is not tried here.
"""

import atexit
import gc
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
USED = (
    *("migrate", "verify", "demo", "backup", "erase_person", "restore_backup"),
    *("move_database", "delete_event"),
)


class Nursery:
    """The process that has imported the project, at the other end of two pipes.

    ``env`` is its environment, and that of its commands.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked_commands"],
            cwd=ROOT,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.end)

    @property
    def pipes(self) -> tuple[IO[str], IO[str]]:
        """Return where commands are written, and where their outcomes are read."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def run(self, command: Sequence[str], database: Path | str) -> subprocess.CompletedProcess[str]:
        """Run a command on an SQLite file or a PostgreSQL database; whatever its exit code is."""
        asks, answers = self.pipes
        asks.write(json.dumps([command, str(database)]) + "\n")
        asks.flush()
        return subprocess.CompletedProcess(list(command), *json.loads(answers.readline()))

    def end(self) -> None:
        """Let the process end by itself."""
        asks, answers = self.pipes
        asks.close()
        answers.close()
        self.process.wait(60)


@cache
def nursery() -> Nursery:
    """Return the one of this process."""
    nowhere = Path(tempfile.gettempdir(), "girone-nowhere.sqlite3")
    own = {"ENV_FILE": "", "DATABASE_URL": f"sqlite:///{nowhere}"}
    return Nursery(os.environ | own)


def executed(command: Sequence[str]) -> int:
    """Execute a command line in this process, or Python code after ``-c``; return the exit code."""
    from django.core.management import execute_from_command_line

    try:
        if command[0] == "-c":
            exec(command[1], {"__name__": "__main__"})  # noqa: S102 - of a test
        else:
            execute_from_command_line(["manage.py", *command])
    except SystemExit as ended:
        if not isinstance(ended.code, str):
            return ended.code or 0
        sys.stderr.write(ended.code)
        return 1
    except Exception:  # noqa: BLE001 - as the interpreter would
        traceback.print_exc()
        return 1
    return 0


def point_at(database: str) -> None:
    """Use another database and the file beside it, as if ``DATABASE_URL`` had named it."""
    from django.conf import settings
    from django.db import connections

    connections["default"].settings_dict["NAME"] = database
    settings.ALIVE_FILE = f"{database}.alive"


def put_away() -> None:
    """Close the database, as the end of a process does: SQLite then keeps nothing beside it."""
    from django.db import connections

    connections.close_all()


def forked(command: Sequence[str], database: str) -> tuple[int, str, str]:
    """Execute a command in a fork of this process; return exit code, output and errors."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        sys.stdout.flush()
        child = os.fork()
        if not child:
            code = 1
            try:
                with Path(os.devnull).open() as nothing:
                    os.dup2(nothing.fileno(), 0)
                os.dup2(out.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                point_at(database)
                code = executed(command)
                put_away()
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        _child, status = os.waitpid(child, 0)
        for file in (out, errors):
            file.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), errors.read()


def forked_step(command: list[str], database: Path) -> subprocess.CompletedProcess[str]:
    """Stand in for ``restore_backup.run_command``, which starts a process from nothing."""
    return subprocess.CompletedProcess(command, *forked(command, str(database)))


def serve() -> None:
    """Execute what is read, line by line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.urls import get_resolver

    assert get_resolver().url_patterns  # what the checks before a command import
    for name in USED:
        for app in ("tournaments", "accounts", "config", "django.core"):
            try:
                import_module(f"{app}.management.commands.{name}")
            except ModuleNotFoundError:
                continue
    import_module("tournaments.management.commands.restore_backup").run_command = forked_step
    gc.freeze()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(forked(*json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
