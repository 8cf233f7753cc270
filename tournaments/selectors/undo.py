"""Which act of an event can be taken back now, and why another can't."""

from collections.abc import Mapping
from dataclasses import dataclass

from config.wording import translate
from rules.wording import Sentence
from rules.wording import gettext_noop as _
from tournaments.models import Event, LogLine

UNDONE = "act.undone"
LOOKED_AT = 300
UNDOABLE = frozenset(
    {
        *("result.entered", "result.corrected", "round.published", "round.drafted"),
        *("entry.withdraw", "entry.re_enter", "stage.closed", "event.changed"),
    }
)
BESIDE_PLAY = frozenset(
    {
        *("announcement", "call", "check", "clock", "extension", "link", "match", "penalty"),
        *("staff", "token"),
    }
)
"""Nouns whose acts leave rounds and results as they are: what came before them can still go."""
WHY_NOT: Mapping[str, str] = {
    "deck": _("A list that was handed in stays; the player can hand in another one."),
    "draw": _("Lots are announced as soon as they are drawn, so a draw stays."),
    "entry": _("Change the player on their own page instead."),
    "event.finish": _("Open the event again on its home page instead."),
    "event.start": _("The order of the start is public, so the start stays."),
    "result": _("Players said this themselves: correct the result at the desk instead."),
    "round": _("The round was taken back: make it again at the desk."),
    "stage": _("Go on from the desk instead."),
}
OTHERWISE = _("It is done and seen: change it where it was done.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAct:
    """The last act on rounds, results, players or settings; ``why_not`` where it has to stay."""

    line: LogLine
    why_not: Sentence | None

    @property
    def words(self) -> str:
        """Return why it can't be taken back, in the reader's language."""
        return translate(self.why_not) if self.why_not else ""


def last_act(event: Event) -> LastAct | None:
    """Return the act that would be taken back next; one query.

    What was taken back already, and the lines that this left, are passed over.
    """
    below, undone = event.version + 1, set[int]()
    for line in event.log.order_by("-number")[:LOOKED_AT]:
        if line.number >= below or line.number in undone:
            continue
        if line.action == UNDONE:
            undone.add(line.after["line"])
            below = line.after["since"] + 1
        elif line.action.partition(".")[0] not in BESIDE_PLAY:
            return LastAct(line=line, why_not=_why_not(line))
    return None


def _why_not(line: LogLine) -> Sentence | None:
    if line.action in UNDOABLE:
        return None
    noun = line.action.partition(".")[0]
    return Sentence(WHY_NOT.get(line.action) or WHY_NOT.get(noun) or OTHERWISE)
