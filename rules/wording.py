"""Translatable sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction


def gettext_noop(text: str) -> str:
    """Return a text unchanged, marked for the catalogue of translations.

    For texts outside of ``Sentence`` and errors; ``rules`` itself never translates.
    """
    return text


@dataclass(frozen=True, slots=True)
class Sentence:
    """A translatable message: an English template with ``%(name)s`` placeholders, and values.

    The template is also the message id. Values are texts, numbers, other messages, or tuples of
    these.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % {key: format_in_english(value) for key, value in self.values.items()}


AS_IT_IS = "%(text)s"


def untranslated_text(text: object) -> Sentence:
    """Return a message that is the same text in every language."""
    return Sentence(AS_IT_IS, {"text": text})


def labelled_value(label: str, value: object) -> Sentence:
    """Return a message of a label and a value: "Groups: A 4, B 4".

    ``label`` is the message id of the label.
    """
    return Sentence("%(label)s: %(value)s", {"label": Sentence(label), "value": value})


def format_in_english(value: object) -> object:
    """Return a value as it appears in an English message; tuples are joined by commas."""
    if isinstance(value, tuple):
        return ", ".join(str(format_in_english(item)) for item in value)
    if isinstance(value, (Sentence, Fraction)):
        return str(value)
    return value
