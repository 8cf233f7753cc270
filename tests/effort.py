"""How many examples Hypothesis tries: few for ``make test``, many for ``make test-all``.

A test asks for a share of the profile's number, never for a number: ``@examples(0.6)``.
"""

from hypothesis import settings

QUICK, DEEP = "quick", "deep"
# A busy machine is no fault of the code: no test fails for the time that an example takes.
# What passes once passes again with ``quick``; ``deep`` looks elsewhere each time.
settings.register_profile(QUICK, max_examples=20, deadline=None, derandomize=True)
settings.register_profile(DEEP, max_examples=200, deadline=None, print_blob=True)


def how_many(share: float = 1) -> int:
    """Return that share of the examples of the profile in use, one at least."""
    return max(1, round(share * settings().max_examples))


def examples(share: float = 1) -> settings:
    """Return settings with a share of the profile's examples.

    They decorate a test, or are what further settings begin from.
    """
    return settings(max_examples=how_many(share))
