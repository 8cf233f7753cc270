"""The changed values of a log line as text."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import DateTimeField
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from config.wording import translate
from decks.formats.selectors import format_labels
from decks.rulebook import is_house
from rules.criteria import CRITERIA
from tournaments.core.disclosed import OF_A_ROUND
from tournaments.core.formulas import formula_labels, is_saved
from tournaments.core.mapping import plan_of
from tournaments.log_page.selectors.parts import Parts, parts_of
from tournaments.log_page.selectors.words import KEYS, VALUES, VALUES_OF
from tournaments.models import Event, LogLine
from tournaments.undo.selectors import UNDOING

LONGEST_VALUE = 160
OF_PEOPLE = {"format": (is_house, format_labels), "formula": (is_saved, formula_labels)}
"""Keys whose values may be user-made: (test of the slug, selector of names)."""
OF_STAGES = ("open", "next", "stage", "places_of")
"""Keys whose values are stages."""
FOR_UNDO = frozenset({"numbers", "since", "undone", "waiting_since"})
"""Keys stored for undo only, and not shown."""
RELEASED = "standings.released"
"""The act whose subject says up to which round, so that its values are not told again."""
MOMENTS = {item.name for item in Event._meta.fields if isinstance(item, DateTimeField)} | {"until"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value before and after; either may be empty."""

    label: str
    before: str
    after: str


def changes_of(line: LogLine) -> Iterator[Change]:
    """Yield the changes of a line by key; one query if it names a house format or saved formula.

    Of an act undone or redone, only what it hides, and a note if its rows were not logged.
    """
    of_another = line.action in UNDOING
    for key in dict.fromkeys((*line.before, *line.after)):
        if of_another and key not in ("hides", "kept_before"):
            continue
        before, after = line.before.get(key), line.after.get(key)
        if before == after or key in FOR_UNDO or (line.action == RELEASED and key == "round"):
            continue
        label = str(_("seed of the draw") if _is_draw(line, key) else KEYS.get(key) or _field(key))
        if key in MOMENTS:
            before, after = _moment(before, line), _moment(after, line)
        was, now = (parts_of(line, key, label, value) for value in (before, after))
        if was is not None or now is not None:
            yield from _changed_parts(was or {}, now or {}, kept="formula" not in line.after)
            continue
        if key == "questions":
            before, after = _questions_in_words(before), _questions_in_words(after)
        if key == "hides":
            after = _hidden_in_words(after)
        if key == "kept":
            after = _names_of_places(after)
        known = stage_names(line.event) if key in OF_STAGES else _labels_of_key(key)
        if key in OF_PEOPLE:
            is_own, names = OF_PEOPLE[key]
            known = {**known, **names({x for x in (before, after) if x and is_own(str(x))})}
        yield Change(label=label, before=_value(before, known), after=_value(after, known))


def _changed_parts(before: Parts, after: Parts, *, kept: bool) -> Iterator[Change]:
    """Yield the parts that differ; those of the value before alone only if it is ``kept``.

    The options of another formula are others.
    """
    for label in {**after, **before} if kept else after:
        was, now = before.get(label, ""), after.get(label, "")
        if was != now:
            yield Change(label=label, before=_shortened(was), after=_shortened(now))


def _moment(value: object, line: LogLine) -> object:
    """Return a stored moment as text in the event's zone; other values unchanged."""
    if not isinstance(value, str) or not value:
        return value
    return in_words(datetime.fromisoformat(value).astimezone(line.event.zone), "all")


def _questions_in_words(questions: object) -> object:
    """Return the texts of stored questions as a list; other values unchanged."""
    if not isinstance(questions, list):
        return questions
    return [one.get("text", "") if isinstance(one, dict) else one for one in questions]


def _names_of_places(kept: object) -> object:
    """Return the names of places that were kept; other values unchanged."""
    if not isinstance(kept, list):
        return kept
    return [one.get("place", "") if isinstance(one, dict) else one for one in kept]


def _hidden_in_words(codes: object) -> object:
    """Return hidden pages' codes, "round 3" for that of a round; other values unchanged."""
    if not isinstance(codes, list):
        return codes
    rounds = [str(code).removeprefix(OF_A_ROUND) for code in codes]
    return [
        code if number == code else _("round %(number)s") % {"number": number}
        for code, number in zip(codes, rounds, strict=True)
    ]


def _is_draw(line: LogLine, key: str) -> bool:
    """Return whether a "seed" is that of a draw, not a player's seed position."""
    return key == "seed" and line.action.startswith(("draw.", "check."))


def stage_names(event: Event) -> dict[str, object]:
    """Return the labels of an event's stages by key; empty before its start."""
    if not event.plan:
        return {}
    return {stage.key: translate(stage.label) for stage in plan_of(event).stages}


def _labels_of_key(key: str) -> Mapping[str, object]:
    """Return the labels of the codes that a key's values may be."""
    if key == "criteria":
        return {item.key: translate(item.label) for item in CRITERIA}
    chosen = {item.name: item for item in Event._meta.fields if item.choices}
    if key in ("format", "formula", "decklists", "standings_held"):
        return dict(chosen[key].flatchoices)
    return VALUES_OF.get(key, VALUES)


def _field(key: str) -> str:
    known = {item.name: item for item in Event._meta.fields}
    return str(known[key].verbose_name) if key in known else key


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
