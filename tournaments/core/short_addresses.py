"""The short address of an event: some letters that are its key in another spelling.

Nothing is stored, so every event has one from its creation on, an archive brings none along, and no
two events of a site share one. Keys that follow one another give letters that look unlike.
"""

LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
"""No vowels, which would make words, and nothing that is taken for something else."""
SHORTEST = 4
STEP, START = 7919, 60_913
"""Neither 2 nor 5 divides the step, so it meets every code of a length once."""


def code_of(event_id: int) -> str:
    """Return the letters of an event by its key, as they are printed: four for 160,000 events."""
    length, rest = SHORTEST, event_id - 1
    while rest >= len(LETTERS) ** length:
        rest -= len(LETTERS) ** length
        length += 1
    at = (rest * STEP + START) % len(LETTERS) ** length
    code = ""
    for _letter in range(length):
        at, digit = divmod(at, len(LETTERS))
        code = LETTERS[digit] + code
    return code


def event_of(code: str) -> int | None:
    """Return the key of the event with these letters, in upper or lower case; None for no code."""
    letters = code.upper()
    if not SHORTEST <= len(letters) <= 2 * SHORTEST or not set(letters) <= set(LETTERS):
        return None
    at = 0
    for letter in letters:
        at = at * len(LETTERS) + LETTERS.index(letter)
    size = len(LETTERS) ** len(letters)
    before = sum(len(LETTERS) ** length for length in range(SHORTEST, len(letters)))
    return (at - START) * pow(STEP, -1, size) % size + before + 1
