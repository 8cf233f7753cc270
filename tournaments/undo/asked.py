"""What is asked before an act is taken back or done again: as its counterpart itself asks.

``question`` is what a page asks beside the button; ``name_to_type`` what must be typed, as for
throwing a round away, where people have acted on what would go.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from tournaments.core.event_state import load_facts
from tournaments.models import Event, LogLine
from tournaments.rounds.selectors.discards import accepted_names, discard_loss
from tournaments.undo.selectors import action_of

TAKEN_BACK: Mapping[str, object] = {
    "round.published": gettext_lazy(
        "The round is a draft again, and nobody but the staff sees it. Take the publication back?"
    ),
    "round.drafted": gettext_lazy("Its pairings are removed. Take the round back?"),
    "stage.closed": gettext_lazy(
        "The seats of this stage are removed. Open the stage before again?"
    ),
    "lists.published": gettext_lazy(
        "The lists are hidden from everybody again, but who has read them has read them. Hide them?"
    ),
    "event.open_registration": gettext_lazy(
        "The event and its players are hidden from everybody but the staff. Take this back?"
    ),
    "event.start": gettext_lazy(
        "Seats and stages are removed, and published lists hidden. Take the start back?"
    ),
    "event.finish": gettext_lazy(
        "Podium and transcript are hidden until the event is finished again. Take this back?"
    ),
}
"""Questions before an act is taken back, by its action."""
DONE_AGAIN: Mapping[str, object] = {
    "lists.published": gettext_lazy(
        "Show everybody the lists of those who played? You can hide them again, but who has read "
        "them has read them."
    ),
    "lists.hidden": TAKEN_BACK["lists.published"],
    "event.finish": gettext_lazy("Finish the event? You can open it again."),
    "event.reopen": TAKEN_BACK["event.finish"],
    "round.taken_back": TAKEN_BACK["round.drafted"],
    "round.discarded": gettext_lazy("The round goes again with its results. Throw it away?"),
    "stage.taken_back": TAKEN_BACK["stage.closed"],
}
"""Questions before an act is done again, by its action."""


def question(line: LogLine, *, again: bool = False) -> str:
    """Return what is asked before this line is undone, with ``again`` redone; "" if nothing is."""
    asked = (DONE_AGAIN if again else TAKEN_BACK).get(action_of(line))
    return str(asked) if asked else ""


def names_to_type(event: Event, line: LogLine, *, again: bool = False) -> tuple[str, ...]:
    """Return the names of which one must be typed before this line is undone or redone.

    The round's where judges were called to its matches or have said or given something there, or
    where its results would go; the event's where players have entered what would be hidden; empty
    otherwise. At most thirteen queries, mostly none.
    """
    action = action_of(line)
    if action == ("round.discarded" if again else "round.published"):
        return _round_acted_on(event, line, results=again)
    if action == "event.open_registration" and not again and event.entries.exists():
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
