"""Some 600 tamperings with honest events: which are noticed by ``verify``, or refused.

``make measure-tampering``; arguments: how many, and the seed. Each is made in a transaction that is
rolled back: something is written behind the program's back, perhaps a usual act follows, then
``verify`` is asked, with the digests that a transcript of before holds. Refused is an act that says
``kept_rows_differ``.
"""

import logging
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.measures.site import Site, busy, report

MANY, GOAL = 600, 0.97
SHARES = {
    "a row by SQL": 40,
    "beside the columns": 6,
    "by SQL, then announced": 22,
    "the log": 18,
    "kept rows": 10,
    "a snapshot": 4,
}
"""How many in a hundred are of a kind, where there are that many."""

TRIED = """
import logging
from tests.measures.tampering import tried
logging.disable(logging.CRITICAL)
print(json.dumps(tried({many}, {seed})))
"""


def main(many: int = MANY, seed: int = 1) -> int:
    """Make them; print how many of each kind are noticed and which are not; 1 below the goal."""
    before = busy()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        found = site.prepare(TRIED.format(many=many, seed=seed))
    kinds: dict[str, Counter[bool]] = defaultdict(Counter)
    for kind, name, said in found:
        kinds[kind][bool(said)] += 1
        if not said:
            sys.stdout.write(f"not noticed: {kind}: {name}\n")
    for kind, counts in kinds.items():
        sys.stdout.write(f"{kind}: {counts[True]} of {counts.total()}\n")
    noticed = sum(counts[True] for counts in kinds.values())
    made = sum(counts.total() for counts in kinds.values())
    share = noticed / made
    report(before, f"{made} tamperings", f"{noticed} noticed", f"{100 * share:.1f} %")
    return 0 if share >= GOAL else 1


def tried(many: int, seed: int) -> list[tuple[str, str, str]]:
    """Make them; return kind, name and what was said of each that the database took."""
    from tests import factories as make
    from tests.measures.tampered_events import honest_events
    from tests.measures.tamperings import tamperings

    by, chance = make.organiser(), random.Random(seed)
    by_kind: dict[str, list[Any]] = defaultdict(list)
    for called, event in honest_events(by):
        if said := _findings(event, {}):
            raise AssertionError(f"{called}: {said}")
        for one in tamperings(event, by, chance):
            by_kind[one.kind].append((called, event, one))
    found = []
    for kind, share in SHARES.items():
        every, due = by_kind[kind], many * share // 100
        chance.shuffle(every)
        done = (_one(called, event, one) for called, event, one in every)
        found += [each for each, _turn in zip((e for e in done if e), range(due), strict=False)]
    return found


def _one(called: str, event: Any, tampering: Any) -> tuple[str, str, str] | None:
    """Make one and take it back; return what was said of it, None where it changes nothing."""
    from django.db import DatabaseError, transaction

    from tournaments.models.tables import clear_row_marks

    clear_row_marks()
    held = dict(event.log.values_list("number", "digest"))
    try:
        with transaction.atomic():
            try:
                with transaction.atomic():
                    tampering.make()
            except DatabaseError:
                return None
            said = _refusal(tampering.then) or _findings(event, held)
            transaction.set_rollback(True)
    finally:
        clear_row_marks()
    return tampering.kind, f"{called}: {tampering.name}", said


def _refusal(acts: Iterable[Any]) -> str:
    """Do acts; return why one was refused as nobody may go on from there, empty if none was."""
    from django.core.exceptions import PermissionDenied
    from django.db import transaction

    from rules.errors import RuleError

    for act in acts:
        try:
            with transaction.atomic():
                act()
        except RuleError as refused:
            if refused.code == "kept_rows_differ":
                return refused.code
        except PermissionDenied:
            continue
        except Exception as fault:  # noqa: BLE001 - rows may hold anything, and nothing is stored
            return type(fault).__name__
    return ""


def _findings(event: Any, held: dict[int, str]) -> str:
    """Return the checks that find something; ``held`` are digests that somebody kept."""
    from tournaments.models import Event
    from tournaments.verification.event import compare_with_transcript, verify_event

    there = Event.objects.filter(pk=event.pk).first()
    if there is None:
        return "gone"
    found = [*verify_event(there), *compare_with_transcript(there, held)]
    return " ".join(sorted({finding.check for finding in found}))


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    sys.exit(main(*map(int, sys.argv[1:])))
