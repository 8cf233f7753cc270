"""A match against its reports: its version, its state, and the result that counts."""

from transcript_checks import table_results

BY_PLAY = ("played", "time")
ALONE = (("a", "bye"), ("none", "no_show"))
NO_WINNER = {"void": "void", "none": "double_loss"}
"""How a match ended that nobody won."""


def fault_of(match, left=(), by_time=False):
    """Return what is wrong with a match, empty words if nothing is.

    ``left`` are the players who ever left the event, ``by_time``: its reports confirm themselves.
    """
    reports = match["reports"]
    versions = [report["version"] for report in reports]
    if len(versions) != match["version"] or versions != [*range(1, len(versions) + 1)]:
        return f"its version is {match['version']}, its reports are {versions}"
    at_table = len(match["seats"]) > 2
    if not at_table and sorted(match["seats"]) != sorted({match["a"], match["b"]} - {None}):
        return f"its seats are {match['seats']}"
    if (match["state"] == "final") != (match["decision"] is not None):
        return f"it is {match['state']}, decided by report {match['decision']}"
    said = [report for report in reports if report["kind"] == "report"]
    if at_table:
        said = [report for report in reports if report["kind"] in ("report", "denial")]
    if len(said) < {"reported": 1, "disputed": 2}.get(match["state"], 0):
        return f"it is {match['state']}, but {len(said)} reports of players tell of it"
    if match["decision"] is None:
        return ""
    if match["decision"] != match["version"]:
        return f"report {match['decision']} is to count, but the last is {match['version']}"
    decision = reports[-1]
    if at_table:
        who = table_results.fault_of_kind(match, decision, reports, left, by_time)
        return who or table_results.fault_of_result(match, decision)
    return fault_of_kind(decision, said) or fault_of_result(match, decision)


def fault_of_kind(decision, said):
    """Return what is wrong with who decided: players do by two reports that agree."""
    told = [(each["winner"], each["score_a"], each["score_b"]) for each in said]
    agree = told.count((decision["winner"], decision["score_a"], decision["score_b"]))
    if agree < {"report": 2, "confirmation": 1}.get(decision["kind"], 0):
        return f"a {decision['kind']} of players counts, but {agree} of their reports agree with it"
    return ""


def fault_of_result(match, result):
    """Return what a result contradicts: who wins, how it ended, its figures."""
    ending = (result["winner"], result["ended_by"])
    if match["b"] is None:
        held = ending in ALONE or result["winner"] == "void"
        return "" if held else f"without an opponent it ended {ending}"
    if NO_WINNER.get(result["winner"], ending[1]) != ending[1]:
        return f"it ended {ending}"
    if result["winner"] not in NO_WINNER and ending[1] in ("void", "double_loss", "bye"):
        return f"it ended {ending}"
    totals = (result["games_a"], result["games_b"], result["games_drawn"])
    games = result["games"]
    if games and tuple(games.count(end) for end in ("a", "b", "draw")) != totals:
        return f"its games are {games}, their totals {totals}"
    if result["by_decision"] or result["ended_by"] not in BY_PLAY:
        return ""
    figures = (result["score_a"], result["score_b"])
    if None in figures:
        figures = totals[:2]
    return "" if leads(match, result, figures) else f"its figures are {figures}, {ending} wins"


def leads(match, result, figures):
    """Return whether the figures make this winner; level ones need a draw or a tie-break."""
    if figures[0] != figures[1]:
        return result["winner"] == ("a" if figures[0] > figures[1] else "b")
    if match["draws"]:
        return result["winner"] == "draw"
    return result["winner"] in ("a", "b") and bool(result["tie_break"])
