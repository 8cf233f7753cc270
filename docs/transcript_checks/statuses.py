"""Statuses against what the log tells: players, event, stages, rounds and matches."""

from transcript_checks.reports import fault_of
from transcript_checks.verdicts import UncheckedError

HERE = ("registered", "checked_in")
OUT_AND_IN = {
    **dict.fromkeys(HERE, ("withdrawn",)),
    **dict.fromkeys((None, "waiting"), ("checked_in",)),
}
"""One player goes, and another may come."""
MOVES = {
    "entry.added": {None: ("registered", "waiting")},
    "entry.pasted": {None: ("registered", "waiting")},
    "entry.registered": {None: ("registered", "waiting")},
    "entry.added_late": dict.fromkeys(
        (None, "waiting", "withdrawn", "disqualified"), ("checked_in",)
    ),
    "entry.promoted": {"waiting": ("registered",)},
    "entry.let_in": {"waiting": HERE},
    "entry.check_in": {"registered": ("checked_in",)},
    "entry.checked_in_many": {"registered": ("checked_in",)},
    "entry.undo_check_in": {"checked_in": ("registered",)},
    "entry.withdraw": dict.fromkeys((*HERE, "waiting"), ("withdrawn",)),
    "entry.withdrawn_many": dict.fromkeys((*HERE, "waiting"), ("withdrawn",)),
    "entry.disqualify": dict.fromkeys((*HERE, "waiting", "withdrawn"), ("disqualified",)),
    "entry.re_enter": {"withdrawn": ("checked_in",)},
    "entry.reinstate": {"disqualified": ("checked_in",)},
    "player.replaced": OUT_AND_IN,
    "player.taken_back": OUT_AND_IN,
}
"""What an act makes of the status of a player; None: of somebody who was not there."""
STATES = {
    "event.created": {None: ("draft",)},
    "event.open_registration": dict.fromkeys(("draft", "closed"), ("registration",)),
    "event.close_registration": {"registration": ("closed",)},
    "event.start": dict.fromkeys(("draft", "registration", "closed"), ("running",)),
    "event.finish": {"running": ("finished",)},
    "event.reopen": {"finished": ("running",)},
}
"""What an act makes of the state of the event."""
KNOWN = {
    "event": ("draft", "registration", "closed", "running", "finished"),
    "entry": (*HERE, "waiting", "withdrawn", "disqualified"),
    "stage": ("pending", "open", "closed"),
    "round": ("draft", "published"),
    "match": ("open", "reported", "disputed", "final"),
    "draw": ("announced", "drawn"),
}
"""What each can be."""
BACK = ("act.undone", "act.redone", "event.restored")
"""Acts that put back what was: which statuses they reach is judged by the fourth law."""
BYGONE = ("concession", "disqualification", "double_loss")


def seats_then(match, version):
    """Return the players of a match when a report of it was made: others may sit there now."""
    for earlier in match.get("earlier", ()):
        if version <= earlier["until"]:
            return earlier["seats"]
    return [match["a"], match["b"]]


class Statuses:
    """Checks the statuses that each line tells, and at the end those of everything."""

    def __init__(self, record, verdicts):
        self.record, self.verdicts, self.left, self.action = record, verdicts, set(), ""

    def look(self, line, changes):
        """Check what a line made of statuses, and the rows that it changed."""
        self.action, number, whole = line["action"], line["number"], line["facts"].get("whole")
        self.left |= self.record.away()
        for place, (old, new) in sorted(changes.items()):
            with self.verdicts.guarded(f"line {number}, {place}"):
                if not whole and self.action not in BACK:
                    self.check_move(number, place, old, new)
                    self.check_forfeits(number, place, old, new)
                if new:
                    self.check_row(number, place, new)

    def check_move(self, number, place, old, new):
        """Check that the act of a line makes this status of that one."""
        kind, key = place.split("/")[0], "state" if place == "event" else "status"
        if new is None or kind not in ("entry", "event") or (old and old[key] == new[key]):
            return
        moves = (STATES if place == "event" else MOVES).get(self.action, {})
        was, now = (old or {}).get(key), new[key]
        held = now in moves.get(was, ())
        words = f"line {number}: {place} went from {was} to {now}, not by {self.action}"
        self.verdicts.check(held, f"statuses of {kind}", words)

    def check_forfeits(self, number, place, old, new):
        """Check that whoever lost a match by rule had left."""
        if "/match/" not in place or not new or new["b"] is None:
            return
        known = {report["version"] for report in (old or {}).get("reports", ())}
        for report in new["reports"]:
            by_rule = report["kind"] == "automatic" and report["ended_by"] in BYGONE
            if by_rule and report["version"] not in known:
                seats = seats_then(new, report["version"])
                lost = {"a": seats[1:], "b": seats[:1]}.get(report["winner"], seats)
                held = all(player in self.left for player in lost)
                words = f"line {number}: {place} was lost by somebody who had not left"
                self.verdicts.check(held, "losses by rule", words)

    def check_row(self, number, place, row):
        """Check that what one row tells agrees with itself."""
        kind = place.split("/")[-2] if "/" in place else place
        fault = {"match": self.of_match, "round": self.of_round, "stage": self.of_stage}.get(kind)
        state = row.get("state", row.get("status"))
        known = state in KNOWN.get(kind, (state,))
        words = f"line {number}: {place} is {state}, which nothing can be"
        self.verdicts.check(known, "words of statuses", words)
        if fault is not None:
            words = fault(row)
            self.verdicts.check(not words, f"rows of {kind}", f"line {number}: {place}: {words}")

    def of_match(self, row):
        """Return what is wrong with a match, empty words if nothing is."""
        return fault_of(row, self.left, bool(self.record.event.get("confirm_after")))

    def of_round(self, row):
        """Return what is wrong with a round, empty words if nothing is."""
        if (row["state"] == "published") != (row["published_at"] is not None):
            return f"it is {row['state']}, published at {row['published_at']}"
        opened = self.record[f"stage/{row['stage']}"]["state"] != "pending"
        return "" if opened else "its stage is still to come"

    def of_stage(self, row):
        """Return what is wrong with a stage, empty words if nothing is."""
        begun, over = row["state"] != "pending", row["state"] == "closed"
        times = (row["opened_at"] is not None, row["closed_at"] is not None)
        if times != (begun, over) or bool(row["groups"]) != begun:
            return f"it is {row['state']}, opened at {row['opened_at']}, closed {row['closed_at']}"
        if row["places"] and not over:
            return "it gives places before it is closed"
        plan = self.record.plans[row["number"] - 1]
        if (row["key"], row["kind"]) != (plan["key"], plan["kind"]):
            return f"it is {row['key']}, planned was {plan['key']}"
        names = [group["name"] for group in row["groups"]]
        planned = [group["name"] for group in plan["groups"]]
        return "" if not begun or sorted(names) == sorted(planned) else f"its groups are {names}"

    def close(self):
        """Check the event at its end: what must be over when it is finished."""
        with self.verdicts.guarded("the end of the event"):
            self.check_end()

    def check_end(self):
        """Check states and numbers of everything; raises UncheckedError before the end."""
        if self.record.event["state"] != "finished":
            raise UncheckedError("the event is not finished")
        stages, rounds = self.record.numbered("stage"), self.record.numbered("round")
        held = [*stages] == [*range(1, len(self.record.plans) + 1)]
        self.verdicts.check(held, "numbers of stages", f"the stages are numbered {[*stages]}")
        held = [*rounds] == [*range(1, len(rounds) + 1)]
        self.verdicts.check(held, "numbers of rounds", f"the rounds are numbered {[*rounds]}")
        for number, row in stages.items():
            own = [each["number"] for _ordinal, each in self.record.rounds(row)]
            words = f"stage {number}: it is {row['state']}, its rounds are numbered {own}"
            held = row["state"] == "closed" and own == [*range(1, len(own) + 1)]
            self.verdicts.check(held, "stages at the end", words)
        for number, row in rounds.items():
            self.check_round(number, row)
        self.check_seated(stages.values())

    def check_round(self, number, row):
        """Check that a round was published, and that each match of it was decided."""
        start = f"round/{number}/match/"
        matches = {p: each for p, each in self.record.items() if p.startswith(start)}
        is_open = [p for p, each in matches.items() if each.get("state") != "final"]
        held = row["state"] == "published" and matches and not is_open
        words = f"round {number}: it is {row['state']}, not decided are {is_open}"
        self.verdicts.check(held, "rounds at the end", words)
        sat = [player for each in matches.values() for player in each.get("seats", ())]
        stage = self.record[f"stage/{row['stage']}"]
        seated = {player for seats in self.record.seats(stage).values() for player in seats}
        held = len(sat) == len(set(sat)) and set(sat) <= seated
        words = f"round {number}: somebody plays twice, or plays without a seat in the stage"
        self.verdicts.check(held, "players of rounds", words)

    def check_seated(self, stages):
        """Check that whoever has a seat is a player, and had a place in the event."""
        status = {number: row["status"] for number, row in self.record.numbered("entry").items()}
        for row in stages:
            for player in {p for seats in self.record.seats(row).values() for p in seats} - {None}:
                held = status.get(player) in (*HERE, "withdrawn", "disqualified")
                words = f"stage {row['number']}: player {player} has a seat, but not a place"
                self.verdicts.check(held, "players seated", words)
