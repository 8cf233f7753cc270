"""Every field of every table of an archive with wrong values: each is refused, nothing is stored.

``make measure-archives``; arguments: of how many cases one is tried, of the wrong values and of
those that do not fit. The archive is of an event in which no table is empty. *Wrong* values are
none that the field can hold (``tests/tournaments/archive/spoilt.py``). Those that *do not fit* are
taken from other rows, or are one more: they may be stored, if all that everybody sees can then be
drawn.
"""

import copy
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tests.measures.site import Site, busy, report

RESTORE = "/api/v1/events/restore/"
SEEN = ("/", "/feed/", "/events.ics", "/api/v1/events/")
OFTEN = 100
COUNTED = ("wrong", "refused", "unfit", "unfit_refused")
PAGES = ("", "rules/", "players/", "pairings/", "standings/")

TRIED = """
import logging
from tests.measures.archives import tried
logging.disable(logging.CRITICAL)
print(json.dumps(tried({wrong}, {unfit})))
"""


def main(wrong: int = 1, unfit: int = 4) -> int:
    """Try them; print what was answered; 1 where any was answered otherwise."""
    before = busy()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        found = site.prepare(TRIED.format(wrong=wrong, unfit=unfit))
    for line in found["faults"]:
        sys.stdout.write(f"{line}\n")
    cells = [
        f"{found['fields']} fields",
        f"{found['wrong']} wrong values: {found['refused']} refused with 400 and their path",
        f"{found['seconds']:.0f} s, {1000 * found['seconds'] / found['wrong']:.1f} ms each",
        f"{found['unfit']} that do not fit: {found['unfit_refused']} refused, the others are shown",
    ]
    report(before, site.database, *cells, f"{len(found['faults'])} faults")
    return 1 if found["faults"] else 0


def tried(wrong: int, unfit: int) -> dict[str, Any]:
    """Send the archives by the API; return counts, seconds and what was answered otherwise."""
    from django.core.cache import cache
    from django.test import Client

    from tests import factories as make
    from tests.tournaments.archive.filled import filled_event
    from tests.tournaments.archive.spoilt import fields_of, spoilt
    from tournaments.archive.writer import event_archive
    from tournaments.models import Event

    event = filled_event(make.organiser())
    document = json.loads(event_archive(event))
    event.entries.update(submission=None)
    event.delete()
    browser = Client(raise_request_exception=False, SERVER_NAME="localhost")
    browser.force_login(make.user())

    def sent(content: bytes) -> Any:
        told["sent"] += 1
        if told["sent"] % OFTEN == 0:
            cache.clear()  # how often somebody asked within a minute stands there
        return browser.post(RESTORE, content, "application/json")

    fields, faults, told = list(fields_of(document)), [], Counter[str]()
    cases = ((field, each) for field in fields for each in spoilt(document, field))
    begun = time.monotonic()
    for field, (value, content) in islice(cases, 0, None, wrong):
        told["wrong"] += 1
        answer = sent(content)
        said = answer.json() if answer.status_code == 400 else {}
        if said.get("code") == "archive_invalid" and said["path"].startswith(field.path):
            told["refused"] += 1
        else:
            faults.append(f"{field.path} = {str(value)[:60]!r}: {answer.status_code} {said}")
    seconds = time.monotonic() - begun
    if Event.objects.exists():
        faults.append("an event was stored")
    for path, content in islice(unfitting(document), 0, None, unfit):
        told["unfit"] += 1
        answer = sent(content)
        if answer.status_code == 400:
            told["unfit_refused"] += 1
        elif answer.status_code != 201:
            faults.append(f"{path}: {answer.status_code}")
        else:
            faults += [f"{path}: {line}" for line in _unseen(browser, answer.json()["slug"])]
            _removed()
    return {
        **{each: told[each] for each in COUNTED},
        "fields": len(fields),
        "seconds": seconds,
        "faults": faults,
    }


def unfitting(document: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield archives with one value of another row, or a number that is one more, and its path."""
    for table, rows in document["tables"].items():
        for column in rows[0] if rows else ():
            values = [row[column] for row in rows]
            first = values[0]
            others = [each for each in values[1:] if each != first][:2]
            if isinstance(first, int) and not isinstance(first, bool):
                others.append(first + 1)
            for other in others:
                changed = copy.deepcopy(document)
                changed["tables"][table][0][column] = other
                yield f"tables.{table}[0].{column} = {other!r}"[:120], json.dumps(changed).encode()


def _unseen(browser: Any, slug: str) -> Iterator[str]:
    """Yield the addresses that everybody asks for and that break."""
    for address in (*SEEN, *(f"/events/{slug}/{page}" for page in PAGES)):
        status = browser.get(address).status_code
        if status >= 500:
            yield f"{address} {status}"


def _removed() -> None:
    """Delete the events, so that the next one can have their address."""
    from decks.models import CardListVersion, HouseFormat
    from tournaments.models import Event, Match, SavedFormula

    for event in Event.objects.all():
        event.entries.update(submission=None)
        event.deck_checks.all().delete()
        Match.objects.filter(round__event=event).update(decision=None, state=Match.State.OPEN)
        event.rounds.all().delete()
        event.stages.all().delete()
        event.delete()
    for model in (HouseFormat, SavedFormula, CardListVersion):
        model._default_manager.all().delete()


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    sys.exit(main(*map(int, sys.argv[1:])))
