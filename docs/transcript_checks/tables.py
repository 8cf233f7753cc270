"""Tables of three to five: results of seats, and how each round seats the players.

What is checked of a round: everybody has one seat or a bye, there are as many tables of each
size as the players ask for, and the meetings and small tables that the file tells it cost. Who
sits with whom is not: several sets of tables may cost the same.
"""

from collections import Counter
from itertools import combinations

from transcript_checks.verdicts import UncheckedError

KIND = "table_swiss"
AWAY = ("absent", "disqualified")


def fault_of_result(match, result):
    """Return what a result of a table contradicts, empty words if nothing."""
    places, marks = result.get("places"), result.get("marks") or {}
    ended, size = result["ended_by"], len(match["seats"])
    if places is None:
        return "" if ended == "void" and not marks else f"it ended {ended} without places"
    given = [place for place in places if place is not None]
    fair = all(place == 1 + sum(other < place for other in given) for place in given)
    nobody = all(place == 2 for place in given)
    if len(places) != size or not (fair or nobody):
        return f"its places are {places}"
    away = {int(seat) for seat, mark in marks.items() if mark in AWAY}
    if away != {seat for seat, place in enumerate(places, start=1) if place is None}:
        return f"its places are {places}, its marks {marks}"
    if (ended == "double_loss") != (1 not in given):
        return f"its places are {places}, it ended {ended}"
    return ""


def fault_of_kind(match, decision, reports):
    """Return what is wrong with who decided: players do by more than half who agree."""
    if decision["kind"] not in ("report", "confirmation") or not decision.get("places"):
        return ""
    said = [one for one in reports if one["kind"] in ("report", "confirmation")]
    agree = sum(one.get("places") == decision["places"] for one in said)
    return "" if agree else f"a {decision['kind']} of players counts, but none agrees with it"


class Tables:
    """Checks each round of tables at the line that publishes it."""

    def __init__(self, record, verdicts):
        self.record, self.verdicts, self.changed = record, verdicts, set()

    def look(self, line, changes):
        """Take in a line: what it changed by hand or published."""
        for place, (_old, new) in changes.items():
            if not place.startswith("round/") or place.count("/") > 1 or new is None:
                continue
            number = int(place[6:])
            if line["action"] in ("round.changed", "act.undone", "act.redone"):
                self.changed.add(number)
            kind = self.record[f"stage/{new['stage']}"]["kind"]
            published = new["state"] == "published" and line["action"] == "round.published"
            if published and kind == KIND and not new["level"]:
                with self.verdicts.guarded(f"tables of round {number}"):
                    self.check(number, new)

    def check(self, number, row):
        """Check a round that was published; raises UncheckedError where people made it."""
        stage = self.record[f"stage/{row['stage']}"]
        own = self.record.plans[stage["number"] - 1].get("own", {})
        sizes = own.get("sizes", [4, 3])
        seats = self.seats_of(number)
        seated = Counter(player for table in seats for player in table)
        words = f"round {number}: {[p for p, times in seated.items() if times > 1]} sit twice"
        self.verdicts.check(set(seated.values()) <= {1}, "seats of rounds", words)
        before = self.before(stage, number)
        met = Counter(pair for table in before for pair in pairs_of(table))
        small = Counter(p for table in before if 1 < len(table) < sizes[0] for p in table)
        tables = [table for table in seats if len(table) > 1]
        cost = row.get("cost") or {}
        repeats = sum(met[pair] for table in tables for pair in pairs_of(table))
        again = sum(small[p] for table in tables if len(table) < sizes[0] for p in table)
        told = (cost.get("repeats"), cost.get("again"))
        words = f"round {number}: it tells {told} meetings and small tables again, counted are "
        self.verdicts.check(told == (repeats, again), "cost of tables", f"{words}{repeats, again}")
        if number in self.changed:
            raise UncheckedError("people changed its tables by hand")
        awarded = dict(self.record.plans[stage["number"] - 1].get("byes", ()))
        rounds = len([n for n, _row in self.record.rounds(stage) if n < number])
        rests = sum(1 for player in seated if awarded.get(player, 0) > rounds)
        wanted = tables_of(len(seated) - rests, sizes)
        found = sorted(map(len, tables))
        words = f"round {number}: tables of {found}, {sorted(wanted)} would be"
        self.verdicts.check(found == sorted(wanted), "sizes of tables", words)

    def seats_of(self, number):
        """Return the players of each match of a round but of missed ones."""
        start = f"round/{number}/match/"
        rows = [row for place, row in self.record.items() if place.startswith(start) and row]
        return [row["seats"] for row in rows if not row["missed"]]

    def before(self, stage, number):
        """Return the seats of all tables of the stage before a round."""
        rounds = [n for n, each in self.record.rounds(stage) if n < number and not each["level"]]
        return [table for one in rounds for table in self.seats_of(one)]


def pairs_of(table):
    """Return the pairs of players at a table."""
    return [frozenset(pair) for pair in combinations(table, 2)]


def tables_of(players, sizes):
    """Return the sizes of the tables: fewest byes, then fewest of the last size, and so on."""
    for seated in range(players, 0, -1):
        counts = counts_of(seated, sizes)
        if counts is not None:
            return [size for size, count in zip(sizes, counts) for _table in range(count)]
    return []


def counts_of(players, sizes):
    """Return how many tables of each size seat everybody, None if none do."""
    *others, last = sizes
    if not others:
        return None if players % last else [players // last]
    for count in range(players // last + 1):
        found = counts_of(players - count * last, others)
        if found is not None:
            return [*found, count]
    return None
