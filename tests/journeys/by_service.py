"""What a journey has done by hand, done once more by the services, on the file of its server.

Code of these functions runs in a fork of a process that has imported the project
(``tests/forked_commands.py``): no page is drawn. The server finds it as another desk's work.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from decks.decklists.samples import sample_deck
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.servers.running import commands
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.models import Event, Match, Round
from tournaments.rounds.services import publish_round

CALL = """
import json
from tests.journeys import by_service
print(json.dumps(by_service.{}(*json.loads({!r}))))
"""


def run(database: Path, name: str, *arguments: Any) -> Any:
    """Call a function of this module on a server's file; return what it returns."""
    done = commands().run(["-c", CALL.format(name, json.dumps(arguments))], database)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def hand_in(slug: str, numbers: Sequence[int]) -> int:
    """Hand a legal list in for each of these players, as the organiser; return how many."""
    event = Event.objects.select_related("created_by").get(slug=slug)
    entries = event.entries.filter(number__in=numbers).order_by("number")
    for entry in entries:
        text = sample_deck(event.format, entry.number)
        submit_decklist(entry=entry, text=text, by=Actor(user=event.created_by))
    return len(entries)


def play_stage(slug: str, order: Sequence[str], most: int) -> list[list[Any]]:
    """Play the stage in progress: the earlier in the order wins, with more points the earlier.

    So nobody is level with a player of another group, whoever was drawn into which. Return round,
    table, both names and the score of each match.
    """
    event = Event.objects.select_related("created_by").get(slug=slug)
    entered: list[list[Any]] = []

    def claim(match: Match, _index: int) -> Claim:
        names = (match.players[0].name, match.players[1].name)
        better = min(map(order.index, names))
        score = by_strength(order, most + len(order) - better)(*names)
        entered.append([match.round.ordinal, match.table, *names, score])
        return Claim(score=score)

    by = Actor(user=event.created_by)
    for item in event.rounds.filter(state=Round.State.DRAFT):  # made with the closing before
        make.play_round(publish_round(event=event, ordinal=item.ordinal, by=by), by, claim)
    make.play_stage(event, by, claim)
    return entered


def by_strength(order: Sequence[str], most: int = 40) -> Callable[[str, str], tuple[int, int]]:
    """Return scores by which whoever stands earlier in the order wins."""

    def score(a: str, b: str) -> tuple[int, int]:
        first, second = order.index(a), order.index(b)
        fewer = 30 - 2 * max(first, second)
        return (most, fewer) if first < second else (fewer, most)

    return score
