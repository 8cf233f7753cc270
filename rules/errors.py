"""Errors that people can act on. Any other exception is a bug and is reported as one."""

from rules.wording import Sentence, gettext_noop

PASSED = gettext_noop("This is no longer possible. Reload the page.")
"""What a refusal says that only an old page meets: ``code`` tells programs which it is."""


class RuleError(Exception):
    """An action that is not allowed in the current state: a stable ``code`` and a message.

    The API answers 409.
    """

    def __init__(self, code: str, template: str = PASSED, **values: object) -> None:
        self.code = code
        self.sentence = Sentence(template, values)
        super().__init__(str(self.sentence))


class BadInput(RuleError):  # noqa: N818 - named by what the sender did; the agreed word
    """Input that is malformed or impossible in any state: the API answers 400, not 409."""
