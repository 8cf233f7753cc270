"""Sentences of the rules, dates and times in the active language."""

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction

from django.forms import BaseForm
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext

from rules.errors import RuleError
from rules.wording import Sentence


def translate(sentence: Sentence | str) -> str:
    """Return a Sentence of the rules in the active language, as plain (unescaped) text.

    A string is translated as a message without values.
    """
    if isinstance(sentence, str):
        return gettext(sentence)
    return gettext(sentence.template) % translate_values(sentence.values)


def translate_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return a Sentence's values by name, each converted by ``translate_value``."""
    return {key: translate_value(value) for key, value in values.items()}


def translate_value(value: object) -> object:
    """Return a value of a Sentence for display.

    Sentences are translated, lists joined by commas, fractions written like 1/2; others are
    unchanged.
    """
    if isinstance(value, Sentence):
        return translate(value)
    if isinstance(value, tuple | list):
        return ", ".join(str(translate_value(item)) for item in value)
    if isinstance(value, Fraction):
        return str(value)
    return value


def error_message(error: RuleError) -> str:
    """Return the message of a RuleError in the active language."""
    return translate(error.sentence)


def add_rule_error(
    form: BaseForm, refused: RuleError, beside: Mapping[str, str] | None = None
) -> None:
    """Add a RuleError to a form's errors, at the field that it concerns if there is one.

    beside: field names by the error's path or code. Other paths are mapped by the form's
    ``field_of(path)``; without this method they are field names.
    """
    values, known = refused.sentence.values, beside or {}
    path = str(values.get("path") or values.get("field") or "")
    field_of = getattr(form, "field_of", str)
    field = known.get(path) or known.get(refused.code) or field_of(path)
    problem = values.get("problem")
    words = translate(problem) if isinstance(problem, Sentence) else error_message(refused)
    form.add_error(field if field in form.fields else None, words)


WHEN = {
    "all": "D j F Y, H:i",
    "date": "D j F Y",
    "day": "j F Y",
    "month": "j F",
    "time": "H:i",
    "short": "D j F, H:i",
}
ITALIAN = WHEN | {
    "all": "l j F Y, \\o\\r\\e H:i",
    "hour": "l j F Y, \\o\\r\\e G",
    "short": "l j F \\a\\l\\l\\e H:i",
}


def format_moment(moment: date, part: str = "date") -> str:
    """Return a date or time formatted in the active language.

    part: key of ``WHEN``, such as "all", "date" or "time"; a date has no "time". The time is 20:30
    in every language.
    """
    if get_language() != "it":
        return date_format(moment, WHEN[part])
    if part == "all" and isinstance(moment, datetime) and not moment.minute:
        part = "hour"
    return date_format(moment, ITALIAN[part]).lower()
