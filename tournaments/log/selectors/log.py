"""The log of an event as text."""

import re
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.log.selectors.changes import Change, changes_of, stage_names
from tournaments.log.selectors.words import WORDS
from tournaments.models import Event, LogLine

LINES_A_PAGE = 50
OF_ANOTHER = frozenset({"act.undone", "act.redone"})
"""Acts on another act, which they name."""
OF_A_MATCH = ("result.", "call.", "extension.", "match.")
MATCH = re.compile(r"(?P<round>\d+)/(?P<table>\d+): (?P<players>.+)", re.DOTALL)
"""How the subject of such acts is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A line as text."""

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
    """Return a page of the lines that contain a word; two queries."""
    lines = event.log.select_related("by", "by_entry").order_by("-number")
    page = Paginator(lines.filter(_holds(event, word)) if word else lines, LINES_A_PAGE).get_page(
        number
    )
    return LogPage(rows=tuple(in_words(line) for line in page), page=page)


def _holds(event: Event, word: str) -> Q:
    """Return the condition; people are looked for among those of the event, not of the site."""
    folded = word.casefold()
    codes = [code for code, words in WORDS.items() if folded in str(words).casefold()]
    authors = User.objects.filter(pk__in=event.log.values("by"), name__icontains=word)
    players = event.entries.filter(name__icontains=word)
    named = Q(by__in=authors) | Q(by_entry__in=players) | Q(by_name__icontains=word)
    return Q(action__in=codes) | Q(subject__icontains=word) | Q(reason__icontains=word) | named


def in_words(line: LogLine) -> LogRow:
    """Return a line as text."""
    what = str(WORDS.get(line.action, line.action))
    who = line.who or str(line.by_entry or _("By rule"))
    if line.action in OF_ANOTHER:
        return LogRow(line=line, who=who, what=f"{what} – {name_of(line)}", changes=())
    return LogRow(line=line, who=who, what=what, changes=tuple(changes_of(line)))


def subject_of(line: LogLine) -> str:
    """Return the subject of a line: a stage's label, a round, a match with players and table."""
    action = str(line.after.get("action", line.action))
    if action.startswith("clock.") and line.subject.isdecimal():
        return _("round %(number)s") % {"number": line.subject}
    if action.startswith(OF_A_MATCH) and (match := MATCH.fullmatch(line.subject)):
        return _("%(players)s (round %(round)s, table %(table)s)") % match.groupdict()
    if action.startswith("stage."):
        return str(stage_names(line.event).get(line.subject, line.subject))
    return line.subject


def name_of(line: LogLine) -> str:
    """Return the label of a line's action, undone and redone ones included."""
    action = str(line.after.get("action", line.action))
    return str(WORDS.get(action, action))
