"""Definitions of formulas: some that are shipped, any that can be played, and their faults."""

from typing import Any

from hypothesis import strategies as st

from rules.formulas.custom import FormulaDefinition, formula_faults, read_definition

Data = dict[str, Any]


def rank(stage: int, group: str, rank: int) -> Data:
    return {"stage": stage, "group": group, "rank": rank}


def best(stage: int, best: int, nth: int) -> Data:
    return {"stage": stage, "best": best, "nth": nth}


def winner(stage: int, match: int) -> Data:
    return {"stage": stage, "winner": match}


def loser(stage: int, match: int) -> Data:
    return {"stage": stage, "loser": match}


def group(name: str, *entrants: Data) -> Data:
    """Return a group of these places; without any the players of the start are dealt to it."""
    return {"name": name, "entrants": list(entrants) or "start"}


def stage(name: str, kind: str, *groups: Data, **settings: Any) -> Data:
    return {"name": name, "kind": kind, "groups": list(groups), **settings}


def formula(*stages: Data, lowest: int, highest: int = 0, name: str = "Prova") -> Data:
    return {
        "girone_formula": 1,
        "name": name,
        "players": {"lowest": lowest, "highest": highest or lowest},
        "stages": list(stages),
    }


def mutant_chronicles() -> Data:
    """Return the formula for twelve; seats of the repechage give its own order of rounds."""
    return formula(
        stage("Groups", "round_robin", group("A"), group("B"), group("C")),
        stage(
            "Second groups",
            "round_robin",
            group("I", rank(1, "A", 1), rank(1, "B", 2), rank(1, "C", 1), best(1, 3, 2)),
            group("II", rank(1, "A", 2), rank(1, "B", 1), rank(1, "C", 2), best(1, 3, 1)),
        ),
        stage(
            "Repechage",
            "round_robin",
            group("R", best(2, 1, 2), best(2, 3, 1), rank(2, "II", 2), rank(2, "I", 2)),
        ),
        stage(
            "Last three",
            "round_robin",
            group("T", best(2, 1, 1), rank(3, "R", 1), rank(3, "R", 2)),
        ),
        stage(
            "Final",
            "knockout",
            group("F", rank(4, "T", 1), rank(4, "T", 2)),
            best_of=[3],
            timed=False,
        ),
        lowest=12,
    )


def groups_knockout() -> Data:
    """Return groups and knock-out for eight."""
    return formula(
        stage("Groups", "round_robin", group("A"), group("B")),
        stage(
            "Knock-out",
            "knockout",
            group("KO", best(1, 1, 1), best(1, 1, 2), best(1, 2, 1), best(1, 2, 2)),
            third_place=True,
            apart=True,
        ),
        lowest=8,
    )


def swiss_cut() -> Data:
    """Return Swiss rounds and a final for up to eight, a semi-final too for more."""
    return formula(
        stage("Swiss rounds", "swiss", group("Swiss")),
        stage(
            "Knock-out",
            "knockout",
            group("KO", *(rank(1, "Swiss", place) for place in (1, 2, 3, 4))),
            third_place=True,
        ),
        lowest=9,
        highest=16,
    )


KINDS = ("round_robin", "swiss", "knockout", "double_elimination")


@st.composite
def playable(draw: st.DrawFn) -> Data:
    """Draw a formula of one to four stages; nearly all of them can be played.

    Each stage sends its best on: most to the next, some to the one after it.
    """
    lowest = draw(st.integers(3, 14))
    highest = lowest + draw(st.integers(0, 6))
    count = draw(st.sampled_from([4, 3, 2, 1]))
    coming: dict[int, list[Data]] = {number: [] for number in range(1, count + 2)}
    late = draw(st.integers(0, min(2, lowest - 3))) if count > 1 else 0
    for place in range(1, late + 1):
        coming[draw(st.integers(2, count))].append({"start": place})
    stages: list[Data] = []
    for number in range(1, count + 1):
        last = number == count
        size = lowest - late if number == 1 else len(coming[number])
        if size < 2:
            break
        made, places = draw(_stage(number, size, coming[number], last=last))
        stages.append(made)
        if not last:
            ahead = 2 if number + 2 <= count and len(places) > 3 else 1
            through = draw(st.integers(0, len(places) - 3)) if ahead == 2 else 0
            coming[number + ahead] += places[:through]
            coming[number + 1] += places[through:]
    return formula(*stages, lowest=lowest, highest=highest)


@st.composite
def _stage(
    draw: st.DrawFn, number: int, size: int, entrants: list[Data], *, last: bool
) -> tuple[Data, list[Data]]:
    """Draw a stage for ``size`` players and the places from which its best advance."""
    kind = draw(st.sampled_from(KINDS))
    name = f"Stage {number}"
    dealt = draw(st.integers(1, size // 2)) if kind == "round_robin" and not last else 1
    names = [chr(ord("A") + at) for at in range(min(dealt, 4))]
    if number == 1:
        groups = [group(each) for each in names]
        smallest = size // len(names)
    else:
        groups = [group(each, *entrants[at :: len(names)]) for at, each in enumerate(names)]
        smallest = min(len(each["entrants"]) for each in groups)
    made = stage(name, kind, *groups, best_of=[draw(st.sampled_from([0, 1, 3]))])
    if kind in ("knockout", "double_elimination"):
        made["apart"] = draw(st.booleans())
    if kind == "knockout":
        if not last and size > 2:
            made["survivors"] = draw(st.integers(2, size - 1))
            shown = _survivors(size, made["survivors"])
            return made, [winner(number, match) for match in shown]
        return made, [winner(number, 2 ** (size - 1).bit_length() - 1), loser(number, 1)][:0]
    if kind == "double_elimination":
        return made, []
    if kind == "round_robin":
        made["legs"] = draw(st.integers(1, 4))
    levels = draw(st.integers(1, smallest))
    whole = [rank(number, each, level) for level in range(1, levels + 1) for each in names]
    if len(names) > 1 and draw(st.booleans()):
        first = len(whole) - len(names)
        kept = draw(st.integers(1, len(names)))
        compared = [best(number, levels, nth) for nth in range(1, kept + 1)]
        whole = whole[:first] + compared
    return made, whole


def _survivors(size: int, survivors: int) -> list[int]:
    """Return the numbers of the last matches of a play-in."""
    rounds, slots = 0, survivors
    while slots < size:
        rounds, slots = rounds + 1, slots * 2
    before = sum(survivors * 2**left for left in range(1, rounds))
    return list(range(before + 1, before + survivors + 1))


def definition(data: Data) -> FormulaDefinition:
    return read_definition(data)


def told(data: Data) -> list[str]:
    """Return the sentences of a definition's faults."""
    return [str(fault) for fault in formula_faults(read_definition(data))]
