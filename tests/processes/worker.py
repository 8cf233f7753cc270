"""A process of its own that acts on one event: reads commands, answers a line for each.

``start PLAYERS`` makes and starts an event and answers its slug; ``draft SLUG ROUND`` makes and
publishes a round; ``play SLUG ROUND`` enters all its results, ``share SLUG ROUND REST`` those of
the matches whose number leaves this rest when it is halved; ``verify SLUG`` answers how many lines
the log has and what is found.
"""

import os
import sys
import traceback

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from rules.errors import RuleError  # noqa: E402
from tests import factories as make  # noqa: E402
from tournaments.core.permissions import Actor  # noqa: E402
from tournaments.models import Event  # noqa: E402
from tournaments.results.services import results  # noqa: E402
from tournaments.rounds import services as rounds  # noqa: E402
from tournaments.verification.event import verify_event  # noqa: E402


def start(players: str) -> str:
    """Return the slug of a running double round-robin group of this many players."""
    by = make.organiser()
    options = {"legs": 2}
    return make.started(by, int(players), formula="single-group", options=options).slug


def draft(slug: str, number: str) -> str:
    """Click "next round" as the organiser."""
    event = Event.objects.get(slug=slug)
    by = Actor(user=event.created_by)
    rounds.draft_round(event=event, expected_round=int(number), publish=True, by=by)
    return "made"


def play(slug: str, number: str) -> str:
    """Enter every result of a round."""
    event = Event.objects.get(slug=slug)
    make.play_round(event.rounds.get(ordinal=int(number)), Actor(user=event.created_by))
    return "played"


def share(slug: str, number: str, rest: str) -> str:
    """Enter every second result of a round, while somebody else enters the others."""
    event = Event.objects.get(slug=slug)
    by = Actor(user=event.created_by)
    matches = event.rounds.get(ordinal=int(number)).matches.select_related("round__event")
    for match in [each for each in matches if each.number % 2 == int(rest)]:
        results.decide_result(
            match=match, version=match.version, claim=make.a_wins(match, match.number), by=by
        )
    return "shared"


def verify(slug: str) -> str:
    """Return the number of log lines, and the findings of verification."""
    event = Event.objects.get(slug=slug)
    return f"{event.log.count()} {[str(each) for each in verify_event(event)]}"


COMMANDS = {"start": start, "draft": draft, "play": play, "share": share, "verify": verify}


def answer(line: str) -> str:
    """Return what a command did: its answer, ``refused CODE``, or ``error``."""
    command, *arguments = line.split()
    try:
        return COMMANDS[command](*arguments)
    except RuleError as error:
        return f"refused {error.code}"
    except Exception:  # noqa: BLE001 - the test fails on any other answer
        traceback.print_exc()
        return "error"


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(answer(line) + "\n")
        sys.stdout.flush()
