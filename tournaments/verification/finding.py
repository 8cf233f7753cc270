"""A difference between what is stored and what follows from the facts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """``check`` names the check for programs, ``words`` say what differs, in the language."""

    check: str
    words: str

    def __str__(self) -> str:
        return f"{self.check}: {self.words}"
