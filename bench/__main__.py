"""Run benchmarks and print the figures with their goals: ``python -m bench [SUBJECT [NUMBER …]]``.

Without a subject all of ``USUAL``, on a temporary database; one that is named on that of
``DATABASE_URL``, if it is set, with the sizes given.
"""

import os
import sys
from importlib import import_module
from tempfile import TemporaryDirectory

import django
from django.core.management import call_command

from bench.timing import show

USUAL = (
    *("swiss", "tables", "scenarios", "standings", "pages", "results", "decks", "completion"),
    *("workbook", "mails", "series"),
)
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "DEBUG": "0",
    "ENV_FILE": "",
    "LOG_LEVEL": "ERROR",
    "ALLOWED_HOSTS": "localhost,testserver",
    "SECRET_KEY": "only-for-measuring-" * 4,
}


def main(named: str = "", *numbers: str) -> None:
    """Measure and print."""
    with TemporaryDirectory() as folder:
        if not named:
            os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/bench.sqlite3")
        os.environ |= SETTINGS
        django.setup()
        call_command("migrate", verbosity=0)
        for name in [named] if named else USUAL:
            subject = import_module(f"bench.{name}")
            sys.stdout.write(f"\n{subject.__doc__.splitlines()[0]}\n")
            show(subject.measure(*map(int, numbers)))


if __name__ == "__main__":
    main(*sys.argv[1:])
