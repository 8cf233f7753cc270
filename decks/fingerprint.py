"""The short form of a fingerprint, to be compared by eye: on the receipt and on every sheet."""


def short_fingerprint(fingerprint: str) -> str:
    """Return the first eight characters of a fingerprint in two groups of four."""
    return f"{fingerprint[:4]} {fingerprint[4:8]}"
