"""All checks of one event."""

from collections.abc import Iterator

from tournaments.models import Event
from tournaments.selectors.facts import load_facts
from tournaments.verification.extra import check_extra
from tournaments.verification.finding import Finding
from tournaments.verification.records import check_decks, check_draws, check_log
from tournaments.verification.rounds import check_matches, check_rounds, notes
from tournaments.verification.stages import check_stages
from tournaments.verification.standings import check_standings
from tournaments.verification.strikes import check_strikes

CHECKS = (
    check_rounds,
    check_matches,
    check_extra,
    check_strikes,
    check_standings,
    check_stages,
    check_draws,
    check_decks,
    check_log,
)


def verify_event(event: Event) -> Iterator[Finding]:
    """Yield every difference between what is stored and what follows; some twenty queries."""
    facts = load_facts(event)
    for check in CHECKS:
        yield from check(facts)


def notes_on(event: Event) -> Iterator[Finding]:
    """Yield what is no fault and still worth knowing; the queries of the facts."""
    yield from notes(load_facts(event))
