"""Selectors: acts that can be undone or redone now, and why others can't."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from config.wording import translate
from rules.wording import Sentence
from rules.wording import gettext_noop as _
from tournaments.models import Event, KeptRows, LogLine

UNDONE, REDONE, RESTORED = "act.undone", "act.redone", "event.restored"
INVERTED = frozenset(
    {
        *("result.entered", "result.corrected", "round.published", "round.drafted"),
        *("entry.added", "entry.pasted", "entry.registered", "entry.changed"),
        *("entry.check_in", "entry.undo_check_in"),
        *("stage.closed", "stage.second_leg", "event.changed", "clock.add"),
    }
)
"""Actions with an inverse."""
KEPT = frozenset(
    {
        *("event.start", "event.open_registration", "event.close_registration"),
        *("event.finish", "event.reopen"),
        *("entry.added_late", "entry.removed", "entry.seeds"),
        *("entry.withdraw", "entry.disqualify", "entry.re_enter", "entry.reinstate"),
        *("entry.struck", "entry.strike_lifted", "apart.kept", "apart.ended"),
        *("entry.checked_in_many", "entry.withdrawn_many", "entry.let_in", "entry.asked_later"),
        *("stage.taken_back", "round.taken_back", "round.changed", "round.discarded"),
        *("penalty.given", "penalty.taken_back", "extension.given", "extension.taken_back"),
        *("deck.opened", "deck.closed", "lists.published", "lists.hidden"),
        *("staff.given", "staff.taken", "staff.invited", "staff.accepted"),
        *("announcement.ended", "match.ruled", "match.noted", "fee.paid", "fee.taken_back"),
        REDONE,
    }
)
"""Actions whose row difference is stored with their line."""
WHY_NOT: Mapping[str, str] = {
    "event.created": _("An event is not unmade: take it off the lists in its settings."),
    RESTORED: _("Restore the snapshot that was taken before, on the page of snapshots."),
    "event.formula_changed": _("A formula is changed on its own page."),
    "entry.promoted": _("Places are given by rule; take back what made the place free."),
    "person.erased": _("Whoever was erased is not known any more: there is no way back."),
    "text.blanked": _("A text that was blanked is not known any more: there is no way back."),
    "texts.accepted": _("The texts stand where they stood: change them on their own pages."),
    "person.shown": _("A person decides about their own page, on the page of their account."),
    "person.hidden": _("A person decides about their own page, on the page of their account."),
    "link.made": _("The link may be in use: make a new one, or stop it on the player's page."),
    "links.made": _("The links may be in use: stop one on the player's page."),
    "link.revoked": _("A link that was stopped stays so: make a new one."),
    "staff.revoked": _("An invitation that was taken back stays so: make a new one."),
    "token.made": _("The token may be in use: revoke it on the page of the staff."),
    "token.revoked": _("A token that was revoked stays so: make a new one."),
    "deck.submitted": _("A list that was handed in stays; the player can hand in another one."),
    "deck.kept_aside": _("A list that was handed in stays; the player can hand in another one."),
    "draw.start": _("The order was drawn in public, so it stays on record: draw again."),
    "draw.lots": _("Lots are announced as soon as they are drawn, so a draw stays."),
    "result.reported": _("A player said this: enter or correct the result at the desk instead."),
    "result.confirmed": _("A player said this: enter or correct the result at the desk instead."),
    "check.started": _("A check that was begun is ended as not finished on its own page."),
    "check.finished": _("A finished check stays; its penalty and its minutes can be taken back."),
    "clock.start": _("Time has passed since: the clock has its own buttons to go on or back."),
    "clock.pause": _("Time has passed since: the clock has its own buttons to go on or back."),
    "clock.resume": _("Time has passed since: the clock has its own buttons to go on or back."),
    "clock.reset": _("Time has passed since: the clock has its own buttons to go on or back."),
    "answers.changed": _("Answers are private, so earlier ones are not kept: change them again."),
    "call.made": _("A player's call stays; a judge closes it."),
    "call.taken": _("A judge is on the way; the call can be closed."),
    "call.closed": _("The player can call again."),
    "announcement.made": _("Everybody may have read it: take it down at the desk."),
    "standings.released": _("Everybody may have read them: hold the next ones back."),
    "paper.failed": _("Print the round from the page of sheets."),
    "screen.pinned": _("Choose at the desk what the screen is to show."),
    UNDONE: _("Do the act again instead."),
}
"""Actions that can't be undone, with the reason."""
BESIDE_PLAY = frozenset(
    {
        *("announcement", "apart", "call", "check", "clock", "deck", "extension", "link", "links"),
        *("answers", "fee", "lists", "paper", "screen", "standings"),
        *("match", "penalty", "person", "staff", "token"),
    }
)
"""Nouns of actions that stand by themselves: they can be undone in any order."""
BEFORE_START = frozenset(
    {
        *("entry.added", "entry.pasted", "entry.registered", "entry.seeds", "entry.removed"),
        *("entry.check_in", "entry.undo_check_in", "entry.promoted"),
        *("entry.checked_in_many", "entry.withdrawn_many", "entry.let_in", "entry.asked_later"),
    }
)
"""Actions on players that stand by themselves, and can't be undone after the start."""
WHILE_RUNNING = frozenset({"penalty.given", "penalty.taken_back"})
"""Actions that stand by themselves, but can't be undone in a finished event, as they may rank."""


LOOKED_AT = 2_000
"""Number of latest log lines that are read."""
OF_THE_CHAIN = ("facts", "words", "salt", "closed_digest", "digest", "signature")
"""The widest columns of a line, of which nothing here is told."""
OTHERWISE = _("It is done and seen: change it where it was done.")
NOT_KEPT = _("This was done elsewhere or before its rows were kept: change it where it was done.")
STARTED = _("The event has started since, so its players stay as they are.")
OVER = _("The event is over, so its penalties stay: open it again first.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An act in the log; ``why_not`` is the reason why it can't be undone.

    ``by_itself``: it can be undone whatever came after. ``what`` is the action of the line, or for
    a redo the action of the act.
    """

    line: LogLine
    by_itself: bool
    why_not: Sentence | None

    @property
    def what(self) -> str:
        """Return the action in question."""
        return action_of(self.line)

    @property
    def words(self) -> str:
        """Return the reason why it can't be undone, translated; empty if it can."""
        return translate(self.why_not) if self.why_not else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """Acts of an event that can be undone and redone now.

    ``last`` is the next act to undo, or the one that prevents the undo of earlier ones; ``others``
    can be undone too; ``again`` is the line of the undo that can be redone.
    """

    last: Act | None
    others: tuple[Act, ...]
    again: LogLine | None

    def find(self, number: int) -> Act | None:
        """Return the offered act with this line number, None without."""
        acts = [self.last, *self.others]
        return next((act for act in acts if act and act.line.number == number), None)


def action_of(line: LogLine) -> str:
    """Return the action of a line; for undo and redo, of the act concerned."""
    return str(line.after.get("action", line.action))


def last_act(event: Event) -> Act | None:
    """Return the act that would be undone next; one query."""
    return next((act for act in _acts(event, _lines(event)) if _is_offered(act)), None)


def undoing(event: Event) -> Undoing:
    """Return all acts that can be undone or redone; one query."""
    lines = tuple(_lines(event))
    last, others, in_order = None, [], False
    for act in _acts(event, lines):
        if last is None and _is_offered(act):
            last = act
        elif act.why_not is None and (act.by_itself or not in_order):
            others.append(act)
        in_order = in_order or not act.by_itself
    return Undoing(last=last, others=tuple(others), again=_undone_in(lines))


def undone_act(event: Event) -> LogLine | None:
    """Return the last undo that no other act on play followed, None without; one query."""
    return _undone_in(_lines(event))


def _undone_in(lines: Iterable[LogLine]) -> LogLine | None:
    again, spans = set[int](), list[tuple[int, int]]()
    for line in lines:
        if _within(line, spans):
            continue
        if line.action in (UNDONE, REDONE):
            spans.append((line.after["since"], line.number))
        if line.action == REDONE:
            again.add(line.after["undone"])
        elif line.action == UNDONE:
            if line.number not in again:
                return line
        elif line.action in INVERTED | KEPT or line.action.partition(".")[0] not in BESIDE_PLAY:
            return None
    return None


def _is_offered(act: Act) -> bool:
    """Return whether an act is offered: it can be undone, or it prevents others from that."""
    return act.why_not is None or not act.by_itself


def _lines(event: Event) -> Iterator[LogLine]:
    """Yield the latest lines, newest first, annotated with ``is_kept``; one query."""
    rows = KeptRows.objects.filter(event=OuterRef("event"), line=OuterRef("number"))
    lines = event.log.select_related("by", "by_entry").defer(*OF_THE_CHAIN)
    lines = lines.annotate(is_kept=Exists(rows))
    return lines.order_by("-number")[:LOOKED_AT].iterator(chunk_size=50)


def _acts(event: Event, lines: Iterable[LogLine]) -> Iterator[Act]:
    """Yield acts, newest first, without undone ones and lines written by undo."""
    gone, spans = set[int](), list[tuple[int, int]]()
    for line in lines:
        if line.action in (UNDONE, REDONE):
            gone.add(line.after["line"])
            spans.append((line.after["since"], line.number))
        if line.action == UNDONE or line.number in gone or _within(line, spans):
            continue
        yield _act(event, line)
        if line.action == RESTORED:  # earlier lines refer to rows that were replaced
            return


def _within(line: LogLine, spans: list[tuple[int, int]]) -> bool:
    """Return whether a line was written while another act was undone or redone."""
    return any(since < line.number < until for since, until in spans)


def _act(event: Event, line: LogLine) -> Act:
    what = action_of(line)
    beside = what.partition(".")[0] in BESIDE_PLAY or what in BEFORE_START
    if what in BEFORE_START and event.plan is not None:
        why: str | None = STARTED
    elif what in WHILE_RUNNING and event.state == Event.State.FINISHED:
        why = OVER
    elif line.action in INVERTED or (line.action in KEPT and getattr(line, "is_kept", False)):
        why = None
    else:
        why = NOT_KEPT if line.action in KEPT else WHY_NOT.get(line.action, OTHERWISE)
    return Act(line=line, by_itself=beside, why_not=Sentence(why) if why else None)
