"""Result row of a check."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """``check`` is the name of the check; ``words`` a sentence in the active language."""

    check: str
    words: str

    def __str__(self) -> str:
        return f"{self.check}: {self.words}"
