"""The lines of an event's log as text, with changed values and labels of keys and values."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from django.core.paginator import Paginator
from django.db.models import DateTimeField, Max, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from config.wording import format_moment, translate
from decks.formats.selectors import format_labels
from decks.stored_formats import is_organiser_format
from rules.criteria import CRITERIA
from rules.errors import RuleError
from rules.events.timetable import format_minute
from rules.formulas import FORMULAS, TABLE_FORMULAS
from rules.results import MatchEnding, SeatMark, Winner
from rules.standings.rank_document import read_stored_points
from tournaments.core.acts import action_label, acts
from tournaments.core.draw_origins import draw_origins
from tournaments.core.formulas import formula_labels, is_saved_formula, option_texts
from tournaments.core.labels import (
    ENDINGS,
    group_label,
    intentional_draw_label,
    is_intentional_draw,
    place_label,
)
from tournaments.core.mapping import stored_plan
from tournaments.core.visibility import OF_A_ROUND
from tournaments.matches.words import describe_table_points, seat_mark_label
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
from tournaments.undo.selectors import UNDOING, author_name, logged_action_key, logged_action_label

KEYS = {
    "version": gettext_lazy("Version"),
    "name": gettext_lazy("Name"),
    "surname": gettext_lazy("Surname"),
    "about": gettext_lazy("About"),
    "information": gettext_lazy("Information"),
    "venue": gettext_lazy("Venue"),
    "fee": gettext_lazy("Fee"),
    "starts_at": gettext_lazy("Date and time"),
    "time_zone": gettext_lazy("Time zone"),
    "format": gettext_lazy("Format"),
    "formula": gettext_lazy("Tournament format"),
    "points_win": gettext_lazy("Win"),
    "points_draw": gettext_lazy("Drawn match"),
    "points_loss": gettext_lazy("Loss"),
    "warnings": gettext_lazy("Warnings"),
    "overtime": gettext_lazy("Minutes of overtime"),
    "breaks": gettext_lazy("Breaks"),
    "ends_by": gettext_lazy("Must end by"),
    "decklists": gettext_lazy("Decklists"),
    "decklist_deadline": gettext_lazy("Decklist deadline"),
    "catalogue": gettext_lazy("Known cards"),
    "without_catalogue": gettext_lazy("No card catalogue"),
    "show_leaders": gettext_lazy("Leaders become public with the first pairings"),
    "registration_opens": gettext_lazy("Registration from"),
    "registration_closes": gettext_lazy("Registration until"),
    "capacity": gettext_lazy("Player limit"),
    "player_reports": gettext_lazy("Players report their results"),
    "confirm_after": gettext_lazy("Minutes until a player’s report becomes final"),
    "show_prospects": gettext_lazy("Who advances"),
    "standings_held": gettext_lazy("Standings"),
    "apart_clubs": gettext_lazy("Keep players from the same club apart in Swiss rounds"),
    "paired_elsewhere": pgettext_lazy("setting", "Paired elsewhere"),
    "listed": gettext_lazy("In event listings"),
    "rulings": gettext_lazy("Rulings"),
    "here_minutes": gettext_lazy("Minutes before the start"),
    "prints_rounds": gettext_lazy("Save each round’s printouts to the folder"),
    "contact_terms": gettext_lazy("Email and memberships"),
    "table_points": gettext_lazy("Points"),
    "questions": gettext_lazy("Questions"),
    "club": gettext_lazy("Club"),
    "seed": gettext_lazy("Seed position"),
    "seeds": gettext_lazy("Seed position"),
    "comes": gettext_lazy("Player"),
    "fixed_table": gettext_lazy("Fixed table"),
    "byes": gettext_lazy("Byes"),
    "status": gettext_lazy("Status"),
    "state": gettext_lazy("State"),
    "number": gettext_lazy("Number"),
    "role": gettext_lazy("Role"),
    "rights": gettext_lazy("Permissions"),
    "players": gettext_lazy("Players"),
    "player": gettext_lazy("Player"),
    "winner": gettext_lazy("Winner"),
    "score": gettext_lazy("Score"),
    "games": gettext_lazy("Games in a match"),
    "ended_by": gettext_lazy("How it ended"),
    "order": gettext_lazy("Order"),
    "witnesses": gettext_lazy("Witnesses"),
    "fingerprint": gettext_lazy("Fingerprint"),
    "legal": gettext_lazy("Decklist"),
    "places": gettext_lazy("Places"),
    "next": gettext_lazy("Next stage"),
    "open": gettext_lazy("Stage"),
    "draw": gettext_lazy("Random draw"),
    "group": gettext_lazy("Group"),
    "missed": gettext_lazy("Rounds missed"),
    "rounds": gettext_lazy("Rounds"),
    "cut": gettext_lazy("Top cut"),
    "third_place": gettext_lazy("Match for third place"),
    "cancelled": gettext_lazy("Cancelled"),
    "origin": gettext_lazy("Earlier event"),
    "bye_of": gettext_lazy("Opponent"),
    "joins": gettext_lazy("Opponent"),
    "forfeited": gettext_lazy("Forfeited tables"),
    "absent": gettext_lazy("Absent"),
    "agreed": gettext_lazy("Result agreed at tables"),
    "pairings": gettext_lazy("Pairings"),
    "prizes": gettext_lazy("Prizes"),
    "results": gettext_lazy("Results"),
    "legs": gettext_lazy("Each pair meets"),
    "until": gettext_lazy("Until"),
    "override": gettext_lazy("Start anyway"),
    "options": gettext_lazy("Options"),
    "criteria": gettext_lazy("Tiebreakers"),
    "table": gettext_lazy("Table"),
    "tables": gettext_lazy("Tables"),
    "outcome": gettext_lazy("Outcome"),
    "level": gettext_lazy("Penalty"),
    "minutes": gettext_lazy("Minutes"),
    "match": gettext_lazy("Match"),
    "left": gettext_lazy("Time left"),
    "departure": gettext_lazy("Status"),
    "text": gettext_lazy("Text"),
    "lines": gettext_lazy("Log lines changed"),
    "open_lists": gettext_lazy("Open decklists"),
    "hides": gettext_lazy("No longer public"),
    "kept": gettext_lazy("Places left unchanged"),
    "kept_before": gettext_lazy("No digest in the log"),
    "round": gettext_lazy("Round"),
    "stage": gettext_lazy("Stage"),
    "places_of": gettext_lazy("Stage"),
    "seats": gettext_lazy("Seats"),
    "matches": gettext_lazy("Matches"),
}
"""Labels of keys: those of the fields in which a value was typed."""
TERMS = {
    "email": gettext_lazy("Ask for an email address"),
    "memberships": gettext_lazy("Ask for membership numbers"),
    "why": gettext_lazy("Reason for asking"),
    "days": gettext_lazy("Days after the event until contacts are deleted"),
}
"""The parts of what contact an event asks for."""
FATES = {
    "passes": gettext_lazy("The seat goes to another player"),
    "again": gettext_lazy("To be played again"),
    "void": gettext_lazy("Void"),
    "forfeit": gettext_lazy("Won by forfeit"),
    "rests": gettext_lazy("Bye"),
}
"""What becomes of matches that are given to others (``rules.corrections.CorrectionEffect``)."""
KINDS = (
    Event.State,
    Entry.Status,
    Entry.Left,
    StaffRole.Role,
    DeckCheck.Outcome,
    Penalty.Level,
    TokenScope.Level,
    Match.State,
)
VALUES = {
    **{act.key: act.words for act in acts().values()},
    **{key: label for kind in KINDS for key, label in kind.choices},
    "final": gettext_lazy("counts"),  # "Final" names a stage
    "void": gettext_lazy("Void"),
    "none": gettext_lazy("Both lose"),
    "loss": gettext_lazy("Loss"),
    "bye": gettext_lazy("Bye"),
    "half_bye": gettext_lazy("half-point bye"),
    "a": gettext_lazy("Player 1"),
    "b": gettext_lazy("Player 2"),
    "draw": gettext_lazy("A draw"),
}
VALUES_OF = {
    "ended_by": {str(key): label for key, label in ENDINGS.items()},
    "hides": {
        "event": gettext_lazy("Event"),
        "transcript": gettext_lazy("Transcript"),
        "lists": gettext_lazy("Decklists"),
        "standings": gettext_lazy("Standings"),
        "open_lists": gettext_lazy("Open decklists"),
    },
}
"""Labels of values whose meaning depends on the key, such as a bye."""


Parts = dict[str, str]
"""Values by what each is of, in words."""


def split_logged_value(line: LogLine, key: str, label: str, value: object) -> Parts | None:
    """Return {label: text} of a logged value of several parts, else None.

    ``key`` and ``label``: those of the whole value. Values that this version can't name are left
    out.
    """
    if isinstance(value, dict) and key in OBJECTS:
        with suppress(RuleError, TypeError, ValueError):
            return {str(name): text for name, text in OBJECTS[key](line, label, value)}
        return {}
    if isinstance(value, dict):
        return {}
    if isinstance(value, list) and key in LISTS:
        with suppress(KeyError, TypeError, ValueError):
            return {} if not value else {label: ", ".join(LISTS[key](line, each) for each in value)}
        return {}
    return None


def _options(line: LogLine, _label: str, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the options of a formula, as the formula of that time calls them."""
    slug = str(line.after.get("formula") or line.event.formula)
    known = sorted((*FORMULAS, *TABLE_FORMULAS), key=lambda formula: formula.key != slug)
    if is_saved_formula(slug):
        return
    for key, value in options.items():
        found = next((o for formula in known for o in formula.options if o.key == key), None)
        if found is not None:
            yield from option_texts(found, value)


def _marks(_line: LogLine, _label: str, marks: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for seat, mark in marks.items():
        yield " ".join((_("Seat"), seat)), seat_mark_label(SeatMark(mark))


def _points(_line: LogLine, label: str, points: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield label, describe_table_points(read_stored_points(points))


def _terms(_line: LogLine, _label: str, terms: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, words in TERMS.items():
        match terms.get(key):
            case bool() as asked:
                yield str(words), _("yes") if asked else _("no")
            case [*names]:
                yield str(words), ", ".join(map(str, names))
            case str() | int() as value if value:
                yield str(words), str(value)


def _places(_line: LogLine, label: str, places: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the places that a stage gave as one, each with the number of who has it."""
    yield label, ", ".join(f"{place_label(name)}: {holder}" for name, holder in places.items())


def _seeds(_line: LogLine, _label: str, seeds: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for player, seed in seeds.items():
        yield " ".join((_("Player"), player)), "" if seed is None else str(seed)


def _seat(line: LogLine, seat: Mapping[str, Any]) -> str:
    """Return who left a seat and who has it now, by number: "Group A, seat 4: 1 → 7"."""
    plans = stored_plan(line.event).stages if line.event.plan else ()
    stage = next((each for each in plans if each.key == line.after.get("stage")), None)
    out, comes = ("–" if seat[side] is None else seat[side] for side in ("out", "in"))
    where = group_label(stage, str(seat["group"])) if stage else ""
    moved = " ".join((_("Seat"), f"{seat['seat']}: {out} → {comes}"))
    return ", ".join(filter(None, (where, moved)))


def _match(_line: LogLine, match: Mapping[str, Any]) -> str:
    where = _("Round %(number)s") % {"number": match["round"]}
    numbered = _("%(round)s, match %(number)s") % {"round": where, "number": match["match"]}
    return f"{numbered}: {FATES[match['fate']]}"


def _pairing(_line: LogLine, seats: Iterable[int | None]) -> str:
    return "–".join(_("Bye") if seat is None else str(seat) for seat in seats)


def _break(_line: LogLine, one: Mapping[str, Any]) -> str:
    minutes = _("%(minutes)s min") % {"minutes": one["minutes"]}
    return " ".join(filter(None, (one["at"], minutes, one.get("label", ""))))


OBJECTS: Mapping[str, Callable[[LogLine, str, Mapping[str, Any]], Iterator[tuple[str, str]]]] = {
    "options": _options,
    "marks": _marks,
    "table_points": _points,
    "contact_terms": _terms,
    "places": _places,
    "seeds": _seeds,
}
LISTS: Mapping[str, Callable[[LogLine, Any], str]] = {
    "seats": _seat,
    "matches": _match,
    "breaks": _break,
    "pairings": _pairing,
}


LONGEST_VALUE = 160
OF_PEOPLE = {
    "format": (is_organiser_format, format_labels),
    "formula": (is_saved_formula, formula_labels),
}
"""Keys whose values may be user-made: (test of the slug, selector of names)."""
OF_STAGES = ("open", "next", "stage", "places_of")
"""Keys whose values are stages."""
FOR_UNDO = frozenset({"numbers", "since", "undone", "waiting_since"})
"""Keys stored for undo only, and not shown."""
OF_PROGRAMS = frozenset({"version", "match"})
"""Keys of a match by which programs find it, and not shown: its subject names it."""
EMPTY: tuple[object, ...] = (None, "", [])
RELEASED = "standings.released"
"""The act whose subject says up to which round, so that its values are not told again."""
MOMENTS = {item.name for item in Event._meta.fields if isinstance(item, DateTimeField)} | {"until"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChange:
    """A value before and after an act, as texts; either may be ""."""

    label: str
    before: str
    after: str


def line_changes(line: LogLine) -> Iterator[ValueChange]:
    """Yield the changed values of a log line, one ``ValueChange`` each.

    For an undo or redo only what it hides is listed. One query if a line names an organiser's
    format or a saved formula.
    """
    of_another = line.action in UNDOING
    for key in dict.fromkeys((*line.before, *line.after)):
        if of_another and key not in ("hides", "kept_before"):
            continue
        before, after = line.before.get(key), line.after.get(key)
        if before == after or key in FOR_UNDO or (line.action == RELEASED and key == "round"):
            continue
        if (before in EMPTY and after in EMPTY) or (
            key in OF_PROGRAMS and line.action.startswith(OF_A_MATCH)
        ):
            continue
        if (
            key == "ended_by"
            and after == MatchEnding.TIME
            and line.after.get("winner") == Winner.DRAW
        ):
            games = line.after.get("games") or []
            agreed = is_intentional_draw((games.count("a"), games.count("b"), games.count("draw")))
            if not agreed:
                continue  # the rules say so of any draw; nobody did
            after = intentional_draw_label()
        of_draw = key == "seed" and line.action.startswith(("draw.", "check."))
        label = str(_("Seed") if of_draw else KEYS.get(key, key))
        if key in MOMENTS:
            before, after = _moment(before, line), _moment(after, line)
        was, now = (split_logged_value(line, key, label, value) for value in (before, after))
        if was is not None or now is not None:
            yield from _changed_parts(was or {}, now or {}, kept="formula" not in line.after)
            continue
        if shown := SHOWN_OF.get(key):
            before, after = shown(before), shown(after)
        known = stage_names(line.event) if key in OF_STAGES else _labels_of_key(key)
        if key in OF_PEOPLE:
            is_own, names = OF_PEOPLE[key]
            known = {**known, **names({x for x in (before, after) if x and is_own(str(x))})}
        yield ValueChange(label=label, before=_value(before, known), after=_value(after, known))


def _changed_parts(before: Parts, after: Parts, *, kept: bool) -> Iterator[ValueChange]:
    """Yield the parts that differ; those of the value before alone only if it is ``kept``.

    The options of another formula are others.
    """
    for label in {**after, **before} if kept else after:
        was, now = before.get(label, ""), after.get(label, "")
        if was != now:
            yield ValueChange(label=label, before=_shortened(was), after=_shortened(now))


def _moment(value: object, line: LogLine) -> object:
    """Return a stored moment as text in the event's zone; other values unchanged."""
    if not isinstance(value, str) or not value:
        return value
    return format_moment(datetime.fromisoformat(value).astimezone(line.event.zone), "all")


def _number_of_prizes(prizes: object) -> object:
    """Return how many rows a table of prizes has, which a copied event begins with."""
    return len(prizes.get("rows", ())) if isinstance(prizes, dict) else prizes


def _each(name: str, values: object) -> object:
    """Return what each of several stored values has under a name; other values unchanged."""
    if not isinstance(values, list):
        return values
    return [one.get(name, "") if isinstance(one, dict) else one for one in values]


def _score(score: object) -> object:
    return "–".join(map(str, score)) if isinstance(score, list) else score


def _hidden_in_words(codes: object) -> object:
    """Return hidden pages' codes, "round 3" for that of a round; other values unchanged."""
    if not isinstance(codes, list):
        return codes
    rounds = [str(code).removeprefix(OF_A_ROUND) for code in codes]
    return [
        code if number == code else _("Round %(number)s") % {"number": number}
        for code, number in zip(codes, rounds, strict=True)
    ]


def _legal(legal: object) -> object:
    return legal if legal is None else _("legal") if legal else _("illegal")


def _time_of_day(minute: object) -> object:
    return format_minute(minute) if isinstance(minute, int) else minute


SHOWN_OF: Mapping[str, Callable[[object], object]] = {
    "score": _score,
    "questions": partial(_each, "text"),
    "kept": partial(_each, "place"),
    "prizes": _number_of_prizes,
    "hides": _hidden_in_words,
    "legal": _legal,
    "ends_by": _time_of_day,
}
"""What is shown of the values of a key."""


def stage_names(event: Event) -> dict[str, object]:
    """Return the labels of an event's stages by stage key; empty before the start."""
    if not event.plan:
        return {}
    return {stage.key: translate(stage.label) for stage in stored_plan(event).stages}


def _labels_of_key(key: str) -> Mapping[str, object]:
    """Return the labels of the codes that a key's values may be."""
    if key == "criteria":
        return {item.key: translate(item.label) for item in CRITERIA}
    chosen = {item.name: item for item in Event._meta.fields if item.choices}
    if key in ("format", "formula", "decklists", "standings_held"):
        return dict(chosen[key].flatchoices)
    return VALUES_OF.get(key, VALUES)


def _value(value: object, known: Mapping[str, object] = VALUES) -> str:
    match value:
        case None | "" | []:
            return ""
        case bool():
            return _("yes") if value else _("no")
        case str():
            text = str(known.get(value, value))
        case list():
            text = ", ".join(_value(item, known) or "–" for item in value)
        case dict():  # ``parts`` has words for those that are known
            return ""
        case _:
            text = json.dumps(value)
    return _shortened(text)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


LINES_A_PAGE = 50
OF_A_MATCH = ("result.", "call.", "extension.", "match.", "penalty.match_lost", "correction.")
MATCH = re.compile(r"(?P<round>\d+)/(?P<table>\d+): (?P<players>.+)", re.DOTALL)
"""How the subject of such acts is stored."""


class NumberedLines:
    """Sequence of an event's log lines, latest first, for Django's paginator.

    Lines are numbered from 1 without gaps, so a page is read as a range of numbers: an offset would
    read all lines before it.
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
        return self.highest

    def __getitem__(self, part: slice) -> QuerySet[LogLine]:
        """Return the lines of a slice; one query once they are read."""
        first, last = self.highest - part.start, self.highest - part.stop
        return self._lines.filter(number__lte=first, number__gt=last)


def load_log_page(event: Event, words: str = "", number: str | int = 1) -> dict[str, Any]:
    """Return {"rows", "page"}: a page of the log lines that contain all words.

    ``words``: separated by spaces; ``number``: of the page, from 1. Rows are those of
    `log_line_context` with their ``day``; ``page`` is Django's. Two queries, four more if a random
    draw is on the page.
    """
    lines = event.log.select_related("by", "by_entry").order_by("-number")
    found: Any = lines if words else NumberedLines(lines)
    for word in words.split():
        found = found.filter(_contains_word(event, word))
    page = Paginator(found, LINES_A_PAGE).get_page(number)
    origins = _origins(event, page)
    rows = [
        {**log_line_context(line, origins), "day": line.at.astimezone(event.zone).date()}
        for line in page
    ]
    return {"rows": rows, "page": page}


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


def log_line_context(
    line: LogLine, origins: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """Return a log line as template context: line, who, what, changes, origin.

    ``origins``: where random draws come from, by "ACTION SUBJECT" of their line.
    """
    what = action_label(line.action)
    if line.action in UNDOING:
        what = f"{what} – {logged_action_label(line)}"
    return {
        "line": line,
        "who": author_name(line),
        "what": what,
        "changes": tuple(line_changes(line)),
        "origin": origins.get(f"{line.action} {line.subject}", ""),
    }


def line_subject(line: LogLine) -> str:
    """Return a log line's subject as text: a stage, a round, players with table."""
    action = logged_action_key(line)
    if (action == RELEASED or action.startswith("clock.")) and line.subject.isdecimal():
        return _("Round %(number)s") % {"number": line.subject}
    if action.startswith(OF_A_MATCH) and (match := MATCH.fullmatch(line.subject)):
        where = _("Round %(number)s") % {"number": match["round"]}
        table = _("Table %(table)s") % {"table": match["table"]}
        return f"{match['players']} · {where} · {table}"
    if action.startswith("stage."):
        return str(stage_names(line.event).get(line.subject, line.subject))
    return line.subject
