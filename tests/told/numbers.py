"""Every place that tells records, points, ranks and counts of an event, asked for each of them.

``told`` returns what the pages, files and answers of the API say, by what it is the number of: all
values of one key must be equal. ``counted`` is the record by the results themselves.
"""

from collections import defaultdict
from collections.abc import Callable

from django.core.cache import cache
from django.utils import translation

from tests.told import files, handed_out, pages
from tests.told.reading import EVENT, Key, Said
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.models import Event, Match, Round


def told(event: Event) -> dict[Key, dict[str, object]]:
    """Return what each place says, by key; what does not concern an event is left out."""
    cache.clear()
    event = Event.objects.get(pk=event.pk)
    facts = load_facts(event, for_staff=False)
    found: dict[Key, dict[str, object]] = defaultdict(dict)
    for place in PLACES:
        with translation.override("en"):  # a request leaves another language behind
            numbers = list(place(facts))
        for key, value in numbers:
            found[key][place.__name__] = value
    return found


def differences(numbers: dict[Key, dict[str, object]]) -> list[str]:
    """Return the numbers that two places tell differently."""
    return [f"{key}: {values}" for key, values in numbers.items() if len(set(values.values())) > 1]


def counted(facts: EventFacts) -> Said:
    """Count the record of each player by the results of all rounds but those of extra matches."""
    records: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    rounds = Round.objects.filter(event=facts.event, state=Round.State.PUBLISHED, level=[])
    for match in Match.objects.filter(round__in=rounds, state=Match.State.FINAL).select_related(
        "decision"
    ):
        assert match.decision is not None
        winner = match.decision.winner
        ends = {"a": (0, 2), "b": (2, 0), "draw": (1, 1), "none": (2, 2)}.get(winner)
        for entry, end in zip(match.players, ends or (), strict=False):
            if entry is not None:
                records[entry.number][end] += 1
    for number in facts.entries:
        yield ("record", EVENT, number), tuple(records[int(number)])


PLACES: tuple[Callable[[EventFacts], Said], ...] = (
    *(counted, pages.standings_page, files.api_standings, files.workbook, files.on_screen),
    *(files.on_paper, files.small_tables, files.own_pages, pages.player_pages, files.person),
    *(pages.event_page, pages.heads, pages.final_standings, files.api_ranking, files.api_rounds),
    *(files.transcript, files.pictures, pages.home, pages.pairings, pages.earlier_tables),
    *(handed_out.result, handed_out.stages, handed_out.csv_files),
)
