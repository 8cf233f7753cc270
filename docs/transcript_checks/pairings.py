"""Swiss rounds: whether they were paired as the rules say from the results of that time."""

from transcript_checks.swiss import Field
from transcript_checks.verdicts import UncheckedError

BACK = ("act.undone", "act.redone")
FOLLOWED = ("correction.followed", "seeds.corrected", "player.replaced")
REPLACED = "player.replaced"


class Pairings:
    """Checks each Swiss round at the line that publishes it; ``told`` is what the file says.

    What a round was paired from is kept at the line that drafts it, as results may be corrected
    later. ``told`` says of each Swiss round whether pairs were kept apart, which the rows do not
    tell, and whether it was paired by hand. It is None in files from before it was told: there the
    acts of the log have to do. ``given`` are the rounds in which a correction gave matches to other
    players: ``told`` says of them how they are now, which may be by hand since then alone.
    """

    def __init__(self, record, verdicts, told, given=()):
        self.record, self.verdicts = record, verdicts
        self.told, self.given = told, given
        self.drafted, self.changed, self.right = {}, set(), set()
        self.apart, self.whole_at = False, None

    def look(self, line, changes):
        """Take in a line: what it drafted, changed by hand or published."""
        action = line["action"]
        self.apart |= action == "apart.kept" or bool(self.record.event.get("apart_clubs"))
        if line["facts"].get("whole") and line["number"] > 1:
            self.whole_at = line["number"]
        rounds = [p for p in changes if p.startswith("round/") and p.count("/") == 1]
        made = {int(p[6:]): changes[p] for p in rounds}
        for number, (old, new) in made.items():
            if old is None or new is None:
                self.drafted.pop(number, None)
                self.changed.discard(number)
            if old is None and action == "round.drafted" and self.is_swiss(new):
                self.drafted[number] = self.field(number, new, None), self.apart
        if action in FOLLOWED:  # drafts have other players, from other results
            for number in self.drafted:
                row = self.record[f"round/{number}"]
                self.drafted[number] = self.field(number, row, None), self.apart
        if action in ("round.changed", REPLACED, *BACK):
            places = [*line["facts"].get("rows", ()), *line["facts"].get("gone", ())]
            drawn_up = {int(p.split("/")[1]) for p in places if p.startswith("round/")}
            self.changed |= drawn_up - set(made)  # matches of a draft are told as empty rows
        for number, (_old, new) in sorted(made.items()):
            if new is not None and new["state"] == "published" and self.is_swiss(new):
                with self.verdicts.guarded(f"pairings of round {number}"):
                    self.check(number, new)

    def is_swiss(self, row):
        """Return whether a round is paired by points."""
        kind = self.record[f"stage/{row['stage']}"]["kind"]
        return kind == "swiss" and not row["level"]

    def field(self, number, row, players):
        """Return the field of a round; without ``players``, of those who are there now."""
        stage = self.record[f"stage/{row['stage']}"]
        rounds = [n for n, each in self.record.rounds(stage) if n < number and not each["level"]]
        awarded = dict(self.record.plans[stage["number"] - 1].get("byes", ()))
        rests = {p for p, byes in awarded.items() if byes > len(rounds)}
        if players is None:
            seated = {p for seats in self.record.seats(stage).values() for p in seats} - {None}
            players = seated - self.record.away()
        event = self.record.event
        points = [event[f"points_{end}"] for end in ("win", "draw", "loss")]
        played = [self.record.played(n) for n in rounds]
        return Field(points, stage, played, players - rests, players & rests)

    def check(self, number, row):
        """Check a round that was published; raises UncheckedError where that can't be."""
        made = [(one.a, one.b) for one in self.record.played(number) if not one.missed]
        if (number, frozenset(made)) in self.right:
            return
        field, apart = self.drafted.get(number, (None, self.apart))
        self.ask(number, apart)
        players = {player for pair in made for player in pair} - {None}
        before = field is not None
        if not before:
            field = self.field(number, row, players)
        words = fault_of(field, made)
        if words and not before:
            raise UncheckedError("the log does not tell from which results it was drafted")
        self.verdicts.check(not words, "pairings of rounds", f"round {number}: {words}")
        self.right.add((number, frozenset(made)))

    def ask(self, number, apart):
        """Raise UncheckedError where players were kept apart, or people made pairs.

        What the file says of it is wrong where no act of the log could have caused it.
        """
        told = {row["round"]: row for row in self.told or ()}.get(number)
        is_apart = apart if told is None else told["kept_apart"]
        seen = told is None or number in self.given
        by_hand = number in self.changed if seen else told["by_hand"]
        possible = (apart or not is_apart) and (number in self.changed or not by_hand)
        words = f"round {number}: the file says why it is not checked, but no line of the log does"
        self.verdicts.check(possible or self.whole_at is not None, "reasons of rounds", words)
        if is_apart:
            raise UncheckedError("players were kept apart in it, and who is not public")
        if by_hand:
            raise UncheckedError("people paired it by hand, or put back what they had")


def given_later(lines):
    """Return the rounds in which a correction gave matches to other players."""
    rows = (line["facts"].get("rows", ()) for line in lines if line["action"] in FOLLOWED)
    places = [place.split("/") for told in rows for place in told if "/match/" in place]
    return {int(place[1]) for place in places}


def fault_of(field, made):
    """Return what is wrong with a pairing of a field, empty words if nothing is."""
    if missing := sorted(player for player in field.rests if (player, None) not in made):
        return f"{missing} were awarded a bye and had none"
    made = [pair for pair in made if pair[0] not in field.rests]
    pairs = [pair for pair in made if None not in pair]
    resting = [a for a, b in made if b is None]
    placed = sorted(player for pair in made for player in pair if player is not None)
    if placed != sorted(field.players):
        return f"paired were {placed}, there were {sorted(field.players)}"
    if len(resting) != len(placed) % 2:
        return f"{resting} had no opponent"
    rest = [player for player in field.players if player not in resting]
    if resting and resting != [would := field.resting(pairs, resting[0])]:
        return f"the bye would be of player {would}"
    cost = field.cost(pairs)
    if cost != field.floor(rest) and cost != (least := field.least(rest)):
        return f"its pairs cost {cost} (rematches, squares of points), but {least} is possible"
    return ""
