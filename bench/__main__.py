"""Run all benchmarks on a temporary database and print the ratios."""

import os
import sys
from tempfile import TemporaryDirectory

import django

with TemporaryDirectory() as folder:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
    os.environ["DEBUG"] = "0"
    django.setup()

    from django.core.management import call_command

    from bench import (
        completion,
        decks,
        pages,
        results,
        scenarios,
        standings,
        swiss,
        tables,
        workbook,
    )
    from bench.timing import show

    call_command("migrate", verbosity=0)
    for subject in (
        swiss,
        tables,
        scenarios,
        standings,
        pages,
        results,
        decks,
        completion,
        workbook,
    ):
        sys.stdout.write(f"\n{subject.__doc__.splitlines()[0]}\n")
        show(subject.measure())
