"""The log in words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import translate
from rules.criteria import CRITERIA
from tournaments.endings import ENDINGS
from tournaments.mapping import plan_of
from tournaments.models import (
    DeckCheck,
    Entry,
    Event,
    LogLine,
    Match,
    Penalty,
    StaffRole,
    TokenScope,
)

LINES_A_PAGE = 50
LONGEST_VALUE = 160
WORDS = {
    "event.created": gettext_lazy("Event created"),
    "event.changed": gettext_lazy("Settings changed"),
    "event.formula_changed": gettext_lazy("Formula changed by who made it"),
    "event.open_registration": gettext_lazy("Registration opened"),
    "event.close_registration": gettext_lazy("Registration closed"),
    "event.start": gettext_lazy("Event started"),
    "event.finish": gettext_lazy("Event finished"),
    "event.reopen": gettext_lazy("Event opened again"),
    "event.restored": gettext_lazy("Event put back to a snapshot"),
    "entry.added": gettext_lazy("Player added"),
    "entry.added_late": gettext_lazy("Player entered late"),
    "entry.pasted": gettext_lazy("Players added from a list"),
    "entry.registered": gettext_lazy("Player registered"),
    "entry.changed": gettext_lazy("Player changed"),
    "entry.seeds": gettext_lazy("Seed positions changed"),
    "entry.removed": gettext_lazy("Player removed"),
    "entry.promoted": gettext_lazy("Moved up from the waiting list"),
    "entry.check_in": gettext_lazy("Checked in"),
    "entry.undo_check_in": gettext_lazy("Check-in undone"),
    "entry.withdraw": gettext_lazy("Withdrawn"),
    "entry.disqualify": gettext_lazy("Disqualified"),
    "entry.re_enter": gettext_lazy("Came back"),
    "entry.reinstate": gettext_lazy("Disqualification taken back"),
    "entry.struck": gettext_lazy("Matches struck"),
    "entry.strike_lifted": gettext_lazy("Striking taken back"),
    "apart.kept": gettext_lazy("Two players kept apart"),
    "apart.ended": gettext_lazy("Two players may meet again"),
    "link.made": gettext_lazy("Personal link made"),
    "link.revoked": gettext_lazy("Personal link revoked"),
    "deck.submitted": gettext_lazy("Decklist handed in"),
    "deck.kept_aside": gettext_lazy("Decklist kept beside a newer one"),
    "deck.opened": gettext_lazy("Decklist opened for a player"),
    "deck.closed": gettext_lazy("Decklist closed again"),
    "lists.published": gettext_lazy("Lists published"),
    "lists.hidden": gettext_lazy("Lists hidden again"),
    "draw.start": gettext_lazy("Order of the start drawn"),
    "draw.lots": gettext_lazy("Lots drawn"),
    "stage.closed": gettext_lazy("Stage closed"),
    "stage.second_leg": gettext_lazy("Second leg decided"),
    "stage.taken_back": gettext_lazy("Stage taken back"),
    "round.drafted": gettext_lazy("Round drafted"),
    "round.published": gettext_lazy("Round published"),
    "round.taken_back": gettext_lazy("Round taken back"),
    "round.changed": gettext_lazy("Pairings changed by hand"),
    "round.discarded": gettext_lazy("Round with results thrown away"),
    "result.reported": gettext_lazy("Result reported"),
    "result.confirmed": gettext_lazy("Result confirmed"),
    "result.entered": gettext_lazy("Result entered"),
    "result.corrected": gettext_lazy("Result corrected"),
    "check.started": gettext_lazy("Deck check begun"),
    "check.finished": gettext_lazy("Deck check finished"),
    "penalty.given": gettext_lazy("Penalty given"),
    "penalty.taken_back": gettext_lazy("Penalty taken back"),
    "extension.given": gettext_lazy("Extra time given"),
    "extension.taken_back": gettext_lazy("Extra time taken back"),
    "clock.start": gettext_lazy("Clock started"),
    "clock.pause": gettext_lazy("Clock stopped"),
    "clock.resume": gettext_lazy("Clock going on"),
    "clock.add": gettext_lazy("Extra time for everybody"),
    "clock.reset": gettext_lazy("Clock set back"),
    "call.made": gettext_lazy("Judge called"),
    "call.taken": gettext_lazy("Call taken"),
    "call.closed": gettext_lazy("Call closed"),
    "announcement.made": gettext_lazy("Announcement made"),
    "announcement.ended": gettext_lazy("Announcement taken down"),
    "match.ruled": gettext_lazy("Ruling written"),
    "match.noted": gettext_lazy("Staff note written"),
    "act.undone": gettext_lazy("Taken back"),
    "act.redone": gettext_lazy("Done again"),
    "staff.given": gettext_lazy("Role given"),
    "staff.taken": gettext_lazy("Role taken away"),
    "token.made": gettext_lazy("API token made"),
    "token.revoked": gettext_lazy("API token revoked"),
}
KEYS = {
    "version": gettext_lazy("version"),
    "name": gettext_lazy("name"),
    "club": gettext_lazy("club"),
    "seed": gettext_lazy("seed"),
    "fixed_table": gettext_lazy("fixed table"),
    "status": gettext_lazy("status"),
    "state": gettext_lazy("state"),
    "number": gettext_lazy("number"),
    "role": gettext_lazy("role"),
    "rights": gettext_lazy("rights"),
    "players": gettext_lazy("players"),
    "winner": gettext_lazy("winner"),
    "score": gettext_lazy("score"),
    "games": gettext_lazy("games"),
    "ended_by": gettext_lazy("ended by"),
    "order": gettext_lazy("order"),
    "witnesses": gettext_lazy("witnesses"),
    "fingerprint": gettext_lazy("fingerprint"),
    "legal": gettext_lazy("legal"),
    "places": gettext_lazy("places"),
    "next": gettext_lazy("next"),
    "open": gettext_lazy("open again"),
    "draw": gettext_lazy("draw"),
    "group": gettext_lazy("group"),
    "missed": gettext_lazy("rounds missed count as"),
    "rounds": gettext_lazy("rounds"),
    "forfeited": gettext_lazy("forfeited tables"),
    "pairings": gettext_lazy("pairings"),
    "results": gettext_lazy("results"),
    "legs": gettext_lazy("legs"),
    "until": gettext_lazy("until"),
    "override": gettext_lazy("in spite of the lists of"),
    "options": gettext_lazy("options"),
    "criteria": gettext_lazy("criteria"),
    "table": gettext_lazy("table"),
    "tables": gettext_lazy("tables"),
    "outcome": gettext_lazy("outcome"),
    "level": gettext_lazy("penalty"),
    "minutes": gettext_lazy("minutes"),
    "match": gettext_lazy("match"),
    "left": gettext_lazy("time left"),
    "text": gettext_lazy("words"),
    "open_lists": gettext_lazy("open lists"),
}
OF_ANOTHER = frozenset({"act.undone", "act.redone"})
"""Acts on another act, which they name."""
FOR_UNDO = frozenset({"numbers", "since", "undone", "waiting_since"})
"""What lines hold for taking their act back alone."""
KINDS = (
    Event.State,
    Entry.Status,
    StaffRole.Role,
    DeckCheck.Outcome,
    Penalty.Level,
    TokenScope.Level,
    Match.State,
)
VALUES = {
    **WORDS,
    **{key: label for kind in KINDS for key, label in kind.choices},
    "final": gettext_lazy("counts"),  # "Final" names a stage
    "void": gettext_lazy("void"),
    "none": gettext_lazy("both lose"),
    "loss": gettext_lazy("a loss each"),
    "bye": gettext_lazy("a bye each"),
    "a": gettext_lazy("first player"),
    "b": gettext_lazy("second player"),
    "draw": gettext_lazy("draw"),
}
VALUES_OF = {"ended_by": {str(key): label for key, label in ENDINGS.items()}}
"""Values that mean something else in one place than elsewhere, as a bye does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value before and after; either may be empty."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A line in words."""

    line: LogLine
    who: str
    what: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """The lines of a page, the latest first."""

    rows: tuple[LogRow, ...]
    page: Page[Any]


def log_page(event: Event, word: str = "", number: str | int = 1) -> LogPage:
    """Return the lines in which a word occurs; two queries."""
    lines = event.log.select_related("by", "by_entry").order_by("-number")
    page = Paginator(lines.filter(_holds(word)) if word else lines, LINES_A_PAGE).get_page(number)
    return LogPage(rows=tuple(in_words(line) for line in page), page=page)


def _holds(word: str) -> Q:
    folded = word.casefold()
    codes = [code for code, words in WORDS.items() if folded in str(words).casefold()]
    named = Q(by__name__icontains=word) | Q(by_entry__name__icontains=word)
    return Q(action__in=codes) | Q(subject__icontains=word) | Q(reason__icontains=word) | named


def in_words(line: LogLine) -> LogRow:
    """Return a line in words."""
    what = str(WORDS.get(line.action, line.action))
    who = str(line.by or line.by_entry or _("By rule"))
    if line.action in OF_ANOTHER:
        return LogRow(line=line, who=who, what=f"{what} – {name_of(line)}", changes=())
    return LogRow(line=line, who=who, what=what, changes=tuple(_changes(line)))


def subject_of(line: LogLine) -> str:
    """Return what a line is about; a stage by its name, of which the line holds the key."""
    action = str(line.after.get("action", line.action))
    if action.startswith("stage."):
        return str(_stages(line.event).get(line.subject, line.subject))
    return line.subject


def name_of(line: LogLine) -> str:
    """Return the words for what a line did, took back or did again."""
    action = str(line.after.get("action", line.action))
    return str(WORDS.get(action, action))


def _changes(line: LogLine) -> Iterator[Change]:
    for key in dict.fromkeys((*line.before, *line.after)):
        before, after = line.before.get(key), line.after.get(key)
        if before == after or key in FOR_UNDO:
            continue
        label = str(_("seed of the draw") if _is_draw(line, key) else KEYS.get(key) or _field(key))
        known = _stages(line.event) if key in ("open", "next") else _known(key)
        yield Change(label=label, before=_value(before, known), after=_value(after, known))


def _is_draw(line: LogLine, key: str) -> bool:
    """Say whether a "seed" is what a draw was made from, not a player's place at the start."""
    return key == "seed" and line.action.startswith(("draw.", "check."))


def _stages(event: Event) -> dict[str, object]:
    if not event.plan:
        return {}
    return {stage.key: translate(stage.label) for stage in plan_of(event).stages}


def _known(key: str) -> Mapping[str, object]:
    """Return the words for the codes that a key's values may be."""
    if key == "criteria":
        return {item.key: translate(item.label) for item in CRITERIA}
    chosen = {item.name: item for item in Event._meta.fields if item.choices}
    if key in ("format", "formula", "decklists"):
        return dict(chosen[key].flatchoices)
    return VALUES_OF.get(key, VALUES)


def _field(key: str) -> str:
    known = {item.name: item for item in Event._meta.fields}
    return str(known[key].verbose_name) if key in known else key


def _value(value: object, known: Mapping[str, object] = VALUES) -> str:
    match value:
        case None | "" | [] | {}:
            return ""
        case bool():
            return _("yes") if value else _("no")
        case str():
            text = str(known.get(value, value))
        case list():
            text = ", ".join(_value(item, known) or "–" for item in value)
        case dict():
            text = ", ".join(f"{key}: {_value(item, known)}" for key, item in value.items())
        case _:
            text = json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
