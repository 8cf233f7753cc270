"""The final ranking, from the last stage back to the first."""

from transcript_checks.ranking import decisions, rank
from transcript_checks.stages import Stage
from transcript_checks.verdicts import UncheckedError


def check_ranking(record, ranking, verdicts):
    """Check the rank of every player that can be computed; return how many ranks were compared."""
    given = {row["player"]: row["rank"] for row in ranking}
    verdicts.check(len(given) == len(ranking), "players ranked once", "a player is ranked twice")
    place, later, compared = 1, set(), 0
    for number, row in sorted(record.numbered("stage").items(), reverse=True):
        seated = {s["player"] for group in row["groups"] for s in group["seats"]} - {None}
        out, later = seated - later, later | seated
        try:
            classes = eliminated(record, number, out)
        except UncheckedError as reason:
            verdicts.skip(f"ranks {place} to {place + len(out) - 1}", reason)
            classes = []
        if sum(map(len, classes)) < len(out):
            classes = []
        at = place
        for level in classes:
            words = f"players {level}: rank would be {at}"
            verdicts.check({given.get(p) for p in level} == {at}, "ranks", words)
            at, compared = at + len(level), compared + len(level)
        place += len(out)
    verdicts.check(set(given) == later, "players ranked", "ranked are not the players of the event")
    return compared


def eliminated(record, number, out):
    """Return the players for whom a stage was the last, in classes, best first."""
    if not out:
        return []
    stage = Stage(record, number)
    if stage.is_bracket:
        levels = stage.bracket.by_last_match(out)
        if not stage.is_play_in:
            return levels
    else:
        by_rank = {}
        for table in stage.tables.values():
            position = 1
            for level in table:
                by_rank.setdefault(position, []).extend(p for p in level if p in out)
                position += len(level)
        levels = [by_rank[position] for position in sorted(by_rank) if by_rank[position]]
    decided = decisions(record, stage.row, every_stage=True)
    classes = []
    for level in levels:
        home = stage.home | compared_home(stage, level)
        classes += rank(level, home, stage.criteria, decided, across=True)
    return classes


def compared_home(stage, level):
    """Return the groups by which players of one rank are compared where groups are made even."""
    if stage.is_bracket or not stage.plan["without_last"]:
        return {}
    names = [name for name, group in stage.groups.items() if set(group.players) & set(level)]
    evened = stage.evened(names)
    home = {p: group for group in (evened or {}).values() for p in group.players}
    return home if set(level) <= set(home) else {}
