"""What was found: each thing is right, wrong, or not checked for a reason."""

from collections import Counter
from contextlib import contextmanager


class UncheckedError(Exception):
    """Raised where something can't be computed from public data; its text says why."""


class Verdicts:
    """The verdicts of one transcript, in the order in which they were reached."""

    def __init__(self):
        self.right = Counter()
        self.wrong = []
        self.unchecked = []
        self.said = []

    def check(self, held, kind, wrong):
        """Count one thing of a kind as right, or keep the words that say what is wrong."""
        if held:
            self.right[kind] += 1
        else:
            self.wrong.append(wrong)

    def skip(self, subject, why):
        """Keep what was not checked, and why; the same words once."""
        words = f"{subject}: not checked, because {why}"
        if words not in self.unchecked:
            self.unchecked.append(words)

    def say(self, sentences):
        """Keep what is no fault and is to be known."""
        self.said.extend(sentences)

    @contextmanager
    def guarded(self, subject):
        """Turn whatever the block can't compute into a verdict; nothing is raised from it."""
        try:
            yield
        except UncheckedError as reason:
            self.skip(subject, reason)
        except Exception as fault:
            self.skip(subject, f"its data can't be read ({type(fault).__name__}: {fault})")
