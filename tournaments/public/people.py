"""People as discs: initials and nine colours, chosen by the name."""

INKS = (
    ("#e6d0ee", "#4a1259"),
    ("#d0e4ee", "#0d4257"),
    ("#d5eed0", "#1d4f14"),
    ("#eee7d0", "#554714"),
    ("#eed3d0", "#6b1a14"),
    ("#d0d4ee", "#1d2668"),
    ("#eed0de", "#661139"),
    ("#d0eee8", "#0c4c40"),
    ("#e9e4dc", "#463a27"),
)
"""Ground and letters of the discs, as ``hero.css`` has them."""


def initials(name: str) -> str:
    """Return the first letters of the first and the last word of a name."""
    words = [word for word in name.split() if word[0].isalnum()] or [name[:1]]
    letters = words[0][0] + (words[-1][0] if len(words) > 1 else "")
    return letters.upper()
