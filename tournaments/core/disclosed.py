"""What everybody can read of an event, compared before and after an act.

``hidden_since`` names what an act hides, for its line in the log. Where hiding a table that was
shown is not what the act is about, ``keep_standings`` keeps it shown.
"""

from dataclasses import dataclass

from tournaments.core.event_state import load_facts
from tournaments.core.visibility import lists_published
from tournaments.models import Event

OF_A_ROUND = "round "
"""What stands before the ordinal of a round in :func:`hidden_since`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosed:
    """The public content of an event: pages by their code in the log, rounds by ordinal.

    ``standings`` is the round after which standings are shown, 0 before the first.
    """

    pages: tuple[str, ...]
    rounds: tuple[int, ...]
    standings: int


def disclosed(event: Event) -> Disclosed:
    """Return the pages, rounds and standings that are public now; queries of ``load_facts``."""
    facts = load_facts(event, drafts=False)
    held = {key for stage in facts.stages for key in stage.held}
    pages = {
        "event": event.state != Event.State.DRAFT,
        "transcript": event.state == Event.State.FINISHED,
        "lists": lists_published(event),
    }
    return Disclosed(
        pages=tuple(code for code, shown in pages.items() if shown),
        rounds=tuple(item.ordinal for item in facts.rounds),
        standings=max((item.ordinal for item in facts.rounds if item.pk not in held), default=0),
    )


def hidden_since(before: Disclosed, event: Event) -> list[str]:
    """Return codes for the pages, standings and rounds public ``before`` and not now.

    The queries of ``disclosed``."""
    now = disclosed(event)
    pages = [code for code in before.pages if code not in now.pages]
    rounds = [ordinal for ordinal in before.rounds if ordinal not in now.rounds]
    if _still_played(before, now) > now.standings:
        pages.append("standings")
    return [*pages, *(f"{OF_A_ROUND}{ordinal}" for ordinal in rounds)]


def keep_standings(before: Disclosed, event: Event) -> None:
    """Keep standings public that were public ``before``; the event is locked.

    The queries of ``load_facts``, and one.
    """
    now = disclosed(event)
    if (kept := _still_played(before, now)) > now.standings:
        event.standings_released = kept
        event.save(update_fields=["standings_released"])


def _still_played(before: Disclosed, now: Disclosed) -> int:
    """Return the last round whose standings were public before and that still exists; else 0."""
    return max((ordinal for ordinal in now.rounds if ordinal <= before.standings), default=0)
