"""Check the transcript of a finished event: python check_transcript.py transcript.json [PRINT]

It walks the chain of the log, folds what its lines tell, and computes draws, seats, places and the
final ranking again. Of each draw it says whether somebody gave its seed or its fingerprint was
public before, and counts further draws of the same aloud. PRINT is (the start of) a fingerprint on
paper. Each thing is right, wrong, or not checked for a reason, which is printed; the last line
counts them. Exit 0: nothing is wrong and all was checked; 1: something is wrong; 3: nothing is
wrong, but not all could be checked (0 with --partial); 2: it was called in another way.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from transcript_checks.chain import check_chain, no_duplicates
from transcript_checks.draws import Draws, check_draws
from transcript_checks.final import check_ranking
from transcript_checks.laws import Laws
from transcript_checks.pairings import Pairings, given_later
from transcript_checks.record import Record, in_seat_order
from transcript_checks.stages import Stages
from transcript_checks.statuses import Statuses
from transcript_checks.tables import Tables
from transcript_checks.verdicts import UncheckedError, Verdicts

KNOWN = 1
"""The version of transcripts that this program reads."""


def check(path, paper, verdicts):
    """Check everything in a file; return the sentence that says what was read."""
    data = json.loads(Path(path).read_text("utf-8"), object_pairs_hook=no_duplicates)
    if data["girone_transcript"] != KNOWN:
        raise UncheckedError(
            f"its version {data['girone_transcript']} is not known to this program"
        )
    lines, record, draws = data["log"]["lines"], Record(), Draws()
    head = check_chain(data["log"], paper, verdicts)
    statuses = Statuses(record, verdicts)
    pairings = Pairings(record, verdicts, data.get("pairings"), given_later(lines))
    laws = Laws(record, verdicts, data.get("laws"), data.get("draws"))
    tables = Tables(record, verdicts, data.get("pairings"))
    judges = [Stages(record, verdicts), pairings, tables, statuses, laws, draws]
    for line in lines:
        changes = record.fold(line["facts"])
        for judge in judges:
            with verdicts.guarded(f"line {line['number']}"):
                judge.look(line, changes)
    statuses.close()
    rows = {place: in_seat_order(row) for place, row in data["rows"].items()}
    verdicts.check(record == rows, "rows", "the rows are not what the log tells")
    check_draws(record, verdicts)
    with verdicts.guarded("origins of draws"):
        verdicts.say(draws.sentences(record))
        if "draws" in data:
            draws.check_told(data["draws"], verdicts)
    check_players(record, data["players"], verdicts)
    ranks = 0
    with verdicts.guarded("final ranking"):
        ranks = check_ranking(record, data["ranking"], verdicts)
    restored = (data.get("restored") or {}).get("words", "Not restored from an archive.")
    return f"{restored}\n{len(lines)} lines, {ranks} ranks, fingerprint {head}"


def check_players(record, players, verdicts):
    """Check that the players and their statuses are those that the log tells."""
    with verdicts.guarded("players"):
        told = {number: entry["status"] for number, entry in record.numbered("entry").items()}
        listed = {player["number"]: player["status"] for player in players}
        verdicts.check(told == listed, "players", "the players are not those that the log tells")


def main(arguments):
    """Print what was found in the file; return the exit code."""
    partial, words = "--partial" in arguments, [a for a in arguments if a != "--partial"]
    if len(words) not in (1, 2) or not Path(words[0]).is_file():
        print(__doc__)
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")
    verdicts, read = Verdicts(), "the file could not be read to its end"
    with verdicts.guarded(words[0]):
        read = check(words[0], "".join(words[1:]), verdicts)
    print(*verdicts.wrong, *verdicts.unchecked, *verdicts.said, read, sep="\n")
    right, wrong, unchecked = verdicts.right, len(verdicts.wrong), len(verdicts.unchecked)
    kinds = ", ".join(f"{kind} {count}" for kind, count in right.items())
    print(f"right {right.total()} ({kinds}), wrong {wrong}, not checked {unchecked}")
    return 1 if wrong else 3 if unchecked and not partial else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
