"""Collect sentences, also those that stand unmarked as what a refusal or a rule says."""

from django.core.management.commands import makemessages

KEYWORDS = (
    "Sentence:1",
    "RuleError:2",
    "BadInput:2",
    "Change:4",
    "Infraction:2",
    "impossible:2",
    "rejected:1",
    "WrongValue:1",
)
"""What takes a sentence in English, and as which argument."""


class Command(makemessages.Command):
    """Django's command, with the keywords of the rules."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={keyword}" for keyword in KEYWORDS),
    ]
