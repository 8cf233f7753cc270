"""Acts that can be undone or redone now, and why others can't.

``undo_question`` is shown beside the button. ``confirmation_names`` returns the names of which one
must be typed, as before a round is discarded, where others have acted on what would be removed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import tee

from django.db.models import Exists, OuterRef
from django.utils.module_loading import import_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import (
    REDONE,
    UNDONE,
    Act,
    Inverse,
    NoUndo,
    RowUndo,
    UndoTiming,
    Words,
    action_label,
    acts,
)
from tournaments.core.permissions import Actor
from tournaments.models import Event, KeptRows, LogLine

UNDOING = (UNDONE.key, REDONE.key)
"""Acts on another act, which they name."""
LOOKED_AT = 2_000
"""Number of latest log lines that are read."""
OF_THE_CHAIN = ("facts", "words", "salt", "closed_digest", "digest")
"""The widest columns of a line, of which nothing here is told."""
FIXED = _("This can’t be undone.")
STARTED = _("The event has started.")
OVER = _("The event is finished.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAct:
    """An act in the log, and whether it can be undone.

    ``why_not`` is why it can't, None if it can. ``by_itself``: it can be undone whatever came after
    it.
    """

    line: LogLine
    by_itself: bool
    why_not: Words | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoOptions:
    """The acts of an event that can be undone or redone now.

    ``last`` is the next one to undo, or the one that prevents undoing earlier ones; ``others`` can
    be undone too; ``again`` is the log line of the undo that can be redone.
    """

    last: LoggedAct | None
    others: tuple[LoggedAct, ...]
    again: LogLine | None

    def find(self, number: int) -> LoggedAct | None:
        """Return the act with this line number if it can be undone, else None."""
        acts = [self.last, *self.others]
        return next((act for act in acts if act and act.line.number == number), None)


def logged_action_key(line: LogLine) -> str:
    """Return the key of a line's action.

    For an undo or redo, that of the act undone or redone.
    """
    return str(line.after.get("action", line.action))


def logged_action_label(line: LogLine) -> str:
    """Return the label of a line's action.

    For an undo or redo, that of the act undone or redone.
    """
    return action_label(logged_action_key(line))


def author_name(line: LogLine) -> str:
    """Return the name of a line's author; "By rule" if the program acted."""
    return line.who or str(line.by_entry or gettext("By rule"))


def last_act(event: Event) -> LoggedAct | None:
    """Return the act to undo next, None without one.

    It may not be possible (``why_not``). One query, and those of the act's own check.
    """
    return next((act for act in _acts_to_undo(event, _lines(event)) if _is_offered(act)), None)


def next_undo_and_redo(
    event: Event, *, of_play: bool = False
) -> tuple[LoggedAct | None, LogLine | None]:
    """Return (act to undo next, log line of the undo to redo), reading the log once.

    ``of_play``: skip staff acts without effect on play, such as roles, fees and notes. The queries
    are those of :func:`last_act`.
    """
    lines, same = tee(_lines(event))
    found = (act for act in _acts_to_undo(event, lines) if _is_offered(act))
    offered = (act for act in found if not of_play or not act.by_itself or _is_play(act))
    return next(offered, None), _undone_in(same)


def _is_play(found: LoggedAct) -> bool:
    act = acts().get(logged_action_key(found.line))
    return act is not None and act.state == "play"


def is_undoable_at_desk(found: LoggedAct, by: Actor) -> bool:
    """Return whether the desk offers ``by``, the actor, to undo an act.

    It must be the actor's own, possible, and not a change of settings.
    """
    act = acts().get(logged_action_key(found.line))
    own = by.user is not None and found.line.by_id == by.user.pk
    return own and found.why_not is None and not (act is not None and act.of_settings)


def undo_options(event: Event) -> UndoOptions:
    """Return the acts that an event's undo page offers to undo and redo.

    One query for the log, and those of the acts' own checks.
    """
    lines = tuple(_lines(event))
    last, others, in_order = None, [], False
    for act in _acts_to_undo(event, lines):
        if last is None and _is_offered(act):
            last = act
        elif act.why_not is None and (act.by_itself or not in_order):
            others.append(act)
        in_order = in_order or not act.by_itself
    return UndoOptions(last=last, others=tuple(others), again=_undone_in(lines))


def find_redoable_undo(event: Event) -> LogLine | None:
    """Return the log line of the undo that can be redone, None if there is none.

    It is the last undo, unless an act on play came after it. One query.
    """
    return _undone_in(_lines(event))


def _undone_in(lines: Iterable[LogLine]) -> LogLine | None:
    again, spans = set[int](), list[tuple[int, int]]()
    for line in lines:
        if _is_within(line, spans):
            continue
        spans.extend(_span_of(line))
        if line.action == REDONE.key:
            again.add(line.after["undone"])
        elif line.action == UNDONE.key:
            if line.number not in again:
                return line
        elif _ends_redo(line.action):
            return None
    return None


def _is_offered(act: LoggedAct) -> bool:
    return act.why_not is None or not act.by_itself


def _lines(event: Event) -> Iterator[LogLine]:
    """Yield the latest lines, newest first, annotated with ``is_kept``; one query."""
    rows = KeptRows.objects.filter(event=OuterRef("event"), line=OuterRef("number"))
    lines = event.log.select_related("by", "by_entry").defer(*OF_THE_CHAIN)
    lines = lines.annotate(is_kept=Exists(rows))
    return lines.order_by("-number")[:LOOKED_AT].iterator(chunk_size=50)


def _acts_to_undo(event: Event, lines: Iterable[LogLine]) -> Iterator[LoggedAct]:
    """Yield acts, newest first, without undone ones and lines written by undo."""
    gone, spans, reached = set[int](), list[tuple[int, int]](), False
    for line in lines:
        act = acts().get(line.action)
        if line.action in UNDOING:
            gone.add(line.after["line"])
        spans.extend(_span_of(line))
        if line.action == UNDONE.key or line.number in gone or _is_within(line, spans):
            continue
        found = _logged_act(event, line, act)
        if not reached and not found.by_itself:  # those before it wait for it
            reached, found = True, _unless_bound(event, found, act)
        yield found
        if act is not None and act.replaces_rows:  # earlier lines refer to those rows
            return


def _span_of(line: LogLine) -> Iterator[tuple[int, int]]:
    """Yield the lines before and after those that were written as parts of this one's act."""
    if isinstance(since := line.after.get("since"), int):
        yield since, line.number


def _is_within(line: LogLine, spans: list[tuple[int, int]]) -> bool:
    """Return whether a line was written as a part of another act, as of an undo."""
    return any(since < line.number < until for since, until in spans)


def _ends_redo(action: str) -> bool:
    """Return whether nothing can be redone any more after an act."""
    act = acts().get(action)
    return act is None or act.order is not UndoTiming.BESIDE or not isinstance(act.undo, NoUndo)


def _logged_act(event: Event, line: LogLine, act: Act | None) -> LoggedAct:
    concerned = acts().get(logged_action_key(line))
    order = concerned.order if concerned else UndoTiming.IN_PLAY
    if order is UndoTiming.BEFORE_START and event.plan is not None:
        why: Words | None = STARTED
    elif order is UndoTiming.WHILE_RUNNING and event.state == Event.State.FINISHED:
        why = OVER
    else:
        why = _why_never(act, line)
    return LoggedAct(line=line, by_itself=order is not UndoTiming.IN_PLAY, why_not=why)


def _unless_bound(event: Event, found: LoggedAct, act: Act | None) -> LoggedAct:
    """Return an act with what has bound it since, where it declares what may; queries as that."""
    if found.why_not is not None or act is None or not act.bound:
        return found
    why: str = import_string(act.bound)(event, found.line)
    return replace(found, why_not=why) if why else found


def _why_never(act: Act | None, line: LogLine) -> Words | None:
    match act.undo if act else None:
        case NoUndo(why):
            return why
        case RowUndo():
            return None if getattr(line, "is_kept", False) else FIXED
        case Inverse():
            return None
    return FIXED


def undo_question(line: LogLine, *, again: bool = False) -> str:
    """Return the question that confirms undoing a line; "" for none.

    ``again``: confirms redoing it.
    """
    act = acts().get(logged_action_key(line))
    return str(act.ask_redo if again else act.ask_undo) if act else ""


def confirmation_names(event: Event, line: LogLine, *, again: bool = False) -> tuple[str, ...]:
    """Return names of which one must be typed to undo (or redo) a line, or ().

    ``again``: to redo it. The act declares them. At most thirteen queries, mostly none.
    """
    act = acts().get(logged_action_key(line))
    path = (act.type_redo if again else act.type_undo) if act else ""
    names: tuple[str, ...] = import_string(path)(event, line) if path else ()
    return names
