"""The rows of an event as the lines of its log tell them, by place such as "round/5/match/3"."""

from collections import namedtuple

AWAY = ("withdrawn", "disqualified")
USUAL = {"without_last": False, "second_final": True, "apart": False, "third_place": False}
"""What plans from before they told it meant."""
Result = namedtuple("Result", "number a b winner score games missed")
"""One match: ``winner`` None if open; ``games`` = won by a, won by b, drawn; b None: a bye."""
Extra = namedtuple("Extra", "level results after")
"""A round of extra matches of level players; ``after``: how many lots were drawn before it."""


def in_seat_order(row):
    """Return a row; a match with its players in the order of their seats: a, then b.

    Lines from before seats had numbers name them in the order of their own numbers.
    """
    if not isinstance(row, dict) or not isinstance(row.get("seats"), list):
        return row
    seats = [player for player in (row.get("a"), row.get("b")) if player is not None]
    same = len(seats) == len(row["seats"]) and all(player in row["seats"] for player in seats)
    return {**row, "seats": seats} if same else row


class Record(dict):
    """What the lines folded so far tell."""

    def fold(self, facts):
        """Take in one line: ``whole`` begins anew, ``gone`` removes places and those below.

        Return the places that it changed, each with its row before and now, None without one.
        """
        gone = facts.get("gone", [])
        told = {place: in_seat_order(row) for place, row in facts.get("rows", {}).items()}
        goes = list(self)
        if not facts.get("whole"):
            goes = [p for p in self if any(f"{p}/".startswith(f"{g}/") for g in gone)]
        before = {place: self.get(place) for place in (*goes, *told)}
        for place in goes:
            del self[place]
        self.update(told)
        return {p: (row, self.get(p)) for p, row in before.items() if row != self.get(p)}

    def numbered(self, kind):
        """Return the rows of a kind by number, in order."""
        start = f"{kind}/"
        parts = [(p[len(start) :], row) for p, row in self.items() if p.startswith(start)]
        return dict(sorted((int(part), row) for part, row in parts if "/" not in part))

    @property
    def event(self):
        """Return the row of the event, empty before it is told."""
        return self.get("event", {})

    @property
    def plans(self):
        """Return the planned stages; empty before the start."""
        planned = (self.event.get("plan") or {}).get("stages", [])
        return [{**USUAL, **stage} for stage in planned]

    def away(self):
        """Return the players who have left."""
        entries = self.numbered("entry").items()
        return {number for number, entry in entries if entry["status"] in AWAY}

    def draws(self, kind):
        """Return the draws of a kind that were made, in order."""
        found = self.numbered("draw").values()
        return [draw for draw in found if draw["state"] == "drawn" and draw["kind"] == kind]

    def seats(self, stage):
        """Return the players of each group of a stage by its name, in seat order."""
        return {
            group["name"]: [seat["player"] for seat in group["seats"]]
            for group in sorted(stage["groups"], key=lambda group: group["number"])
        }

    def struck(self, stage):
        """Return the players whose matches in this stage are void."""
        seats = [seat for group in stage["groups"] for seat in group["seats"]]
        return {seat["player"] for seat in seats if seat.get("struck_at")}

    def rounds(self, stage):
        """Return the rounds of a stage in order, with their ordinals."""
        found = self.numbered("round").items()
        return [(ordinal, row) for ordinal, row in found if row["stage"] == stage["number"]]

    def results(self, stage):
        """Return the results of a stage by group number, round by round, without extra matches."""
        found = {group["number"]: [] for group in stage["groups"]}
        for ordinal, row in self.rounds(stage):
            if not row["level"]:
                for group, result in self._of_round(ordinal):
                    found[group].append(result)
        return found

    def extra_rounds(self, stage):
        """Return the rounds of extra matches of a stage, in order, one for each set of players."""
        lots, found = [draw["drawn_at"] for draw in self.draws("lots")], []
        for ordinal, row in self.rounds(stage):
            nested = row["level"] and isinstance(row["level"][0], list)
            sets = row["level"] if nested else [row["level"]] if row["level"] else []
            results = self.played(ordinal)
            for level in sets:
                own = [one for one in results if len(sets) == 1 or one.a in level]
                after = sum(moment <= row["drafted_at"] for moment in lots)
                found.append(Extra(tuple(level), own, after))
        return found

    def played(self, ordinal):
        """Return the results of a round in the order of its matches; none of a draft."""
        return [result for _group, result in self._of_round(ordinal)]

    def _of_round(self, ordinal):
        """Return (group, result) of every match of a round, by the number of the match."""
        start = f"round/{ordinal}/match/"
        rows = {int(p[len(start) :]): row for p, row in self.items() if p.startswith(start) and row}
        return [(rows[number]["group"], result_of(number, rows[number])) for number in sorted(rows)]


def result_of(number, match):
    """Return the result of a match by the report that decided it."""
    told = {}
    if match["decision"] is not None:
        told = next(one for one in match["reports"] if one["version"] == match["decision"])
    score = (told.get("score_a"), told.get("score_b"))
    games = (told.get("games_a"), told.get("games_b"), told.get("games_drawn") or 0)
    return Result(
        number,
        match["a"],
        match["b"],
        told.get("winner"),
        None if None in score else score,
        None if None in games[:2] else games,
        match["missed"],
    )
