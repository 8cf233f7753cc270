"""Check the transcript of a finished event: python check_transcript.py transcript.json [PRINT]

It walks the chain of the log, folds what its lines tell, and computes draws, seats, places and the
final ranking of a Mutant Chronicles event again. PRINT is (the start of) a fingerprint on paper.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path

NUMBERS = ("points", "wins", "opponents_points", "score_for", "score_difference")
faults = []


def check(held, words):
    faults.extend([] if held else [words])


def split(level, number):
    return [[p for p in level if number[p] == n] for n in sorted({number[p] for p in level})[::-1]]


def nth(found, position):  # who is at a position, and who is level there
    return [*((p, level) for level in found for p in level), *[(None, [])] * position][position - 1]


class Group:  # its matches from either side, and what each player made
    def __init__(self, event, players, matches):
        self.worth = {"won": event["points_win"], "draw": event["points_draw"]}
        self.loss, self.matches, self.made = event["points_loss"], matches, {}
        points = {player: self.points(player, [None, *players]) for player in players}
        for player in players:
            own = [match[1:] for match in matches if match[0] == player]
            made, conceded = (sum(s[side] for _o, _w, s in own if s) for side in (0, 1))
            wins = sum(winner == "won" for _o, winner, _s in own)
            met = sum(points.get(other, 0) for other, _w, _s in own)
            self.made[player] = (points[player], wins, met, made, made - conceded)

    def points(self, player, others):
        ends = [w for p, other, w, _s in self.matches if p == player and other in others]
        return sum(self.worth.get(winner, self.loss) for winner in ends)

    def direct(self, level):
        made = {p: self.points(p, level) for p in level}
        met = {p: {m[1] for m in self.matches if m[0] == p} & set(level) for p in level}
        missing, found = {p: len(level) - 1 - len(met[p]) for p in level}, split(level, made)
        if any(missing.values()):  # placed is only who stays ahead whatever the others would make
            low, high = (f((*self.worth.values(), self.loss)) for f in (min, max))
            best = max(level, key=lambda p: made[p] + missing[p] * low)
            rest, floor = [p for p in level if p != best], made[best] + missing[best] * low
            safe = any(met.values()) and all(floor > made[p] + missing[p] * high for p in rest)
            found = [[best], rest] if safe else [level]
        return [p for x in found for p in (self.direct(x) if 1 < len(x) < len(level) else [x])]


class Told(dict):  # what the lines of the log tell so far, by place such as "round/5/match/3"
    def fold(self, facts, seen):
        gone = list(self) if facts.get("whole") else facts.get("gone", [])
        for place in [p for p in self if any(f"{p}/".startswith(f"{g}/") for g in gone)]:
            del self[place]
        self.update(facts.get("rows", {}))
        if self.get("event", {}).get("plan"):
            self.check_stages(seen)

    def at(self, kind):
        found = [(p.split("/"), row) for p, row in self.items()]
        by_number = {int(p[1]): row for p, row in found if p[0] == kind and len(p) == 2}
        return dict(sorted(by_number.items()))

    def drawn(self, kind, stage=None):
        draws = [draw for draw in self.at("draw").values() if draw["state"] == "drawn"]
        return [d["order"] for d in draws if d["kind"] == kind and stage in (None, d["stage"])]

    def check_draws(self):
        for number, draw in self.at("draw").items():
            pairs = [e if isinstance(e, list) else [e, None] for e in draw["entrants"]]
            check(sorted(n for n, _s in pairs) == sorted(draw["order"]), f"draw {number}: players")
            if draw["state"] == "drawn" and not draw["by_hand"]:
                tickets = {n: sha256(f"{draw['seed']}:{n}".encode()).hexdigest() for n, _s in pairs}
                would = sorted(pairs, key=lambda e: (e[1] is None, e[1] or 0, tickets[e[0]]))
                prints = sha256(draw["seed"].encode()).hexdigest() == draw["fingerprint"]
                check(prints and [n for n, _s in would] == draw["order"], f"draw {number}: order")

    def matches(self, stage, group):  # those that count, without extra ones
        found, rounds = [], self.at("round")
        for place, match in self.items():
            item = rounds[int(place.split("/")[1])] if match and "/match/" in place else {}
            here = item and (item["stage"], match["group"], item["level"]) == (stage, group, [])
            told = match["reports"][match["decision"] - 1] if here and match["decision"] else {}
            score = (told.get("score_a"), told.get("score_b"))
            score = () if None in score or match["b"] is None else score
            for own, other, step in (("a", "b", 1), ("b", "a", -1)):
                if told.get("winner", "void") != "void" and match[own] is not None:
                    ended = {own: "won"}.get(told["winner"], told["winner"])
                    found.append((match[own], match[other], ended, score[::step]))
        return found

    def rank(self, players, home, lots, across=False):
        found, classes = [list(players)], []
        for key in self["event"]["criteria"]:
            if key in NUMBERS:
                at = NUMBERS.index(key)
                found = [p for x in found for p in split(x, {p: home[p].made[p][at] for p in x})]
            elif key == "head_to_head" and not across:
                found = [p for x in found for p in (home[x[0]].direct(x) if x[1:] else [x])]
        for level in found:
            order = [o for o in lots if set(level) <= set(o)] if level[1:] else []
            classes += [[p] for p in order[-1] if p in level] if order else [level]
        return classes

    def standings(self, stage):
        tables, home, lots = {}, {}, self.drawn("lots", stage["number"])
        for group in stage["groups"]:
            players = [s["player"] for s in group["seats"] if s["player"] is not None]
            matches = self.matches(stage["number"], group["number"])
            home |= dict.fromkeys(players, Group(self["event"], players, matches))
            tables[group["name"]] = self.rank(players, home, lots)
        return tables, home, lots

    def covered(self, stage, plan):
        if plan["kind"] == "knockout":
            return [len(g["seats"]) for g in stage["groups"]] == [2]
        extra = any(r["level"] for r in self.at("round").values() if r["stage"] == stage["number"])
        known = set(self["event"]["criteria"]) <= {*NUMBERS, "head_to_head", "lots"}
        return plan["kind"] == "round_robin" and known and not extra and not plan["without_last"]

    def places(self, stage, plan, used):
        if plan["kind"] == "knockout":
            ends = [match[:2] for match in self.matches(stage["number"], 1) if match[2] == "won"]
            return dict(zip(("W1", "L1"), ends[-1], strict=True))
        (tables, home, lots), held = self.standings(stage), {}
        gone = ("withdrawn", "disqualified")
        away = {number for number, entry in self.at("entry").items() if entry["status"] in gone}
        stay = {g: [[p for p in x if p not in away] for x in t] for g, t in tables.items()}
        for place in plan["places"]:
            if place["kind"] == "rank":
                held[place["name"]] = nth(stay[place["group"]], place["rank"])[0]
            elif place["name"] in used:
                level = [p for g in place["groups"] for p in nth(stay[g], place["rank"])[1]]
                order = self.rank(level, home, lots, across=True)
                held[place["name"]] = nth(order, place["nth"])[0]
        return {name: player for name, player in held.items() if player is not None}

    def check_stages(
        self, seen
    ):  # seats of stages that this line opened, places of those it closed
        plans, start = self["event"]["plan"]["stages"], self.drawn("start")
        known = {f"S{n}": p for n, p in enumerate(start[-1] if start else [], start=1)}
        for number, stage in self.at("stage").items():
            now, plan = (stage["state"], bool(stage["groups"])), plans[number - 1]
            new, seen[number] = now != seen.get(number), now
            if new and stage["groups"] and plan["kind"] == "round_robin":
                would = [[known.get(name) for name in group["seats"]] for group in plan["groups"]]
                seats = [[seat["player"] for seat in group["seats"]] for group in stage["groups"]]
                check(seats == would, f"stage {number}: the seats would be {would}")
            if new and stage["state"] == "closed" and self.covered(stage, plan):
                used = {name for p in plans[number:] for g in p["groups"] for name in g["seats"]}
                would = self.places(stage, plan, used)
                check(would == stage["places"], f"stage {number}: the places would be {would}")
            known |= stage["places"]

    def ranking(self):  # best first, down to a stage that is not covered here
        found, later, lots = [], set(), self.drawn("lots")
        for number, stage in sorted(self.at("stage").items(), reverse=True):
            plan = self["event"]["plan"]["stages"][number - 1]
            seated = {s["player"] for g in stage["groups"] for s in g["seats"]} - {None}
            out, later = seated - later, later | seated
            if not self.covered(stage, plan):
                break
            if plan["kind"] == "knockout":
                found += [[p] for p in self.places(stage, plan, set()).values() if p in out]
                continue
            tables, home, _lots = self.standings(stage)
            for position in range(1, len(seated) + 1):
                level = [p for t in tables.values() for p in nth(t, position)[1] if p in out]
                found += self.rank(level, home, lots, across=True) if level else []
                out -= set(level)
        return found


data, paper = json.loads(Path(sys.argv[1]).read_text("utf-8")), "".join(sys.argv[2:])
print((data.get("restored") or {}).get("words", "Not restored from an archive."))
told, seen, before, lines = Told(), {}, data["log"]["before"], data["log"]["lines"]
for line in lines:
    content = {key: line[key] for key in line if key not in ("digest", "signature")}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    would = sha256((before + text).encode("utf-8", "surrogatepass")).hexdigest()
    check(line["digest"] == would, f"line {line['number']} is not as it was written")
    before = line["digest"]
    told.fold(line["facts"], seen)
check(told == data["rows"], "the rows are not what the log tells")
check(any(line["digest"].startswith(paper) for line in lines), f"no line has the print {paper}")
told.check_draws()
given, place = {row["player"]: row["rank"] for row in data["ranking"]}, 1
for level in told.ranking():
    check({given.get(p) for p in level} == {place}, f"players {level}: rank would be {place}")
    place += len(level)
print(*faults, f"{len(lines)} lines, {place - 1} ranks, fingerprint {before}", sep="\n")
sys.exit(1 if faults else 0)
