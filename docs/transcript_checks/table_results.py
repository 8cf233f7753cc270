"""What a table of three to five came to: the place of each seat, and what the places are worth."""

from collections import namedtuple
from fractions import Fraction

AWAY = ("absent", "disqualified")
GONE = ("no_show", "disqualification")
"""How a match of two ended whose loser was not there at its end."""
PLACES = {"a": [1, 2], "b": [2, 1], "draw": [1, 1], "none": [2, 2]}
"""The places of a match of two, and of one alone, by its winner."""
Table = namedtuple("Table", "seats places missed")
"""One match by seat: ``places`` None if it does not count, one of them None if nobody was there."""
Worth = namedtuple("Worth", "first drawn other bye by_place floor bye_counts bye_adds")
"""What places give; ``floor`` None: one divided by the usual size of tables."""
PRESETS = {
    "win5": Worth(5, 1, 0, 5, [], Fraction(1, 5), True, True),
    "win3": Worth(3, 1, 0, 3, [], None, True, True),
    "places": Worth(0, 0, 0, 4, [4, 3, 2, 1], None, False, False),
}


def worth_of(event):
    """Return what places are worth in an event; raises KeyError for a preset not known here."""
    told = event.get("table_points") or {"preset": "win5"}
    if "preset" in told:
        return PRESETS[told["preset"]]
    if "places" in told:
        usual = PRESETS["places"]
        return usual._replace(by_place=told["places"], bye=told.get("bye", usual.bye))
    first = told.get("win", 3)
    drawn, other = told.get("draw", 1), told.get("loss", 0)
    return PRESETS["win3"]._replace(
        first=first, drawn=drawn, other=other, bye=told.get("bye", first)
    )


def tables_in(record, number):
    """Return the tables of a round in the order of their numbers, missed ones too."""
    start = f"round/{number}/match/"
    rows = {int(p[len(start) :]): row for p, row in record.items() if p.startswith(start) and row}
    return [table_of(rows[each]) for each in sorted(rows)]


def table_of(match):
    """Return a match as a table."""
    told = {"winner": None, "ended_by": ""}
    if match["decision"] is not None:
        told = next(one for one in match["reports"] if one["version"] == match["decision"])
    if told.get("places"):
        return Table(match["seats"], told["places"], match["missed"])
    places = PLACES.get(told["winner"])
    if places is not None:
        places = places[: len(match["seats"])]
        if len(places) == 2 and told["ended_by"] in GONE:
            places = [place if place == 1 else None for place in places]
    return Table(match["seats"], places, match["missed"])


def made_at(worth, table):
    """Return the points of each seat of a table, fractions where places are shared."""
    if table.places is None:
        return [0] * len(table.seats)
    if len(table.seats) == 1:
        return [worth.bye if table.places == [1] else 0]
    there = [place for place in table.places if place is not None]
    return [0 if place is None else of_place(worth, place, there) for place in table.places]


def of_place(worth, place, there):
    """Return the points of a place, by the places of everybody who was there."""
    sharing = there.count(place)
    if worth.by_place:
        better = 0 if sharing == len(there) else place - 1
        numbers = [*worth.by_place, *[0] * len(there)][better : better + sharing]
        return Fraction(sum(numbers), sharing)
    if place != 1:
        return worth.other
    return worth.first if sharing == 1 else worth.drawn


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


def among_others(places, gone):
    """Return what all but some seats came to among themselves, and whether one of them was first.

    Who leaves, or is found to be absent, after a report has another place in those made later.
    """
    if places is None:
        return None
    rest = [place for seat, place in enumerate(places, start=1) if seat not in gone and place]
    return [1 + sum(other < place for other in rest) for place in rest], 1 in rest


def fault_of_kind(match, decision, reports, left, by_time):
    """Return what is wrong with who decided: players do by more than half who agree.

    ``left`` are those who ever left, and need not be asked; ``by_time``: reports that nobody
    answers confirm themselves.
    """
    if decision["kind"] not in ("report", "confirmation") or not decision.get("places"):
        return ""
    said = [one for one in reports if one["kind"] in ("report", "confirmation")]
    gone = {int(seat) for seat in decision.get("marks") or {}}
    told = among_others(decision["places"], gone)
    agree = sum(among_others(one.get("places"), gone) == told for one in said)
    seats = sum(player not in left for player in match["seats"])
    needed = 2 if by_time else seats // 2 + 1
    if agree >= min(needed, seats // 2 + 1):
        return ""
    return f"a {decision['kind']} of players counts, but {agree} of {seats} seats agree with it"
