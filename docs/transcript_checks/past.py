"""What each place held after each line, and whether a line put back what an earlier one held."""

from collections import defaultdict

OF_A_REPORT = ("version", "kind", "at")
"""Columns in which a report that counts again differs from the earlier one."""


class Past:
    """The rows of all places after each line so far."""

    def __init__(self):
        self.held, self.numbers = defaultdict(list), []

    def add(self, number, changes):
        """Add what a line changed."""
        self.numbers.append(number)
        for place, (_old, new) in changes.items():
            self.held[place].append((number, new))

    def at(self, place, number):
        """Return the row of a place after a line, None if it was not there."""
        return next((row for at, row in reversed(self.held[place]) if at <= number), None)

    def reached(self, changes, whole):
        """Return whether all that a line changed is as it was after one of the lines before.

        Of a ``whole`` line that puts back a snapshot everything has to be.
        """
        return any(self.is_as_at(changes, whole, number) for number in reversed(self.numbers))

    def nearest(self, changes, whole):
        """Return the places that no one of these lines held so, by the line that comes closest."""
        missed = [self.new_at(changes, whole, number) for number in reversed(self.numbers)]
        return min(missed, key=len, default=[*changes])

    def is_as_at(self, changes, whole, number):
        """Return whether what a line changed is as it was after this line."""
        return not any(self.compared(changes, whole, number))

    def new_at(self, changes, whole, number):
        """Return the places that are not as they were after this line."""
        return [*self.compared(changes, whole, number)]

    def compared(self, changes, whole, number):
        """Yield the places that are not as they were after this line; draws never go back."""
        for place, (old, new) in changes.items():
            if not place.startswith("draw/"):
                was = self.at(place, number)
                if not (is_put_back(old, new, was) if not whole else is_snapshot(old, new, was)):
                    yield place


def is_snapshot(now, new, was):
    """Return whether a row is that of a snapshot; lists stay published or hidden as they are."""
    if new is None or was is None:
        return new is was
    stays = "lists_published_at"
    return all(
        value == was.get(name, value) or (name == stays and value == (now or {}).get(stays))
        for name, value in new.items()
    )


def is_put_back(old, new, was):
    """Return whether all columns that a line changed are as they were, or only grew."""
    if not new or not was:
        return new == was
    old = old or {}
    return all(
        value == was.get(name, value)
        or (name in old and value == old[name])
        or (name == "lists_published_at" and value is None)
        or has_grown(name, old, new, was)
        for name, value in new.items()
    )


def has_grown(name, old, new, was):
    """Return whether a column of a match only grew, by the report that counted then, if any."""
    if name == "version":
        return new["version"] >= old.get("version", 0)
    if name == "earlier":
        known, sat = (
            old.get("earlier", []),
            {"until": old.get("version"), "seats": old.get("seats")},
        )
        told = {**was["earlier"][-1], **sat} if was.get("earlier") else sat
        return new["earlier"][: len(known)] == known and all(
            each in (sat, told) for each in new["earlier"][len(known) :]
        )
    if name not in ("reports", "decision"):
        return False
    before, now = old.get("reports", []), new["reports"]
    counted = counting(was)
    again = [each for each in now[len(before) :] if counted and same(each, counted)]
    if name == "decision":
        return counting(new) in again
    return now[: len(before)] == before and len(again) == len(now) - len(before) <= 1


def counting(match):
    """Return the report that decides a match, None without one."""
    reports = match.get("reports", [])
    return next((each for each in reports if each["version"] == match["decision"]), None)


def same(one, other):
    """Return whether two reports tell the same."""
    return all(one[name] == other.get(name) for name in one if name not in OF_A_REPORT)
