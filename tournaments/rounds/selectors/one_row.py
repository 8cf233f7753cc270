"""The row of one match at the desk, after it was stored."""

from tournaments.core.event_state import load_facts
from tournaments.core.labels import group_in_round, group_of_match
from tournaments.core.mapping import stage_plan_of
from tournaments.core.replays import in_play
from tournaments.models import Match, Stage
from tournaments.models.match import put_up
from tournaments.rounds.selectors.desk_rows import Sharing, TableRow, row_at, sharing_of


def row_of(match: Match) -> TableRow:
    """Return the row of one match, loaded with its relations; three queries.

    Loads the facts of the event too if several sets play extra matches in the round, or while
    matches are to be played again.
    """
    event = match.round.event
    stage = match.group.stage
    plan = stage_plan_of(event, stage.number)
    reports = list(match.reports.select_related("by", "by_entry").order_by("version"))
    playing = match.state != Match.State.FINAL
    called = playing and match.calls.filter(closed_at__isnull=True).exists()
    players = match.players
    accounts = {player.user_id: player.pk for player in players if player.user_id}
    several = len(match.round.level_sets) > 1
    if several:
        facts = load_facts(event).stages[stage.number - 1]
        group = group_in_round(facts, match.round, match, match.group.name)
    else:
        group = group_of_match(plan, match.group.name, match.number)
    beside = match.round.ordinal if "beside" in put_up(match.earlier) else 0
    handed = Match.objects.filter(group__stage=stage).exclude(earlier=[])
    put_again = handed.exclude(state=Match.State.FINAL).exists()
    return row_at(
        event,
        plan,
        match,
        players,
        group,
        reports,
        accounts,
        named=several,
        called=called,
        beside=beside,
        sharing=_sharing(match) if put_again else None,
        closed=stage.state == Stage.State.CLOSED,
    )


def _sharing(match: Match) -> Sharing | None:
    facts = load_facts(match.round.event)
    entries = {entry.pk: entry for entry in facts.entries.values()}
    playing = in_play(facts.stages[match.group.stage.number - 1])
    return sharing_of(playing, entries).get(match.pk)
