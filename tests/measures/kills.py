"""The server killed (SIGKILL) in the middle of results, again and again: what it said is kept.

``make measure-kills`` kills 100 times on SQLite, 30 times on PostgreSQL; argument: how many times.
After each kill every result that was acknowledged is looked for by its match and version and
compared; at the end the database is checked and every event verified.
"""

import http.client
import json
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Signal
from typing import Any

from tests.measures.site import Site, busy, kill, percentile, report

KILLS = {"SQLite": 100, "PostgreSQL": 30}
WRITERS, MATCHES = 4, 32
A_MINUTE = 60.0
EVENT = f"""
by = make.organiser()
event = make.playing(by, {MATCHES * 2}, formula="swiss-cut", options={{"rounds": 6, "cut": 0}})
ids = list(event.rounds.get().matches.order_by("table").values_list("pk", flat=True))
print(json.dumps([event.slug, by.user.email, ids]))
"""
STORED = """
from tournaments.models import Report
print(json.dumps(list(Report.objects.values_list("match_id", "version", "score_a", "score_b"))))
"""
Key = tuple[int, int]
Score = tuple[int, int]


@dataclass
class Venue:
    """An event, who writes its results, and what was acknowledged of them."""

    site: Site
    slug: str
    token: str
    versions: dict[int, int]
    acknowledged: dict[Key, Score] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    over: Signal = field(default_factory=Signal)
    begun: Signal = field(default_factory=Signal)

    def write(self, ours: list[int], chance: random.Random) -> None:
        """Send result after result of these matches until the server is gone."""
        while not self.over.is_set():
            match, version = (one := chance.choice(ours)), self.versions[one]
            a, b = chance.sample(range(50), 2)  # a draw may have to be played on
            score = (a, b)
            body: dict[str, Any] = {"version": version, "score": score, "note": "corrected"}
            path = f"events/{self.slug}/matches/{match}/result/"
            try:
                answer = self.site.call("PUT", path, self.token, body)
                said = json.loads(answer.body)
            except (OSError, http.client.HTTPException, ValueError):
                return  # not acknowledged: it may be stored or not
            if answer.status != 200:
                self.refused.append(f"{answer.status}: {said}")
                return
            self.versions[match] = said["version"]
            self.acknowledged[match, said["version"]] = score
            self.begun.set()

    def kill_once(
        self, running: subprocess.Popen[bytes], chance: random.Random
    ) -> subprocess.Popen[bytes]:
        """Let everybody write, kill the server a while after the first result was acknowledged.

        Returns one that runs again.
        """
        self.over.clear()
        self.begun.clear()
        try:
            with ThreadPoolExecutor(WRITERS) as writers:
                for number in range(WRITERS):
                    ours = list(self.versions)[number::WRITERS]
                    writers.submit(self.write, ours, random.Random(chance.random()))
                self.begun.wait(A_MINUTE)
                time.sleep(chance.uniform(0, 1.5))
                kill(running)
                self.over.set()
        finally:
            kill(running)
        began = time.monotonic()
        running = self.site.start()
        self.back.append(time.monotonic() - began)
        return running

    def lost(self) -> list[str]:
        """Return each acknowledged result that is not stored as it was sent."""
        stored = {(m, v): (a, b) for m, v, a, b in self.site.prepare(STORED)}
        for match, version in stored:
            self.versions[match] = max(self.versions[match], version)
        return [
            f"match {key[0]}, version {key[1]}: {score} acknowledged, {stored.get(key)} stored"
            for key, score in self.acknowledged.items()
            if stored.get(key) != score
        ]


def main(kills: int = 0, seed: int = 0) -> int:
    """Kill the server ``kills`` times; print the outcome; return 1 if a result was lost."""
    before, chance = busy(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        slug, address, ids = site.prepare(EVENT)
        venue = Venue(site, slug, site.token(address), dict.fromkeys(ids, 0))
        lost: list[str] = []
        kills = kills or KILLS[site.database]
        running = site.start()
        try:
            for number in range(1, kills + 1):
                running = venue.kill_once(running, chance)
                lost += venue.lost()
                if number % 10 == 0:
                    sys.stderr.write(f"{number} kills, {len(venue.acknowledged)} acknowledged\n")
        finally:
            kill(running)
        faults = site.faults()
    for line in [*lost, *venue.refused, *faults]:
        sys.stdout.write(f"{line}\n")
    back, many = percentile(venue.back, 0.5), len(venue.acknowledged)
    cells = (f"{kills} kills", f"{many} acknowledged", f"{len(lost)} lost")
    report(before, site.database, *cells, f"back in {back:.1f} s", f"verify: {len(faults)}")
    return 1 if lost or venue.refused or faults or not many else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
