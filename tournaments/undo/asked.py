"""What is asked before an act is undone or redone, as before the act that has the same effect.

``question_before`` is shown beside the button. ``names_to_type`` returns the names of which one
must be typed, as before a round is discarded, where others have acted on what would be removed.
"""

from django.utils.module_loading import import_string

from tournaments.core.acts import acts
from tournaments.models import Event, LogLine
from tournaments.undo.selectors import action_of


def question_before(line: LogLine, *, again: bool = False) -> str:
    """Return the question before undoing a line, or redoing it (``again``); "" for none."""
    act = acts().get(action_of(line))
    return str(act.ask_redo if again else act.ask_undo) if act else ""


def names_to_type(event: Event, line: LogLine, *, again: bool = False) -> tuple[str, ...]:
    """Return the names of which one must be typed before this line is undone or redone.

    Empty if none, as the act declares. At most thirteen queries, mostly none.
    """
    act = acts().get(action_of(line))
    path = (act.type_redo if again else act.type_undo) if act else ""
    names: tuple[str, ...] = import_string(path)(event, line) if path else ()
    return names
