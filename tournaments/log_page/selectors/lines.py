"""The log of an event as text."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.core.acts import acts, words_of
from tournaments.core.draw_origins import draw_origins
from tournaments.log_page.selectors.changes import RELEASED, Change, changes_of, stage_names
from tournaments.models import Event, LogLine
from tournaments.undo.selectors import UNDOING, action_of, name_of

LINES_A_PAGE = 50
OF_A_MATCH = ("result.", "call.", "extension.", "match.", "penalty.match_lost", "correction.")
MATCH = re.compile(r"(?P<round>\d+)/(?P<table>\d+): (?P<players>.+)", re.DOTALL)
"""How the subject of such acts is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A line as text; ``origin`` is where the draw that it made comes from."""

    line: LogLine
    who: str
    what: str
    changes: tuple[Change, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """The lines of a page, the latest first."""

    rows: tuple[LogRow, ...]
    page: Page[Any]


class NumberedLines:
    """The lines of an event, the latest first, for a paginator.

    Lines are numbered from 1 without gaps, so a page is a range of the index; an offset would read
    every line before it.
    """

    ordered = True

    def __init__(self, lines: QuerySet[LogLine]) -> None:
        """Take all lines of one event."""
        self._lines = lines

    @cached_property
    def highest(self) -> int:
        """Return the number of the latest line, which is how many there are; one query."""
        found: int | None = self._lines.aggregate(highest=Max("number"))["highest"]
        return found or 0

    def __len__(self) -> int:
        """Return the number of lines."""
        return self.highest

    def __getitem__(self, part: slice) -> QuerySet[LogLine]:
        """Return the lines of a slice; one query once they are read."""
        first, last = self.highest - part.start, self.highest - part.stop
        return self._lines.filter(number__lte=first, number__gt=last)


def log_page(event: Event, word: str = "", number: str | int = 1) -> LogPage:
    """Return a page of the lines that contain a word; two queries, four more for draws on it."""
    lines = event.log.select_related("by", "by_entry").order_by("-number")
    found: Any = lines.filter(_contains_word(event, word)) if word else NumberedLines(lines)
    page = Paginator(found, LINES_A_PAGE).get_page(number)
    origins = _origins(event, page)
    return LogPage(rows=tuple(line_in_words(line, origins) for line in page), page=page)


def _origins(event: Event, lines: Iterable[LogLine]) -> dict[str, str]:
    """Return the origins of draws in words, by "ACTION SUBJECT" of the line that made each.

    No query where none of the lines made one.
    """
    if not any(line.action.startswith("draw.") for line in lines):
        return {}
    found = draw_origins(event, event.draws.all())
    return {f"draw.{origin.kind} {number}": origin.words for number, origin in found.items()}


def _contains_word(event: Event, word: str) -> Q:
    """Return the condition; people are looked for among those of the event, not of the site."""
    folded = word.casefold()
    codes = [act.key for act in acts().values() if folded in str(act.words).casefold()]
    authors = User.objects.filter(pk__in=event.log.values("by"), name__icontains=word)
    players = event.entries.filter(name__icontains=word)
    named = Q(by__in=authors) | Q(by_entry__in=players) | Q(by_name__icontains=word)
    return Q(action__in=codes) | Q(subject__icontains=word) | Q(reason__icontains=word) | named


def line_in_words(line: LogLine, origins: Mapping[str, str] = MappingProxyType({})) -> LogRow:
    """Return a line as text; ``origins`` are those of draws, by act and subject of their line."""
    what = words_of(line.action)
    who = line.who or str(line.by_entry or _("By rule"))
    if line.action in UNDOING:
        what = f"{what} – {name_of(line)}"
    return LogRow(
        line=line,
        who=who,
        what=what,
        changes=tuple(changes_of(line)),
        origin=origins.get(f"{line.action} {line.subject}", ""),
    )


def subject_of(line: LogLine) -> str:
    """Return the subject of a line: a stage's label, a round, a match with players and table."""
    action = action_of(line)
    if action.startswith("clock.") and line.subject.isdecimal():
        return _("round %(number)s") % {"number": line.subject}
    if action == RELEASED:
        return _("up to round %(number)s") % {"number": line.subject}
    if action.startswith(OF_A_MATCH) and (match := MATCH.fullmatch(line.subject)):
        return _("%(players)s (round %(round)s, table %(table)s)") % match.groupdict()
    if action.startswith("stage."):
        return str(stage_names(line.event).get(line.subject, line.subject))
    return line.subject
