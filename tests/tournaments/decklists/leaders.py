"""Decklists that differ in their Leaders."""

from decks.decklists.samples import sample_deck
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.models import Event

EXO = {"format": "creatures-of-exo", "formula": "single-group", "decklists": "required"}


def with_leader(event: Event, by: Actor, leaders: dict[int, str]) -> None:
    """Hand in lists that differ in their Leaders."""
    for number, name in leaders.items():
        lines = sample_deck(event.format, number).splitlines()
        lines[1] = f"1 {name} {{Leader}}"
        entry = event.entries.get(number=number)
        submit_decklist(entry=entry, text="\n".join(lines), by=by, reason="Leader")
