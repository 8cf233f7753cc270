"""What people can act on; everything else is a bug and gets a traceback."""

from rules.wording import Sentence


class RuleError(Exception):
    """A step that the rules do not allow now, with a stable code and a sentence."""

    def __init__(self, code: str, template: str, **values: object) -> None:
        self.code = code
        self.sentence = Sentence(template, values)
        super().__init__(str(self.sentence))


class BadInput(RuleError):  # noqa: N818 - named by what the sender did; the agreed word
    """Something typed or sent that cannot be what was meant."""
