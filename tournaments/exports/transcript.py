"""The public transcript of a finished event: all that is needed to compute and check it again."""

from typing import Any

from rules.events.log_chain import FIRST
from tournaments.chain.facts import everything
from tournaments.chain.lines import open_part
from tournaments.core.event_state import load_facts
from tournaments.models import Event
from tournaments.standings.selectors.standings import ranking_page

VERSION = 1
Json = dict[str, Any]


def transcript(event: Event) -> Json:
    """Return the transcript of a finished event as plain data; some twenty queries.

    It holds what everybody could read on the pages, and the open part of every line of the log:
    no decklist, no note, no address, no word that a line keeps closed.
    """
    lines = list(event.log.order_by("number"))
    facts = load_facts(event, drafts=False)
    names = event.entries.order_by("number").values("number", "name", "club", "status")
    ranking = ranking_page(facts)
    return {
        "girone_transcript": VERSION,
        "event": event.slug,
        "players": [{**row, "status": str(row["status"])} for row in names],
        "rows": everything(event).rows,
        "ranking": [{"rank": row.rank, "player": row.entry.number} for row in ranking.rows],
        "log": {
            "before": FIRST,
            "lines": [
                open_part(line) | {"digest": line.digest, "signature": line.signature}
                for line in lines
            ],
        },
    }
