"""Ten thousand requests with something wrong in them, which reach a view: none breaks it.

``make measure-mutations``; arguments: how many that reach a view, and the seed. Requests that
somebody could make now (``tests/lives/acts.py``) get one to three fields spoilt and go to a view by
Django's own test client. No answer may be a server error, and every event is verified afterwards.
"""

import copy
import random
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.measures.site import Site, busy, report

REQUESTS, EACH_EVENT = 10_000, 500
SPOILT: tuple[Any, ...] = (
    *("", " ", "\x00", "a\x00b", "-1", "0", "1.5", "1e9", "NaN", "²", "١٢", "9" * 30, "9" * 5000),
    *("x" * 100_001, "<b>", "%00", "null", "\u202eabc", "é" * 81, "2026-02-30T25:61"),
    *(None, True, False, -1, 0, 2**31, 2**63, 1.5, [], {}, [[]], {"a": {}}, ["x"] * 600),
)


SENT = """
import logging, random
from tests.measures.mutations import sent
logging.disable(logging.CRITICAL)
print(json.dumps(sent({requests}, random.Random({seed}))))
"""


def spoil(body: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a body with one to three of its fields spoilt, gone or doubled, at any depth."""
    spoilt = copy.deepcopy(dict(body))
    for _ in range(chance.randint(1, 3)):
        field = chance.choice([*spoilt, "version", "text", "zibibbo"])
        way = chance.random()
        if way < 0.15:
            spoilt.pop(field, None)
        elif way < 0.3 and isinstance(spoilt.get(field), list) and spoilt[field]:
            spoilt[field] = [*spoilt[field], chance.choice(SPOILT)]
        else:
            spoilt[field] = chance.choice(SPOILT)
    return spoilt


def main(requests: int = REQUESTS, seed: int = 0) -> int:
    """Send them; print what was answered; 1 where anything broke or was not verified."""
    before = busy()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        statuses, found = site.prepare(SENT.format(requests=requests, seed=seed))
        faults = site.faults()
    for line in [*found, *faults]:
        sys.stdout.write(f"{line}\n")
    told = ", ".join(f"{status}: {n}" for status, n in sorted(statuses.items()))
    many = f"{sum(statuses.values())} requests that reached a view"
    report(before, site.database, many, told, f"{len(found)} broke", f"verify: {len(faults)}")
    return 1 if found or faults else 0


def sent(requests: int, chance: random.Random) -> tuple[Counter[int], list[str]]:
    """Return the statuses of requests that reached a view, and which of them broke it."""
    from tests.lives.event import started_event

    statuses: Counter[int] = Counter()
    found: list[str] = []
    while sum(statuses.values()) < requests:
        event = started_event(
            "swiss-cut", 8, format="doomtrooper-original", options={"rounds": 3, "cut": 4}
        )
        goal = min(requests, sum(statuses.values()) + EACH_EVENT)
        spoil_event(event.slug, goal, chance, statuses, found)
    return statuses, found


def spoil_event(
    slug: str, goal: int, chance: random.Random, statuses: Counter[int], found: list[str]
) -> None:
    """Send mutated requests of an event until ``goal`` reached a view, some of them valid."""
    from django.test import Client

    from accounts.models import User
    from tests.lives.acts import asked, onward
    from tests.lives.stress import ACTS

    browsers: dict[int, Client] = {}
    for _ in range(EACH_EVENT * 10):
        if sum(statuses.values()) >= goal:
            return
        ask = asked(slug, chance.choice(ACTS), chance.choice) or onward(slug, chance.choice)
        if ask is None:
            return
        if ask.method == "service":  # it has no address of its own
            continue
        if ask.user not in browsers:
            browsers[ask.user] = Client(raise_request_exception=False, SERVER_NAME="localhost")
            browsers[ask.user].force_login(User.objects.get(pk=ask.user))
        if chance.random() > 0.05:
            ask = replace(ask, body=spoil(dict(ask.body), chance))
        answer = answer_to(browsers[ask.user], ask)
        if answer.resolver_match is not None:
            statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            found.append(f"{answer.status_code}: {ask.method} {ask.path} {str(ask.body)[:300]}")


def answer_to(browser: Any, ask: Any) -> Any:
    """Send a request; a form's fields as texts, or as several texts of one name."""
    if ask.form:
        fields = {
            name: [str(each) for each in value] if isinstance(value, list) else str(value)
            for name, value in ask.body.items()
        }
        return browser.post(ask.path, fields)
    call = getattr(browser, ask.method)
    return call(ask.path, dict(ask.body), content_type="application/json")


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
