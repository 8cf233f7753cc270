"""Translation of the rules' sentences into the active language."""

from collections.abc import Mapping
from fractions import Fraction

from django.forms import BaseForm
from django.utils.translation import gettext

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
