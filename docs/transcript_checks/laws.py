"""The four laws of the record, asked of every line.

1. A line tells only what its act may write.
2. A report that was told never changes while its match stands.
3. A draw that was made never changes, nor does a fingerprint that was told for one; its seed is
   the one announced, unless somebody gave it.
4. Undo, redo and a restored snapshot reach only what an earlier line held.

The closed part of a line is not in a transcript: who said a report, the words of a draw and which
line an undo names are not judged here.
"""

from transcript_checks.draws import digest
from transcript_checks.law_table import COUNTED, HELD, OLDER, VERSION, WRITES
from transcript_checks.past import Past
from transcript_checks.verdicts import UncheckedError

BY_HAND = ("round.changed", "act.undone", "act.redone")
"""Acts that may make other matches in the places of a draft."""


class Laws:
    """Judges each line by this program's copy of what acts may write.

    ``brought`` are the laws that the file brings, ``draws`` what it says of the origin of draws;
    files of before have neither.
    """

    def __init__(self, record, verdicts, brought, draws):
        self.record, self.verdicts, self.brought, self.draws = record, verdicts, brought, draws
        self.past, self.reports, self.known = Past(), {}, set()

    def look(self, line, changes):
        """Judge a line by what it changed."""
        number, action, facts = line["number"], line["action"], line["facts"]
        begins = facts.get("begun") or (facts.get("whole") and action != "event.created")
        if begins and not self.past.held:  # it tells what was there already
            self.verdicts.say([f"The log tells what was done from line {number} on."])
        else:
            with self.verdicts.guarded(f"line {number}, laws of the record"):
                self.judge(number, action, facts, changes)
        for place, (_old, new) in changes.items():
            if "/match/" in place and (new is None or new or facts.get("whole")):
                self.reports[place] = (new or {}).get("reports", [])
        for place in facts.get("rows", ()):
            if "/match/" in place and action in BY_HAND and place not in changes:
                self.reports.pop(place, None)  # a draft was paired anew
        self.past.add(number, changes)

    def judge(self, number, action, facts, changes):
        """Check all laws on one line; raises UncheckedError for an act that is not known here."""
        whole = bool(facts.get("whole"))
        self.check_reports(number, changes, whole)
        self.check_draws(number, changes, whole)
        if action not in WRITES:
            raise UncheckedError(f"this program does not know the act {action}")
        self.check_brought(action)
        if WRITES[action] == HELD:
            self.check_reached(number, action, changes, whole)
        else:
            self.check_written(number, action, changes)

    def check_brought(self, action):
        """Check that the file brings the same law for an act that occurs in it."""
        if self.brought is None or action in self.known:
            return
        self.known.add(action)
        version = self.brought["version"]
        if version == VERSION or version in OLDER:
            then = OLDER.get(version, {})
            own = [then.get(one, one) for one in WRITES[action]]
            held = self.brought["acts"].get(action) == own
            words = f"the file brings another law for {action} than version {version} has"
            self.verdicts.check(held, "laws brought", words)
        else:
            words = f"they are version {version}, this program has {VERSION}"
            self.verdicts.skip("laws that the file brings", words)

    def check_written(self, number, action, changes):
        """Check the first law: of each place that changed, which columns."""
        opened = {p for p, (old, new) in changes.items() if old and new and moved(old, new)}
        faults = []
        for place, (old, new) in sorted(changes.items()):
            faults += unwritten(place, old, new, WRITES[action], opened)
        words = [f"line {number} breaks law 1: {action} may not write {at}" for at in faults]
        self.judged(words, "law 1")

    def check_reports(self, number, changes, whole):
        """Check the second law: reports of a match that stands are only added to."""
        faults = []
        for place, (old, new) in sorted(changes.items()):
            told = self.reports.get(place, [])
            stands = "/match/" in place and old is not None and new and not whole
            if stands and new["reports"][: len(told)] != told:
                faults.append(f"line {number} breaks law 2: reports of {place} were told")
        self.judged(faults, "law 2")

    def check_draws(self, number, changes, whole):
        """Check the third law: what was made or announced stays, and seeds are those announced."""
        faults = []
        for place, (old, new) in sorted(changes.items()):
            if place.startswith("draw/") and new and new["state"] == "drawn":
                faults += self.seed_faults(number, place, old, new)
            if not place.startswith("draw/") or old is None:
                continue
            gone = new is None or (old["state"] == "drawn" != new["state"])
            names = [] if gone else [name for name in old if old[name] != new.get(name)]
            if not gone and old["state"] != "drawn":
                names = [
                    name for name in names if name == "fingerprint" and new["state"] != "drawn"
                ]
            if whole and not gone and new.get("stage") is None:
                names = [name for name in names if name != "stage"]  # the stage went back
            what = ", ".join(names)
            if gone or names:
                faults.append(f"line {number} breaks law 3: {place} was made or announced {what}")
        self.judged(faults, "law 3")

    def seed_faults(self, number, place, old, new):
        """Return what is wrong with the seed of a draw that a line makes.

        Somebody may give a seed that was not announced, if the file says so where it tells it.
        """
        if new["by_hand"] or (old and old["state"] == "drawn"):
            return []
        if digest(new["seed"]) != new["fingerprint"]:
            return [f"line {number} breaks law 3: the seed of {place} has another fingerprint"]
        announced = old is not None and old["fingerprint"] == new["fingerprint"]
        given = {row["number"] for row in self.draws or () if row["seed_given"]}
        if announced or self.draws is None or int(place.removeprefix("draw/")) in given:
            return []
        return [
            f"line {number} breaks law 3: nobody gave the seed of {place}, nor was it announced"
        ]

    def check_reached(self, number, action, changes, whole):
        """Check the fourth law: all that changed is as it was after one of the lines before."""
        every = changes
        if whole:
            known = {*self.record, *self.past.held}
            every = {place: (None, self.record.get(place)) for place in known} | changes
        held = not every or self.past.reached(every, whole)
        at = "" if held else ", ".join(self.past.nearest(every, whole)[:3])
        words = f"line {number} breaks law 4: {action} reaches what no line held: {at}"
        self.judged([] if held else [words], "law 4")

    def judged(self, faults, law):
        """Count a law that a line holds, or keep what breaks it."""
        if not faults:
            self.verdicts.check(True, law, "")
        for words in faults:
            self.verdicts.check(False, law, words)


def moved(old, new):
    """Return whether a place has another state now, as a round that is published."""
    return old.get("state") != new.get("state")


def kind_of(place):
    """Return the kind of a place: "round/*/match/*" of "round/5/match/3"."""
    return "/".join("*" if part.isdigit() else part for part in place.split("/"))


def unwritten(place, old, new, writes, opened):
    """Return what of a place an act may not write: the place, or "place: column"."""
    kind = kind_of(place)
    if old is None or new is None:
        if ("+" if old is None else "-") + kind not in writes:
            return [place]
        said = [one for one in (new or {}).get("reports", []) if one["kind"] != "automatic"]
        return [f"{place}: reports of people"] if said else []
    may = [text.partition(":")[2].split(",") for text in writes if text.split(":")[0] == kind]
    if bool(old) != bool(new):  # a draft, published or taken back to one
        return [] if place.partition("/match/")[0] in opened else [place]
    if not may:
        return [place]
    columns = {name.strip() for names in may for name in names}
    counted = COUNTED.get(kind, (*old, *new))
    return [
        f"{place}: {name}"
        for name in sorted({*counted} & {*old, *new})
        if old.get(name) != new.get(name)
        and name not in columns
        and not ("+" + name in columns and old[name] == new[name][: len(old[name])])
    ]
