"""Rounds of tables of three to five: who sits where as the rules say, from what was known then.

A round of tables by points is held against the results as they stood when it was drafted: who is
there, sizes, byes, what the tables cost, who begins, and with 16 players and fewer that nothing
cheaper is possible. Which of several sets of equal cost it is, is not compared. A round of a cut
has one possible form.
"""

from transcript_checks.table_cut import Cut
from transcript_checks.table_field import MOST, Field, tables_of
from transcript_checks.table_results import tables_in, worth_of
from transcript_checks.verdicts import UncheckedError

BACK = ("act.undone", "act.redone")
FOLLOWED = ("correction.followed", "seeds.corrected", "player.replaced")
SWISS, CUT = "table_swiss", "table_cut"
BY_HAND = "people changed its tables by hand, or put back what they had"
UNKNOWN = "the log does not tell from which results it was drafted"
KEPT_APART = "players were kept apart in it, and who is not public"


class Tables:
    """Checks each round of tables at the line that publishes it; ``told`` is what the file says.

    ``told`` says of each round of tables by points whether pairs were kept apart in it; it is None
    in files from before it was told.
    """

    def __init__(self, record, verdicts, told):
        self.record, self.verdicts, self.told = record, verdicts, told
        self.drafted, self.changed, self.apart = {}, set(), False

    def look(self, line, changes):
        """Take in a line: what it drafted, changed by hand or published."""
        action, facts = line["action"], line["facts"]
        self.apart |= action == "apart.kept" or bool(self.record.event.get("apart_clubs"))
        own = [p for p in changes if p.startswith("round/") and p.count("/") == 1]
        made = {int(place[6:]): changes[place] for place in own}
        for number, (old, new) in made.items():
            if old is None or new is None:
                self.drafted.pop(number, None)
                self.changed.discard(number)
            if old is None and action == "round.drafted" and self.kind_of(new) == SWISS:
                self.drafted[number] = self.field(number, new)
        if action in FOLLOWED:  # drafts have other players, from other results
            self.drafted.clear()
        if action == "round.changed" or action in BACK:
            places = [*facts.get("rows", ()), *facts.get("gone", ())]
            for number in {int(p.split("/")[1]) for p in places if p.startswith("round/")}:
                self.take_hand(number, anew=action == "round.changed")
        for number, (_old, new) in sorted(made.items()):
            published = new is not None and new["state"] == "published"
            if published and action == "round.published" and not new["level"]:
                with self.verdicts.guarded(f"tables of round {number}"):
                    self.check(number, new)

    def kind_of(self, row):
        """Return the kind of stage of a round, nothing for extra matches."""
        return "" if row["level"] else self.record[f"stage/{row['stage']}"]["kind"]

    def take_hand(self, number, anew):
        """Note that people changed a draft; ``anew``: its cost was counted from results of now."""
        row = self.record.get(f"round/{number}")
        if row is None or row["state"] != "draft":
            return
        self.changed.add(number)
        self.drafted.pop(number, None)
        if anew and self.kind_of(row) == SWISS:
            self.drafted[number] = self.field(number, row)

    def plan_of(self, row):
        """Return the planned stage of a round."""
        return self.record.plans[self.record[f"stage/{row['stage']}"]["number"] - 1]

    def field(self, number, row):
        """Return the players there and what they made before a round, as the rows tell now."""
        stage, plan = self.record[f"stage/{row['stage']}"], self.plan_of(row)
        rounds = [n for n, each in self.record.rounds(stage) if n < number and not each["level"]]
        seats = {p for seats in self.record.seats(stage).values() for p in seats} - {None}
        played = [tables_in(self.record, each) for each in rounds]
        worth, settings = worth_of(self.record.event), plan.get("own", {})
        return Field(worth, stage, settings, played, seats - self.record.away())

    def check(self, number, row):
        """Check a round that was published; raises UncheckedError where that can't be."""
        kind = self.kind_of(row)
        if kind == CUT:
            self.check_cut(number, row)
        if kind != SWISS:
            return
        known = number in self.drafted
        field = self.drafted.get(number) or self.field(number, row)
        made = [table.seats for table in tables_in(self.record, number) if not table.missed]
        tables = [seats for seats in made if len(seats) > 1]
        seated = [player for seats in made for player in seats]
        words = f"round {number}: {sorted(p for p in seated if seated.count(p) > 1)} sit twice"
        self.verdicts.check(len(set(seated)) == len(seated), "seats of rounds", words)
        cost = self.check_cost(number, row, field, tables, known)
        resting = [seats[0] for seats in made if len(seats) == 1]
        for sort, fault in self.faults(number, row, field, tables, resting, cost):
            if fault and number in self.changed:
                raise UncheckedError(BY_HAND)
            if fault and not known:
                raise UncheckedError(UNKNOWN)
            self.verdicts.check(not fault, sort, f"round {number}: {fault}")

    def check_cost(self, number, row, field, tables, known):
        """Check what a round tells of its cost, and return what is counted."""
        cost, told = field.cost(tables), row.get("cost") or {}
        said = tuple(told.get(key) for key in ("repeats", "again", "low", "spread"))
        words = f"round {number}: it tells a cost of {said}, counted are {cost}"
        if said[:2] == cost[:2] and said != cost and not known:
            self.verdicts.skip(f"points of the cost of round {number}", UNKNOWN)
        else:
            self.verdicts.check(said == cost, "cost of tables", words)
        if self.kept_apart(number):
            self.verdicts.skip(f"pairs kept apart in round {number}", KEPT_APART)
        else:
            words = f"round {number}: it tells of pairs kept apart, but there are none"
            self.verdicts.check(not told.get("apart"), "pairs kept apart", words)
        return cost

    def kept_apart(self, number):
        """Return whether pairs were kept apart in a round: the file may say that none were."""
        told = {row["round"]: row for row in self.told or ()}.get(number)
        return self.apart and (told is None or told["kept_apart"])

    def faults(self, number, row, field, tables, resting, cost):
        """Yield what was checked, and what is wrong with it: who is there, sizes, byes, seats."""
        plan, there = self.plan_of(row), {*resting, *(p for seats in tables for p in seats)}
        yield (
            "players of tables",
            there != field.there
            and (f"seated were {sorted(there)}, there were {sorted(field.there)}"),
        )
        stage = self.record[f"stage/{row['stage']}"]
        before = [n for n, each in self.record.rounds(stage) if n < number and not each["level"]]
        awarded = {p for p, byes in dict(plan.get("byes", ())).items() if byes > len(before)}
        playing = there - awarded
        wanted, found = tables_of(len(playing), field.sizes), sorted(map(len, tables))
        fault = found != sorted(wanted) and f"tables of {found}, {sorted(wanted)} would be"
        yield "sizes of tables", fault
        rest = sorted(field.resting(playing, len(playing) - sum(wanted)))
        resting = sorted(set(resting) - awarded)
        yield "byes of tables", resting != rest and f"byes of {resting}, {rest} would rest"
        for seats in tables:
            would = field.seated(seats)
            yield "order of seats", seats != would and f"seats {seats}, {would} would be"
        if fault or sum(wanted) > MOST:
            return
        if self.kept_apart(number):
            raise UncheckedError(KEPT_APART)
        least = field.least(sorted(set(playing) - set(rest)), wanted)
        fault = cost != least and f"its tables cost {cost}, but {least} is possible"
        yield "cheapest tables", fault

    def check_cut(self, number, row):
        """Check the tables, seats and byes of a step of a cut."""
        stage = self.record[f"stage/{row['stage']}"]
        rounds = [n for n, each in self.record.rounds(stage) if not each["level"]]
        played = [tables_in(self.record, each) for each in rounds if each < number]
        ((_name, seats),) = self.record.seats(stage).items()
        would = Cut(self.plan_of(row), seats, played).seated(len(played))
        made = [table.seats for table in tables_in(self.record, number)]
        if made != would and number in self.changed:
            raise UncheckedError(BY_HAND)
        words = f"round {number}: tables {made}, {would} would be"
        self.verdicts.check(made == would, "tables of cuts", words)
