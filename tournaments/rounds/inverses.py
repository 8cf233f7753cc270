"""Inverses of acts of ``rounds``, and the names to type before some are undone or redone."""

from collections.abc import Callable

from rules.errors import RuleError
from rules.events.lifecycle import next_state
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, LogLine, Round
from tournaments.rounds.selectors.discards import DiscardLoss, accepted_names, discard_loss
from tournaments.rounds.services import check_no_reported_results, find_round, take_back_round


def undo_draft(event: Event, line: LogLine, by: Actor) -> None:
    take_back_round(event=event, ordinal=int(line.subject), by=by)


def undo_publication(event: Event, line: LogLine, by: Actor) -> None:
    """Make a round a draft again. Raises RuleError if results exist, or ``clock_started``."""
    next_state("event", event.state, "play")
    item = find_round(event, int(line.subject))
    check_no_reported_results(item)
    clock = getattr(item, "clock", None)
    if clock is not None and clock.state != "ready":
        raise RuleError(
            "clock_started",
            "The clock of the round has been started. Nothing was changed: set it back first.",
        )
    item.state, item.published_at = Round.State.DRAFT, None
    item.save(update_fields=["state", "published_at"])


def names_if_acted_on(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return the names of a published round if calls, rulings, notes or minutes hang on it.

    Results don't count: while they are in, the publication stays.
    """
    return _names_if(event, line, lambda x: x.rulings + x.notes + x.extensions + x.calls)


def names_if_reported(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return the names of a round whose results would go, empty if it has none."""
    return _names_if(event, line, lambda loss: loss.reports)


def _names_if(event: Event, line: LogLine, count: Callable[[DiscardLoss], int]) -> tuple[str, ...]:
    facts = load_facts(event)
    found = facts.round_at(int(line.subject))
    return accepted_names(*found) if found and count(discard_loss(facts, *found)) else ()
