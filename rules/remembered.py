"""Answers about texts that come again and again, such as the names and lines of lists."""

from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


class Remembered(dict[str, Answer]):
    """What ``answer`` says of each text, worked out when it is first asked for.

    At most so many texts are kept, and none that is ``longest`` or longer: nobody can fill the
    memory with texts that no list has.
    """

    def __init__(self, answer: Callable[[str], Answer], *, most: int, longest: int = 200) -> None:
        super().__init__()
        self.answer = answer
        self.most = most
        self.longest = longest

    def __missing__(self, text: str) -> Answer:
        """Work out the answer for a text that has none yet."""
        answer = self.answer(text)
        if len(text) < self.longest:
            if len(self) >= self.most:
                self.clear()
            self[text] = answer
        return answer
