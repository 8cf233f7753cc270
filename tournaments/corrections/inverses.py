"""What must be typed before a correction is done again."""

from tournaments.models import Event, LogLine


def names_if_played(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return the event's name if undoing would delete results, else ()."""
    return (event.name,) if line.before.get("results") else ()
