"""Translation of the rules' sentences into the active language."""

from collections.abc import Mapping
from fractions import Fraction

from django.utils.translation import gettext

from rules.errors import RuleError
from rules.wording import Sentence


def translate(sentence: Sentence | str) -> str:
    """Return a sentence of the rules in the active language, as plain (unescaped) text.

    A plain string is translated too, so that labels may be either.
    """
    if isinstance(sentence, str):
        return gettext(sentence)
    return gettext(sentence.template) % in_words(sentence.values)


def in_words(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values formatted for a translated sentence."""
    return {key: in_word(value) for key, value in values.items()}


def in_word(value: object) -> object:
    """Return one value as text: sentences translated, tuples joined by commas."""
    if isinstance(value, Sentence):
        return translate(value)
    if isinstance(value, tuple | list):
        return ", ".join(str(in_word(item)) for item in value)
    if isinstance(value, Fraction):
        return str(value)
    return value


def explain(error: RuleError) -> str:
    """Return the message of a ``RuleError`` in the active language."""
    return translate(error.sentence)
