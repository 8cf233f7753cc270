"""Every operation of the API asked by its schema, of objects that exist, as four roles.

``make measure-schema``; arguments: examples of each operation, then roles (all of them). It uses
schemathesis: no answer may be a server error, and none may be of a status, a type or a shape that
the schema does not name; what the schema forbids must be refused. What only the rules can refuse
is a documented 400 or 409. Prints the number of requests and each failure.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.measures.site import Site, busy, report
from tests.servers.running import ROOT

EXAMPLES = 50
ROLES = ("nobody", "player", "judge", "organiser")
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "negative_data_rejection"),
)
REFUSED = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 429]
"""A tag that is out of date is looked at before the body: 412 for a wrong body too."""
EVENTS = """
from tournaments.models import Entry, StaffRole
from tournaments.snapshots.services import take_snapshot
by, judge, player = make.organiser(), make.user(), make.user()
kept, doomed, matches, snapshots = [], [], [], []
for number in range(9):
    if number % 3 == 0:
        event = make.open_event(by, format="creatures-of-exo", formula="single-group")
        make.players(event, 4, by)
    else:
        event = make.playing(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})
        matches += event.rounds.get().matches.values_list("pk", flat=True)
        snapshots.append(take_snapshot(event, "round.discarded", by=by).pk)
    if number == 5:
        make.play_round(event.rounds.get(), by)
        make.play_event(event, by)
    StaffRole.objects.create(event=event, user=judge, role=StaffRole.Role.JUDGE)
    Entry.objects.filter(event=event, number=1).update(user=player)
    (doomed if number > 5 else kept).append(event.slug)
print(json.dumps({
    "emails": {"player": player.email, "judge": judge.email, "organiser": by.user.email},
    "kept": kept, "doomed": doomed, "matches": matches, "snapshots": snapshots,
}))
"""


def configuration(made: dict[str, Any], token: str) -> str:
    """Return what schemathesis is told: who asks, and the objects that there are."""
    known: dict[str, list[Any]] = {
        "events": made["kept"],
        "doomed": made["doomed"],
        "matches": made["matches"],
        "snapshots": made["snapshots"],
        "formats": ["creatures-of-exo", "thoom", "saint-seiya"],
        "formulas": ["swiss-cut", "single-group"],
        "small": [1, 2, 3, 4],
    }
    lines = ["[checks.negative_data_rejection]", f"expected-statuses = {REFUSED}\n"]
    lines += [f"[dictionaries.{name}]\nvalues = {json.dumps(v)}\n" for name, v in known.items()]
    for place, values in (
        *(("slug", "events"), ("match_id", "matches"), ("snapshot_id", "snapshots")),
        *(("number", "small"), ("ordinal", "small"), ("a", "small"), ("b", "small")),
    ):
        lines.append(f'[parameters."path.{place}"]\ndictionary = "{values}"\nprobability = 0.9\n')
    for pattern, values in (("/formats/", "formats"), ("/formulas/", "formulas")):
        lines.append(operations(f'include-path-regex = "{pattern}"', values))
    lines.append(
        operations('include-path = "/api/v1/events/{slug}/"\ninclude-method = "DELETE"', "doomed")
    )
    if token:
        lines.insert(0, f'headers = {{ Authorization = "Token {token}" }}\n')
    return "\n".join(lines)


def operations(which: str, values: str) -> str:
    """Return a section for the operations that take other slugs."""
    bound = f'[operations.parameters."path.slug"]\ndictionary = "{values}"\nprobability = 0.9\n'
    return f"[[operations]]\n{which}\n{bound}"


def main(examples: int = EXAMPLES, *roles: str) -> int:
    """Ask as each role on a site of its own; 1 where anything failed."""
    failed = 0
    for role in roles or ROLES:
        before = busy()
        with tempfile.TemporaryDirectory() as folder:
            site = Site(Path(folder))
            made = site.prepare(EVENTS)
            token = site.token(made["emails"][role]) if role != "nobody" else ""
            config = Path(folder) / "schemathesis.toml"
            config.write_text(configuration(made, token))
            with site.serving():
                done = asked(site, config, examples)
            server = site.log.read_text()
        failed += done.returncode != 0 or "Traceback" in server
        sys.stdout.write(done.stdout + done.stderr)
        last = [line.strip() for line in done.stdout.splitlines() if "generated" in line]
        said = "; ".join(last) or f"exit {done.returncode}"
        report(before, site.database, role, said, f"tracebacks: {server.count('Traceback')}")
    return 1 if failed else 0


def asked(site: Site, config: Path, examples: int) -> subprocess.CompletedProcess[str]:
    """Let schemathesis ask a site."""
    program = "from schemathesis.cli import schemathesis; schemathesis()"
    address = f"http://127.0.0.1:{site.port}"
    command = [sys.executable, "-c", program, "--config-file", str(config), "run"]
    command += [f"{address}/api/schema/", "--url", address, "--checks", ",".join(CHECKS)]
    command += ["--max-examples", str(examples), "--seed", "1", "--continue-on-failure"]
    command += ["--phases", "examples,coverage,fuzzing", "--no-color", "--warnings", "off"]
    command += ["--suppress-health-check", "all", "--no-shrink"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2]), *sys.argv[2:]))
