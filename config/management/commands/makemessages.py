"""Collect sentences, also those that stand unmarked as what a refusal or a rule says.

Those of files of data, of formats and of ready-made rules, are collected with them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.commands import makemessages

from rules.deckbuilding.data.files import unchecked_rule_messages
from rules.deckbuilding.formats import FORMATS
from rules.wording import Sentence

KEYWORDS = (
    "Sentence:1",
    "RuleError:2",
    "BadInput:2",
    "Transition:4",
    "Infraction:2",
    "impossible_result_error:2",
    "impossible_table_result_error:2",
    "file_rejected_error:1",
    "WrongValue:1",
)
"""What takes a sentence in English, and as which argument."""


class Command(makemessages.Command):
    """Django's makemessages; also collects messages of the rules and of data files."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={keyword}" for keyword in KEYWORDS),
    ]

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect sentences; those of data stand in a module of their own meanwhile."""
        with TemporaryDirectory() as self.folder:
            super().handle(*args, **options)

    def find_files(self, root: str) -> list[makemessages.TranslatableFile]:
        """Return the files to read, with that of the sentences of data."""
        found = sorted({*sentence_templates(tuple(FORMATS)), *unchecked_rule_messages()})
        lines = "".join(f"_({text!r})\n" for text in found)
        Path(self.folder, "data.py").write_text(lines, encoding="utf-8")
        data = self.translatable_file_class(self.folder, "data.py", self.default_locale_path)
        return [*super().find_files(root), data]


def sentence_templates(value: object) -> Iterator[str]:
    """Yield the templates of all Sentences inside a value.

    Searches mappings, tuples, dataclasses and the sentences' own values.
    """
    if isinstance(value, Sentence):
        yield value.template
        yield from sentence_templates(value.values)
    elif isinstance(value, Mapping):
        yield from sentence_templates(tuple(value.values()))
    elif isinstance(value, tuple):
        for one in value:
            yield from sentence_templates(one)
    elif is_dataclass(value):
        yield from sentence_templates(tuple(getattr(value, one.name) for one in fields(value)))
