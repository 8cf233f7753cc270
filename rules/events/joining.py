"""How a phone is signed in as a player: codes of requests that wait, and when one click confirms.

Source: the specification *One code for everybody*. A request has a code, which people see, and a
secret of its phone. The code alone opens nothing.
"""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from hmac import compare_digest

from rules.errors import RuleError

LASTS = timedelta(minutes=15)
"""How long a request waits for the staff."""
RESTS = timedelta(hours=1)
"""How long the code of a request that is over is not given again."""
MOST_FOR_PLAYER = 3
"""Requests that may wait for one player."""
MOST_A_PLAYER = 2
"""Requests that may wait in an event for each of its players."""
DIGITS = 4


def oldest_valid_request(now: datetime) -> datetime:
    """Return the moment after which a sign-in request must have been made to be valid."""
    return now - LASTS


def deletion_cutoff(now: datetime) -> datetime:
    """Return the moment before which requests are deleted and their codes reusable."""
    return now - LASTS - RESTS


def check_event_not_over(over: bool) -> None:
    """Raise RuleError ``event_finished`` if the event is over."""
    if over:
        raise RuleError("event_finished", "The event is finished.")


def check_request_limit(*, for_player: int, in_event: int, players: int) -> None:
    """Raise RuleError ``ask_at_the_desk`` if too many sign-in requests are waiting.

    ``for_player`` is the number of requests waiting for the player, ``in_event`` that of the event;
    ``players`` is the event's number of players.
    """
    if for_player >= MOST_FOR_PLAYER or in_event >= MOST_A_PLAYER * players:
        raise RuleError("ask_at_the_desk", "Too many phones are waiting. Go to the desk.")


def pick_free_code(taken: Collection[str], chosen: Callable[[int], int]) -> str:
    """Return a random four-digit code that is not taken.

    ``chosen(n)`` returns a random number below n. Raises RuleError ``ask_at_the_desk`` if all are
    taken.
    """
    gone = set(taken)
    free = [code for n in range(10**DIGITS) if (code := f"{n:0{DIGITS}}") not in gone]
    if not free:
        raise RuleError("ask_at_the_desk", "Too many phones are waiting. Go to the desk.")
    return free[chosen(len(free))]


def needs_code(*, held: bool, waiting: int) -> bool:
    """Return whether staff must type the code of a sign-in request to accept it.

    ``held``: another device is already signed in as the player; ``waiting``: number of requests for
    the player.
    """
    return held or waiting > 1


def check_code(typed: str, code: str, *, needed: bool) -> None:
    """Raise RuleError ``code_wrong`` unless the typed code is that of the request.

    An empty text is accepted if no code is ``needed``.
    """
    typed = typed.strip()
    if not typed and not needed:
        return
    if not typed:
        raise RuleError("code_wrong", "Enter the code shown on the new phone.")
    if not compare_digest(typed.encode(), code.encode()):
        raise RuleError("code_wrong", "Enter the code shown on the new phone.")
