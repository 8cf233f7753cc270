"""What is asked before an act is taken back or done again: as its counterpart itself asks.

``question`` is what a page asks beside the button; ``name_to_type`` what must be typed, as for
throwing a round away, where people have acted on what would go.
"""

from tournaments.core.acts import acts
from tournaments.core.event_state import load_facts
from tournaments.events.acts import REGISTRATION_OPENED
from tournaments.models import Event, LogLine
from tournaments.rounds.acts import DISCARDED, PUBLISHED
from tournaments.rounds.selectors.discards import accepted_names, discard_loss
from tournaments.undo.selectors import action_of


def question(line: LogLine, *, again: bool = False) -> str:
    """Return what is asked before this line is undone, with ``again`` redone; "" if nothing is."""
    act = acts().get(action_of(line))
    return str(act.ask_redo if again else act.ask_undo) if act else ""


def names_to_type(event: Event, line: LogLine, *, again: bool = False) -> tuple[str, ...]:
    """Return the names of which one must be typed before this line is undone or redone.

    The round's where judges were called to its matches or have said or given something there, or
    where its results would go; the event's where players have entered what would be hidden; empty
    otherwise. At most thirteen queries, mostly none.
    """
    action = action_of(line)
    if action == (DISCARDED if again else PUBLISHED).key:
        return _round_acted_on(event, line, results=again)
    if action == REGISTRATION_OPENED.key and not again and event.entries.exists():
        return (event.name,)
    return ()


def _round_acted_on(event: Event, line: LogLine, *, results: bool) -> tuple[str, ...]:
    """Return the names of the round that a line is about, if anything was said of its matches."""
    facts = load_facts(event)
    found = ((s, r) for s in facts.stages for r in s.rounds if str(r.ordinal) == line.subject)
    stage, item = next(found, (None, None))
    if stage is None or item is None:
        return ()
    loss = discard_loss(facts, stage, item)
    # a publication stays where results are in, and results taken back are no act upon it
    said = loss.reports if results else loss.rulings + loss.notes + loss.extensions + loss.calls
    return accepted_names(stage, item) if said else ()
