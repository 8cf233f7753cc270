"""Two organisers who do the same at the same moment, 200 times, through a real server.

``make measure-organisers``, also on PostgreSQL; argument: how many times. Of each two exactly one
has its effect and the other is told so (409); afterwards everything is verified.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

from tests.measures.site import Site, busy, report
from tests.servers.running import Answer

TIMES, ROUNDS = 200, 50
EVENT = """
from tournaments.models import StaffRole
from tournaments.core.permissions import Actor
by = make.organiser()
event = make.started(by, 26, formula="single-group", options={"legs": 2})
other = make.user()
StaffRole.objects.create(event=event, user=other, role=StaffRole.Role.ORGANISER)
print(json.dumps([event.slug, by.user.email, other.email]))
"""


def both(asks: Sequence[Callable[[], Answer]]) -> tuple[int, int]:
    """Do two things at the same moment; return what they were answered, the lower first."""
    line = Barrier(2)

    def go(what: Callable[[], Answer]) -> int:
        line.wait()
        return what().status

    with ThreadPoolExecutor(2) as two:
        one, other = sorted(two.map(go, asks))
    return one, other


def main(times: int = TIMES) -> int:
    """Print what was answered; 1 where anything but one effect and one refusal was seen."""
    before, answered = busy(), Counter[tuple[str, int, int]]()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        done = 0
        with site.serving():
            while done < times:
                done += contested(site, answered, times - done)
        faults = site.faults()
    fine = {"round": (201, 409), "result": (200, 409)}
    wrong = sum(n for (act, *statuses), n in answered.items() if tuple(statuses) != fine[act])
    for (act, one, two), number in sorted(answered.items()):
        sys.stdout.write(f"{act}: {one} and {two}, {number} times\n")
    sys.stdout.write("".join(f"{line}\n" for line in faults))
    report(before, site.database, f"{done} times", f"{wrong} wrong", f"verify: {len(faults)}")
    return 1 if wrong or faults or not done else 0


def contested(site: Site, answered: Counter[tuple[str, int, int]], most: int) -> int:
    """Play one event, every act of it done by two; return how many times that was."""
    slug, *addresses = site.prepare(EVENT)
    tokens = [site.token(address) for address in addresses]
    calls = [partial(site.call, token=token) for token in tokens]
    done = 0
    for number in range(1, ROUNDS + 1):
        asks = [partial(call, "POST", f"events/{slug}/rounds/", body={}) for call in calls]
        answered["round", *both(asks)] += 1
        done += 1
        for match in matches(site, slug, number, tokens[0]):
            if done >= most:
                return done
            where = f"events/{slug}/matches/{match['id']}/result/"
            bodies = [{"version": match["version"], "score": score} for score in ([3, 1], [1, 3])]
            asks = [partial(c, "PUT", where, body=b) for c, b in zip(calls, bodies, strict=True)]
            answered["result", *both(asks)] += 1
            done += 1
    return done


def matches(site: Site, slug: str, number: int, token: str) -> list[dict[str, Any]]:
    """Return the matches of a round."""

    said = json.loads(site.call("GET", f"events/{slug}/matches/?round={number}", token).body)
    return list(said["results"] if isinstance(said, dict) else said)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
