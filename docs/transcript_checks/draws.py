"""Draws: the order follows from the seed, whose fingerprint was public before.

The player with the lowest SHA-256 of "SEED:NUMBER" is drawn first; players with a seed position
come before all others, in the order of their positions.
"""

from hashlib import sha256


def digest(text):
    """Return a text's SHA-256 in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def check_draws(record, verdicts):
    """Check entrants, fingerprint and order of every draw that was made."""
    for number, draw in record.numbered("draw").items():
        with verdicts.guarded(f"draw {number}"):
            pairs = [e if isinstance(e, list) else [e, None] for e in draw["entrants"]]
            held = sorted(entrant for entrant, _seed in pairs) == sorted(draw["order"])
            verdicts.check(held or draw["state"] != "drawn", "entrants", f"draw {number}: players")
            if draw["state"] == "drawn" and not draw["by_hand"]:
                tickets = {n: digest(f"{draw['seed']}:{n}") for n, _s in pairs}
                would = sorted(pairs, key=lambda e: (e[1] is None, e[1] or 0, tickets[e[0]]))
                prints = digest(draw["seed"]) == draw["fingerprint"]
                held = prints and [n for n, _s in would] == draw["order"]
                verdicts.check(held, "draws", f"draw {number}: order")
