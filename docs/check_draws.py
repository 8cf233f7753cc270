"""Compute the draws of a finished event again: python check_draws.py transcript.json

Every draw has a seed, a text. The SHA-256 of the seed is its fingerprint, which is public before
the draw. The ticket of player 7 is the SHA-256 of "SEED:7"; the lowest ticket is drawn first.
Players with a seed position come before all others, in the order of their positions.

A Swiss round goes through its players by points, the highest first. Those with equal points are in
the order of the first eight digits of the SHA-256 of "SEED:ROUND:7"; SEED is that of the stage. A
pair names first whoever comes first, and the pairs stand in the order of their first players.

Exit 0: everything is right or was done by hand; 1: something is wrong; 2: this is no transcript.
"""

import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path


def digest(text):
    """Return the SHA-256 of a text, as 64 digits."""
    return sha256(text.encode()).hexdigest()


def fold(rows, facts):
    """Bring the rows up to date with what a line of the log tells."""
    gone = tuple(f"{place}/" for place in facts.get("gone", ()))  # with all that is below it
    for place in list(rows):
        if facts.get("whole") or f"{place}/".startswith(gone):
            del rows[place]
    rows.update(facts.get("rows", {}))


def numbered(rows, kind):
    """Return the rows of a kind by their number: of "draw" those at draw/1, draw/2 and so on."""
    places = [place for place in rows if place.rpartition("/")[0] == kind]
    numbers = sorted(int(place.rpartition("/")[2]) for place in places)
    return {number: rows[f"{kind}/{number}"] for number in numbers}


def check_draw(draw, announced):
    """Return what is wrong with a draw, and what else is to be said of it."""
    if draw["by_hand"]:
        return "", "drawn by hand"
    if digest(draw["seed"]) != draw["fingerprint"]:
        return f"the fingerprint of its seed would be {digest(draw['seed'])}", ""
    entrants = [each if isinstance(each, list) else [each, None] for each in draw["entrants"]]
    keys = {n: (at is None, at or 0, digest(f"{draw['seed']}:{n}")) for n, at in entrants}
    if draw["order"] != sorted(keys, key=keys.get):
        return f"the order would be {sorted(keys, key=keys.get)}", ""
    line, fingerprint = announced or (None, None)
    if fingerprint == draw["fingerprint"]:
        return "", f"right; its fingerprint was public from line {line} on"
    return "", "right; somebody gave its seed, or it was made before the log began"


def is_swiss(rows, row):
    """Return whether a round is a Swiss round, and not one of extra matches of level players."""
    return rows[f"stage/{row['stage']}"]["kind"] == "swiss" and not row["level"]


def points_before(rows, number):
    """Return the points that each player had in the stage before a Swiss round."""
    won, drawn, lost = (rows["event"][f"points_{end}"] for end in ("win", "draw", "loss"))
    worth = {"a": (won, lost), "b": (lost, won), "draw": (drawn, drawn), "none": (lost, lost)}
    points, stage = Counter(), rows[f"round/{number}"]["stage"]
    for other, row in numbered(rows, "round").items():
        if other < number and row["stage"] == stage and not row["level"]:
            for match in numbered(rows, f"round/{other}/match").values():
                told = [r["winner"] for r in match["reports"] if r["version"] == match["decision"]]
                for of_a, of_b in (worth.get(winner, (0, 0)) for winner in told):
                    points.update({match["a"]: of_a, match["b"]: of_b})
    return points


def check_round(rows, number, points, by_hand):
    """Return what is wrong with the order of a Swiss round, and what else is to be said of it."""
    matches = numbered(rows, f"round/{number}/match").values()
    matches = [match for match in matches if match and not match["missed"]]
    if by_hand or any(match.get("earlier") for match in matches):
        return "", "people paired it, or gave its matches to others"
    if points is None:
        return "", "not checked: the log began later"
    row = rows[f"round/{number}"]
    seed = rows[f"stage/{row['stage']}"]["seed"] + f":{row['number']}"
    pairs = [[match["a"], match["b"]] for match in matches if match["b"] is not None]
    keys = {p: (-points[p], digest(f"{seed}:{p}")[:8], str(p)) for pair in pairs for p in pair}
    would = sorted((sorted(pair, key=keys.get) for pair in pairs), key=lambda pair: keys[pair[0]])
    wrong = f"its pairs would be {would}" if pairs != would else ""
    return wrong, f"right: its order was {sorted(keys, key=keys.get)}"


def followed(lines):
    """Return the rows that the log tells, and what it told of draws and rounds as they were made.

    That is by the number of a draw the line that announced it and the fingerprint, by number and
    moment of a round the points from which it was paired, and the rounds that people changed.
    """
    rows, announced, points, changed = {}, {}, {}, set()
    for line in lines:
        fold(rows, line["facts"])
        told = line["facts"].get("rows", {})
        for number, draw in numbered(told, "draw").items():
            public = None if draw["state"] == "drawn" else (line["number"], draw["fingerprint"])
            announced.setdefault(number, public)
        for number in {int(place.split("/")[1]) for place in told if place.startswith("round/")}:
            row = rows[f"round/{number}"]
            key, whole = (number, row["drafted_at"]), line["facts"].get("whole")
            if is_swiss(rows, row) and (key not in points or row["state"] == "draft"):
                points[key] = None if whole else points_before(rows, number)
            changed |= {number} if line["action"] == "round.changed" else set()
    return rows, announced, points, changed


def check(transcript):
    """Yield of each draw and Swiss round what it is, what is wrong, and what else is to be said."""
    rows = transcript["rows"]
    told, announced, points, changed = followed(transcript["log"]["lines"])
    for place in sorted({*rows, *told}):
        if place.startswith(("draw/", "stage/")) and rows.get(place) != told.get(place):
            yield place, "it is not what the log tells", ""
    for number, draw in numbered(rows, "draw").items():
        if draw["state"] == "drawn":
            yield f"draw {number}", *check_draw(draw, announced.get(number))
    by_hand = {each["round"]: each["by_hand"] for each in transcript.get("pairings", ())}
    for number, row in numbered(rows, "round").items():
        if is_swiss(rows, row):
            made = points.get((number, row["drafted_at"])), by_hand.get(number, number in changed)
            yield f"round {number}", *check_round(rows, number, *made)


def main(arguments):
    """Print what was found in the file; return the exit code."""
    try:
        (path,) = arguments
        found = list(check(json.loads(Path(path).read_text("utf-8"))))
    except (AttributeError, KeyError, OSError, TypeError, ValueError, RecursionError):
        print(__doc__)
        return 2
    for what, wrong, words in found:
        print(f"{what}: {'WRONG: ' if wrong else ''}{wrong or words}")
    return int(any(wrong for _what, wrong, _words in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
