"""Draws: the order follows from the seed, and where the seed comes from.

The player with the lowest SHA-256 of "SEED:NUMBER" is drawn first; players with a seed position
come before all others, in the order of their positions. A seed is drawn if the first line that told
of its draw announced its fingerprint; else somebody gave it. Of draws that the log found made when
it began nothing tells that.
"""

from collections import Counter
from hashlib import sha256

NTH = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def digest(text):
    """Return a text's SHA-256 in hexadecimal."""
    return sha256(text.encode()).hexdigest()


class Draws:
    """The draws of an event as its lines tell them, one after the other."""

    def __init__(self):
        self.announced, self.made, self.counts = {}, {}, Counter()

    def look(self, line, _changes):
        """Keep which draws a line announces, and of those it makes where they come from."""
        rows = line["facts"].get("rows", {})
        found = {int(p.removeprefix("draw/")): rows[p] for p in rows if p.startswith("draw/")}
        for number, row in sorted(found.items()):
            if number in self.made:
                continue
            if row["state"] == "drawn":
                self.made[number] = self.origin(number, row, line)
            else:
                self.announced.setdefault(number, (row["fingerprint"], line))

    def origin(self, number, row, line):
        """Return where a draw comes from, as the transcript has it."""
        start = row["kind"] == "start"
        thing = "start" if start else (row["stage"], *sorted(row["entrants"]))
        self.counts[thing] += 1
        fingerprint, told = self.announced.get(number, (None, None))
        public = not row["by_hand"] and told is not None and fingerprint == row["fingerprint"]
        known = told is not None or not line["facts"].get("whole")
        given = not row["by_hand"] and not public
        return {
            "number": number,
            "by_hand": row["by_hand"],
            "seed_given": given if known or not given else None,
            "public_since": told["at"] if public else None,
            "told_by_line": told["number"] if public else None,
            "count": self.counts[thing],
        }

    def sentences(self, record):
        """Yield of each draw where it comes from, and which draw of the same thing it is."""
        for number, origin in self.made.items():
            words = []
            if origin["by_hand"]:
                words.append("drawn by hand")
            if origin["seed_given"]:
                words.append("its seed was given by somebody, not drawn")
            if origin["told_by_line"]:
                words.append(
                    f"its fingerprint was public before, from line {origin['told_by_line']}"
                )
            if (count := origin["count"]) > 1:
                nth = NTH[count - 2] if count - 2 < len(NTH) else f"{count}th"
                start = record[f"draw/{number}"]["kind"] == "start"
                words.append(
                    f"{nth} draw of {'the start' if start else 'lots among these players'}"
                )
            if words:
                yield f"draw {number}: {'; '.join(words)}"

    def check_told(self, told, verdicts):
        """Check what a transcript says of the origins of its draws."""
        for row, own in zip(told, self.made.values(), strict=True):
            words = f"draw {own['number']}: it does not come from where the transcript says"
            if own["seed_given"] is None:  # its note may tell it, which is not public
                own = own | {"seed_given": row["seed_given"]}
            verdicts.check(row == own, "origins of draws", words)


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
