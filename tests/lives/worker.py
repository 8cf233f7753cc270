"""Processes of their own: they think of requests, send them, and look whether all is sound.

The first argument names two pipes for each process. Each line that one reads is JSON, each line
that it writes the answer. ``begin`` starts an event and answers its slug; ``plan`` answers as many
requests as are wanted, thought of in one moment; ``send`` says "ready", waits for a line and
answers the status; ``verify`` answers what is wrong.
"""

import gc
import json
import logging
import os
import random
import sys
import traceback
from dataclasses import asdict
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - Django must be set up first
from django.db import connections  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from accounts.models import User  # noqa: E402
from tests.lives.acts import asked, onward  # noqa: E402
from tests.lives.event import send, started_event  # noqa: E402
from tests.lives.present import Ask  # noqa: E402
from tournaments.core.event_state import load_facts  # noqa: E402
from tournaments.models import Event  # noqa: E402
from tournaments.verification.event import verify_event  # noqa: E402

BROWSERS: dict[int, Client] = {}


def begin(formula: str, players: int, options: dict[str, Any]) -> str:
    """Start an event."""
    return started_event(formula, players, format="doomtrooper-original", options=options).slug


def plan(slug: str, seed: str, acts: list[str]) -> list[dict[str, Any]]:
    """Return a request for each act, or for what the staff would do next where there is none."""
    chance = random.Random(seed)
    asks = []
    for name in acts:
        ask = asked(slug, name, chance.choice) or onward(slug, chance.choice)
        asks += [asdict(ask)] if ask else []
    return asks


def goes_on(slug: str) -> bool:
    """Return whether a stage is open."""
    return load_facts(Event.objects.get(slug=slug)).open_stage is not None


def verify(slug: str) -> list[str]:
    """Return the findings of verification."""
    return [str(finding) for finding in verify_event(Event.objects.get(slug=slug))]


def answer(ask: Ask) -> int:
    """Send a request when told to; return the status."""
    if ask.user not in BROWSERS:
        BROWSERS[ask.user] = Client(raise_request_exception=False, SERVER_NAME="localhost")
        BROWSERS[ask.user].force_login(User.objects.get(pk=ask.user))
    tell("ready")
    sys.stdin.readline()
    try:
        return send(BROWSERS[ask.user], ask)
    except Exception:  # noqa: BLE001 - what a page would answer 500 to
        traceback.print_exc()
        return 500


def tell(said: object) -> None:
    """Write a line."""
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def serve(takes: int, gives: int) -> None:
    """Answer the lines of one pipe in the other, until the first is closed."""
    os.dup2(takes, sys.stdin.fileno())
    os.dup2(gives, sys.stdout.fileno())
    os.closerange(3, max(end for pair in PIPES for end in pair) + 1)
    does = {"begin": begin, "plan": plan, "goes_on": goes_on, "verify": verify}
    for line in sys.stdin:
        command, *values = json.loads(line)
        tell(answer(Ask(**values[0])) if command == "send" else does[command](*values))


if __name__ == "__main__":
    PIPES = json.loads(sys.argv[1])
    if "deferred" in sys.argv:  # a planted fault: transactions that lock only when they write
        connections.databases["default"]["OPTIONS"] |= {"transaction_mode": "DEFERRED"}
    logging.disable(logging.CRITICAL)  # the statuses say it
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    assert get_resolver().url_patterns  # imported once, not by each
    gc.freeze()
    children = []
    for pair in PIPES:
        child = os.fork()
        if not child:
            serve(*pair)
            os._exit(0)
        children.append(child)
    for pair in PIPES:
        for end in pair:
            os.close(end)
    for child in children:
        os.waitpid(child, 0)
