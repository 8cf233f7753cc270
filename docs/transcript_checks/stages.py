"""The seats of a stage from the places of earlier ones, and the places that it gives."""

from transcript_checks.bracket_play import BracketPlay
from transcript_checks.group import Group
from transcript_checks.ranking import decisions, rank
from transcript_checks.table_cut import Cut
from transcript_checks.table_group import TableGroup
from transcript_checks.table_results import tables_in, worth_of
from transcript_checks.verdicts import UncheckedError

BACK = ("act.undone", "act.redone", "event.restored")
FOLLOWED = ("correction.followed", "seeds.corrected", "player.replaced")
RESEATED = ("seeds.taken_back", "player.taken_back")
GROUPS, BRACKETS = ("round_robin", "swiss"), ("knockout", "double_elimination")
TABLES, CUT = "table_swiss", "table_cut"


class Stage:
    """A stage that has begun, with its results so far."""

    def __init__(self, record, number, staying=()):
        """Take the stage with this number; raises UncheckedError for a kind not known here.

        ``staying`` are players who have left since, but hold the places that they got.
        """
        self.record, self.row = record, record.numbered("stage")[number]
        self.plan = record.plans[number - 1]
        if self.plan["kind"] not in (*GROUPS, *BRACKETS, TABLES, CUT):
            raise UncheckedError(
                f"this program does not know the kind of stage {self.plan['kind']}"
            )
        self.criteria, self.away = record.event["criteria"], record.away() - {*staying}
        self.seats, self.struck = record.seats(self.row), record.struck(self.row)
        self.players = [p for seats in self.seats.values() for p in seats if p is not None]
        if self.plan["kind"] in (TABLES, CUT):
            rounds = [n for n, each in record.rounds(self.row) if not each["level"]]
            played = [tables_in(record, each) for each in rounds]
            self.groups = self.groups_of_tables(played)
        else:
            self.groups = self.groups_of_two()
        self.home = {p: self.groups[name] for name in self.seats for p in self.groups[name].players}
        later = record.plans[number:]
        self.used = {name for plan in later for group in plan["groups"] for name in group["seats"]}
        self.is_bracket = self.plan["kind"] in (*BRACKETS, CUT)
        self.is_play_in = self.is_bracket and self.plan["survivors"] > 1
        if self.plan["kind"] == CUT:
            self.bracket = Cut(self.plan, *self.seats.values(), played)
        elif self.is_bracket:
            (results,) = record.results(self.row).values()
            self.bracket = BracketPlay(self.plan, *self.seats.values(), results)
        else:
            self.decided = decisions(record, self.row)
            self.tables = {
                name: rank(group.players, self.home, self.criteria, self.decided)
                for name, group in self.groups.items()
            }

    def groups_of_two(self):
        """Return the groups of a stage of matches of two, by name."""
        event, results = self.record.event, self.record.results(self.row)
        points = tuple(event[f"points_{end}"] for end in ("win", "draw", "loss"))
        shares = event["plan"].get("shares", {})
        names = {group["number"]: group["name"] for group in self.row["groups"]}
        return {
            name: Group(points, self.seats[name], results[number], shares)
            for number, name in names.items()
        }

    def groups_of_tables(self, played):
        """Return the one group of a stage of tables, by name."""
        worth, usual = worth_of(self.record.event), self.plan.get("own", {}).get("sizes", [4])[0]
        tables = [table for each in played for table in each]
        return {name: TableGroup(worth, usual, seats, tables) for name, seats in self.seats.items()}

    def staying(self, classes):
        """Return classes without the players who have left."""
        kept = [[player for player in level if player not in self.away] for level in classes]
        return [level for level in kept if level]

    def evened(self, names):
        """Return the groups that are compared, the larger ones without their last players.

        None while it is open who the last of a group is. Who left ranks behind all others.
        """
        there = {n: [p for p in self.groups[n].players if p not in self.struck] for n in names}
        size, found = min(map(len, there.values()), default=0), {}
        for name in names:
            kept = []
            for gone in (False, True):
                for tied in self.tables[name]:
                    level = [p for p in tied if p in there[name] and (p in self.away) is gone]
                    if 0 < size - len(kept) < len(level):
                        return None
                    kept += level[: max(size - len(kept), 0)]
            found[name] = self.groups[name].among(kept)
        return found

    def compared(self, position, names):
        """Return the players on one rank of several groups in classes; [] while that is open."""
        groups = self.evened(names) if self.plan["without_last"] else self.groups
        on = {name: nth(self.staying(self.tables[name]), position)[0] for name in names}
        if groups is None or any(len(level) > 1 for level in on.values()):
            return []
        home = {player: groups[name] for name, level in on.items() for player in level}
        return rank(list(home), home, self.criteria, self.decided, across=True)

    def places(self):
        """Return the players who hold the places of the stage once it is over."""
        return self.bracket_places() if self.is_bracket else self.group_places()

    def group_places(self):
        """Return the holders of places by rank, and by comparison across groups."""
        nths = [p for p in self.plan["places"] if p["kind"] == "nth"]
        ranks = {p["rank"]: p["groups"] for p in nths if p["name"] in self.used}
        among = {position: self.compared(position, names) for position, names in ranks.items()}
        held = {}
        for place in self.plan["places"]:
            if place["kind"] == "rank":
                classes, position = self.staying(self.tables[place["group"]]), place["rank"]
            else:
                classes, position = among.get(place["rank"], []), place["nth"]
            level, index = nth(classes, position)
            if level:
                held[place["name"]] = level[index]
        return held

    def bracket_places(self):
        """Return the winners and losers that the plan names, and who moves up for them."""
        held = {}
        for place in self.plan["places"]:
            ended = self.bracket.final.get(place["match"])
            if ended is None:
                continue
            player = ended.winner if place["kind"] == "winner" else ended.loser
            if place["name"] in self.used and player in self.away:
                replaced = player == ended.winner and not self.is_play_in
                player = ended.loser if replaced and ended.loser not in self.away else None
            if player is not None:
                held[place["name"]] = player
        return held | self.moved_up(held) if self.is_play_in else held

    def moved_up(self, held):
        """Return the best losers of a play-in on the places that nobody holds."""
        last = {m.number for m in self.bracket.matches if not m.distance and m.part != "third"}
        won = [p for p in self.plan["places"] if p["kind"] == "winner" and p["match"] in last]
        free = [p["name"] for p in won if p["name"] in self.used and p["name"] not in held]
        inside = {player for name, player in held.items() if name in self.used}
        decided, waiting = decisions(self.record, self.row), []
        for level in self.bracket.by_last_match(set(self.players) - inside):
            if len(waiting) >= len(free):
                break
            classes = rank(level, self.home, self.criteria, decided, across=True)
            waiting += [player for same in self.staying(classes) for player in same]
        return dict(zip(free, waiting, strict=False))


def nth(classes, position):
    """Return the class that covers a position, from 1, and the index in it."""
    for level in classes:
        if position <= len(level):
            return level, position - 1
        position -= len(level)
    return [], 0


class Stages:
    """Checks each stage at the line that opened or closed it."""

    def __init__(self, record, verdicts):
        self.record, self.verdicts, self.known = record, verdicts, {}

    def look(self, line, changes):
        """Check the seats of stages that the last line opened, the places of those it closed.

        A correction that is followed moves places of a closed stage, and seats of the one in play.
        What is put back is judged by the fourth law: it may not be what results of now would give.
        """
        if not self.record.plans:
            self.known = {}
            return
        places = {}
        for number, row in self.record.numbered("stage").items():
            now = (row["state"], bool(row["groups"]))
            moved = line["action"] in FOLLOWED + RESEATED and f"stage/{number}" in changes
            changed, self.known[number] = now != self.known.get(number), now
            if (changed and line["action"] not in BACK) or moved:
                if row["groups"] and row["state"] != "closed":
                    with self.verdicts.guarded(f"seats of stage {number}"):
                        self.check_seats(number, row, places)
                if row["state"] == "closed":
                    with self.verdicts.guarded(f"places of stage {number}"):
                        holders = row["places"].values() if moved else ()
                        would = Stage(self.record, number, holders).places()
                        words = f"stage {number}: the places would be {would}"
                        self.verdicts.check(would == row["places"], "places of stages", words)
            places |= row["places"]

    def check_seats(self, number, row, places):
        """Check the seats of one stage; the first stages are seated by a draw of the start."""
        plan, seats = self.record.plans[number - 1], self.record.seats(row)
        held = []
        for draw in self.record.draws("start")[::-1] or [{"order": []}]:
            start = {f"S{n}": player for n, player in enumerate(draw["order"], start=1)}
            start |= late_holders(plan) | self.record.event["plan"].get("holders", {})
            held.append(
                {
                    group["name"]: [(start | places).get(name) for name in group["seats"]]
                    for group in plan["groups"]
                }
            )
        would = held[0]
        if plan["apart"]:
            seats, held = ({n: by_number(s) for n, s in one.items()} for one in (seats, would))
            words = f"stage {number}: its players would be {held}"
            self.verdicts.check(seats == held, "players of stages", words)
            raise UncheckedError(
                "groups are kept apart there: of the seats only who has one is computed"
            )
        words = f"stage {number}: the seats would be {would}"
        self.verdicts.check(seats in held, "seats of stages", words)


def late_holders(plan):
    """Return the players of the places that a stage has for late entries."""
    names = [name for group in plan["groups"] for name in group["seats"]]
    return {name: int(name.split()[1]) for name in names if name.startswith("late ")}


def by_number(players):
    """Return players in the order of their numbers, nobody last."""
    return sorted(players, key=lambda player: (player is None, player or 0))
