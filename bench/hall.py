"""A site whose event plays a round, and servers for it as the documentation has them."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers import documented, running

WORKERS, THREADS = "2", "4"
HOST = "localhost"
BEGIN = """
import json, sys
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from tests import factories as make
from tournaments.lots.services import draw_start_order
from tournaments.models import PersonalLink, TokenScope
from tournaments.pages.access import LINKS
from tournaments.players.services.entries import make_link
from tournaments.staff.services import create_event_token
from tournaments.starting.services import start_event
players, rounds, people = json.loads({given!r})
by = make.organiser()
event = make.open_event(by, formula="swiss-cut", decklists="off")
for begin in range(0, players, 500):
    names = [make.player_name(index) for index in range(begin, min(players, begin + 500))]
    make.players_more(event, names, by)
draw = draw_start_order(event=event, seed="seed", by=by)
start_event(event=event, draw_number=draw.number, by=by)
event.refresh_from_db()
for _ in range(rounds):
    make.play_round(make.next_round(event, by), by)
make.next_round(event, by)
token = create_event_token(event=event, level=TokenScope.Level.MANAGE, by=by)
keys = []
for entry in event.entries.order_by("number")[:people]:
    make_link(entry=entry, by=by)
    session = SessionStore()
    session[LINKS] = {{str(event.pk): PersonalLink.objects.latest("pk").pk}}
    session.save()
    keys.append(session.session_key)
matches = event.rounds.last().matches.exclude(state="final").order_by("pk")
print(json.dumps({{"slug": event.slug, "token": token, "sessions": keys,
    "cookie": settings.SESSION_COOKIE_NAME,
    "matches": [match.pk for match in matches]}}))
"""


class Hall:
    """A site with an event whose round is being played, and a server for it."""

    def __init__(self, folder: Path, players: int, *, rounds: int = 2, people: int = 0) -> None:
        self.folder = folder
        env = running.environment(folder)
        running.manage("migrate", "-v0", env=env)
        given = json.dumps([players, rounds, people])
        made = json.loads(running.python(BEGIN.format(given=given), env=env))
        self.slug, self.token, self.matches = made["slug"], made["token"], made["matches"]
        self.cookies = [{"Cookie": f"{made['cookie']}={key}"} for key in made["sessions"]]

    def page(self, name: str = "pairings") -> str:
        """Return the address of a page of the event."""
        return f"/events/{self.slug}/{name}/"

    def results(self) -> list[tuple[str, dict[str, Any]]]:
        """Return what the desk saves, one result for each table."""
        api = f"/api/v1/events/{self.slug}/matches"
        body = {"version": 0, "score": [40, 22]}
        return [(f"{api}/{match}/result/", body) for match in self.matches]

    def saving(self) -> dict[str, str]:
        """Return the headers of who may save."""
        return {"Authorization": f"Token {self.token}"}


@contextmanager
def gunicorn(
    application: str, folder: Path, workers: str = WORKERS, **more: str
) -> Iterator[tuple[int, int]]:
    """Serve an application as the documentation does; yield its port and process."""
    port = running.free_port()
    settings = {"LISTEN": f"127.0.0.1:{port}", "WORKERS": workers, "THREADS": THREADS, **more}
    settings |= {"API_REQUESTS_PER_MINUTE": "1000000", "LOG_LEVEL": "ERROR"}
    program = [sys.executable, "-m", "gunicorn"]
    command = [*program, "--config", "python:config.gunicorn", application]
    env = running.environment(folder, **settings)
    with running.program(command, folder / "server.log", cwd=running.ROOT, env=env) as server:
        running.until(lambda: running.ask(port, "/hello").status in (200, 404))
        yield port, server.pid


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[int]:
    """Run nginx with the site's limits of connections, without TLS; yield its port."""
    port = running.free_port()
    site = (
        f"server {{\nlisten 127.0.0.1:{port} backlog=4096;\nlocation / {{\n"
        f"proxy_pass http://127.0.0.1:{upstream};\nproxy_set_header Host $http_host;\n"
        "proxy_buffers 16 32k;\n}\n}\n"
    )
    with documented.nginx_of(folder, site, "worker_processes 2;"):
        running.until(lambda: running.ask(port, "/hello").status in (200, 404))
        yield port
