"""Everything that can be requested of a running event, by its pages and its API.

Each act looks at the event and returns a request that somebody might send now: usually a sensible
one, sometimes one that comes too late. It returns None if there is nothing to send.
"""

from collections.abc import Callable

from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.drafts.check import present_players
from rules.stages.base import has_multiplayer_tables
from rules.tables.rounds import table_sizes
from tests.lives import at_tables, correcting, joining, leaving, results, returning
from tests.lives.present import Act, Ask, Chooser, Now
from tournaments.core.mapping import match_rules
from tournaments.models import Round
from tournaments.players.selectors.returns import find_joinable_matches
from tournaments.rounds.selectors.discards import accepted_names
from tournaments.undo.selectors import confirmation_names, find_redoable_undo, last_act

ACTS: dict[str, Act] = {}


def act(asked: Act) -> Act:
    """Register an act under its name."""
    ACTS[asked.__name__] = asked
    return asked


act(results.lose_by_penalty)
act(leaving.drop)
act(leaving.disqualify)
act(leaving.come_back)
act(leaving.say_how_left)
act(leaving.move_up)
act(leaving.other_tables)
act(correcting.correct)
act(correcting.correct_what_went_on)
act(joining.ask_for_a_player)
act(joining.answer_a_phone)
act(joining.refuse_a_phone)
act(returning.ask_back)
act(returning.answer_who_asks)


@act
def pair(now: Now) -> Ask:
    """Make the next round by the API, sometimes only a draft."""
    return now.api("pair", "post", "rounds/", draft=now.choose((True, False)))


@act
def pair_at_the_desk(now: Now) -> Ask:
    """Make the next round at the desk."""
    expected = now.facts.last_ordinal + 1
    return now.page("pair_at_the_desk", "desk/draft/", expected_round=expected)


@act
def pair_by_hand(now: Now) -> Ask | None:
    """Send the pairings of the next round, sometimes one player twice."""
    tables = _tables_by_hand(now)
    if not tables:
        return None
    sent = now.choose((tables, tables, tables, [*tables, tables[0]]))
    return now.api(
        "pair_by_hand", "post", "rounds/", draft=now.choose((True, False)), pairings=sent
    )


@act
def paste_pairings(now: Now) -> Ask | None:
    """Paste the pairings of the next round at the desk, by names."""
    tables, entries = _tables_by_hand(now), now.facts.entries
    lines = (
        " vs ".join(entries[one].display_name if one else "BYE" for one in table)
        for table in tables
    )
    text, expected = "\n".join(lines), now.facts.last_ordinal + 1
    return now.page("paste_pairings", "desk/pairings/", text=text, expected_round=expected)


def _tables_by_hand(now: Now) -> list[list[int | None]]:
    """Return tables of the players of the open stage by chance, those left over with a bye."""
    current = now.facts.open_stage
    if current is None:
        return []
    left, sizes = present_players(current.state), current.kind.sizes_of(current.plan)
    of_two = max(sizes) == 2
    tables = [
        [left.pop(left.index(now.choose(left))) for _seat in range(size)]
        for size in ((2,) * (len(left) // 2) if of_two else table_sizes(len(left), sizes))
    ]
    return [*tables, *([one, None] for one in left)]


@act
def pair_elsewhere(now: Now) -> Ask:
    """Let another program pair the rounds to come, or this one again."""
    wanted = not now.event.paired_elsewhere
    return now.api("pair_elsewhere", "patch", "", paired_elsewhere=wanted)


@act
def publish(now: Now) -> Ask | None:
    """Publish the last round."""
    last = now.facts.last_ordinal
    return now.page("publish", f"desk/rounds/{last}/publish/") if last else None


@act
def take_a_round_back(now: Now) -> Ask | None:
    """Take the last round back."""
    last = now.facts.last_ordinal
    return now.api("take_a_round_back", "delete", f"rounds/{last}/") if last else None


@act
def decide(now: Now) -> Ask | None:
    """Enter a result by the API."""
    match = now.one(now.matches("open", "reported", "disputed"))
    if match is None:
        return None
    body = results.body(match_rules(match, now.event), now.choose)
    return now.api("decide", "put", f"matches/{match.pk}/result/", version=match.version, **body)


@act
def type_a_result(now: Now) -> Ask | None:
    """Enter a result in the desk's line."""
    match = now.one(now.matches("open", "reported", "disputed", "final"))
    if match is None:
        return None
    text = results.typed(match_rules(match, now.event), now.choose)
    path = f"desk/save/{match.pk}/"
    return now.page("type_a_result", path, version=match.version, text=text)


@act
def report(now: Now) -> Ask | None:
    """Report a result as one of its players."""
    match = now.one(now.matches("open", "reported", "disputed"))
    if match is None:
        return None
    fields = results.reported(match_rules(match, now.event), now.choose)
    player = now.choose(match.players)
    return now.page("report", f"me/matches/{match.pk}/report/", player.user_id, **fields)


@act
def confirm(now: Now) -> Ask | None:
    """Confirm what somebody else at the table reported."""
    match = now.one(now.matches("reported", "disputed"))
    if match is None:
        return None
    player = now.choose(match.players)
    path = f"me/matches/{match.pk}/confirm/"
    return now.page("confirm", path, player.user_id, version=match.version)


@act
def contradict(now: Now) -> Ask | None:
    """Say that what another player of a table of three and more reported is wrong."""
    match = now.one([match for match in now.matches("reported", "disputed") if match.size > 2])
    if match is None:
        return None
    path = f"me/matches/{match.pk}/contradict/"
    player = now.choose(match.players)
    return now.page("contradict", path, player.user_id, version=match.version)


@act
def strike(now: Now) -> Ask | None:
    """Strike a withdrawn player from the group, or undo it."""
    number = now.one([n for n, entry in now.facts.entries.items() if not entry.plays])
    if number is None:
        return None
    action = now.choose(("strike", "lift"))
    path = f"manage/players/{number}/strike/"
    return now.page("strike", path, action=action, reason="Partito presto")


@act
def enter_late(now: Now) -> Ask:
    """Add a player after the start."""
    name = f"Tardi {len(now.facts.entries) + 1}"
    return now.api(
        "enter_late", "post", "players/", name=name, late=now.choose(("loss", "bye", "half_bye"))
    )


@act
def join_late(now: Now) -> Ask | None:
    """Let somebody new or who has left join a match of the round, mostly one that they can."""
    gone = [n for n, entry in now.facts.entries.items() if not entry.plays]
    found = [one.match.pk for one in find_joinable_matches(now.facts)] or [
        match.pk for match in now.matches("open", "final")
    ]
    joins = now.choose(({"against_bye": True}, {"joins": now.one(found) or 1}))
    body = joins | now.choose(({}, {"extend": True}))
    if gone and now.choose((True, False)):
        path = f"players/{now.choose(gone)}/"
        return now.api("join_late", "patch", path, status="registered", **body)
    name = f"Tardi {len(now.facts.entries) + 1}"
    return now.api("join_late", "post", "players/", name=name, **body)


@act
def keep_apart(now: Now) -> Ask:
    """Keep two players apart from now on."""
    numbers = sorted(now.facts.entries, key=int)
    first, second = now.choose(numbers), now.choose(numbers)
    return now.page("keep_apart", "manage/apart/", first=first, second=second)


@act
def fix_a_table(now: Now) -> Ask:
    """Give a player a fixed table."""
    entry = now.choose(list(now.facts.entries.values()))
    path = f"manage/players/{entry.number}/"
    table = now.choose((1, 2, 30))
    return now.page("fix_a_table", path, name=entry.name, club="", fixed_table=table)


@act
def close(now: Now) -> Ask:
    """Close the stage, and keep its standings held back if they are."""
    kept = {"hold": True} if now.event.standings_held and now.choose((True, False)) else {}
    return now.api("close", "post", f"stages/{now.stage}/close/", **kept)


@act
def lots(now: Now) -> Ask:
    """Draw lots between the first tied set that needs them."""
    return now.api("lots", "post", f"stages/{now.stage}/lots/")


@act
def take_a_stage_back(now: Now) -> Ask:
    """Reopen the stage before."""
    return now.page("take_a_stage_back", "advance/undo/", expected_stage=now.stage)


@act
def second_leg(now: Now) -> Ask:
    """Add the second leg to the stage."""
    return now.api("second_leg", "post", f"stages/{now.stage}/second-leg/")


@act
def change_criteria(now: Now) -> Ask:
    """Rank by other criteria from now on."""
    known = TABLE_CRITERIA if now.event.formula == at_tables.FORMULA else CRITERIA
    keys = sorted(known.keys())
    criteria = ["points", now.choose(keys), now.choose(keys), "lots"]
    body = {"criteria": list(dict.fromkeys(criteria)), "reason": "Votato"}
    return now.api("change_criteria", "patch", "", **body)


@act
def change_plan(now: Now) -> Ask:
    """Change rounds, top cut or third place of the stage in play, or the one to come."""
    made = len(now.facts.open_stage.rounds) if now.facts.open_stage else 1
    wanted = {
        "rounds": now.choose((made, made + 1, 1)),
        "cut": now.choose((0, 2, 4, 8)),
        "third_place": now.choose((True, False)),
    }
    keys = now.choose((("rounds",), ("cut",), ("third_place",), ("rounds", "cut")))
    return now.api("change_plan", "patch", "plan/", **{key: wanted[key] for key in keys})


@act
def undo(now: Now) -> Ask | None:
    """Undo the last act."""
    last = last_act(now.event)
    if last is None:
        return None
    name = now.choose(("", *confirmation_names(now.event, last.line)))
    return now.page("undo", "log/undo/", expected=last.line.number, confirm=name)


@act
def redo(now: Now) -> Ask | None:
    """Redo the last undone act."""
    line = find_redoable_undo(now.event)
    if line is None:
        return None
    name = now.choose(("", *confirmation_names(now.event, line, again=True)))
    return now.api("redo", "post", "redo/", version=line.number, confirm=name)


@act
def extra_match(now: Now) -> Ask:
    """Let the first tied set that needs lots play extra matches."""
    path = f"stages/{now.stage}/extra-matches/"
    return now.api("extra_match", "post", path, draft=now.choose((True, False)))


@act
def change_a_draft(now: Now) -> Ask | None:
    """Change the last round by hand."""
    current = now.facts.open_stage
    item = current.last_round if current else None
    if current is None or item is None:
        return None
    tables = [now.numbers(match) for match in current.matches_of(item)]
    if has_multiplayer_tables(current.plan):
        asked = at_tables.draft_change(now.choose, tables)
    else:
        players = [number for table in tables for number in table]
        asked = {
            "action": now.choose(("swap", "swap", "meet", "bye", "half_bye", "break", "repair")),
            "players": [now.choose(players) for _player in range(now.choose((1, 2, 2, 4)))],
        }
    asked |= {"matches": [now.choose(current.matches_of(item)).pk], "note": "Sono fratelli"}
    return now.service("change_draft", ordinal=item.ordinal, asked=asked)


@act
def discard_a_round(now: Now) -> Ask | None:
    """Discard the last round with its results, by typing its name."""
    current = now.facts.open_stage
    if current is None or current.last_round is None:
        return None
    name = now.choose(("", *accepted_names(current, current.last_round)))
    return now.service("discard_round", ordinal=current.last_round.ordinal, confirm=name)


@act
def restore_a_snapshot(now: Now) -> Ask | None:
    """Restore the event as it was before a round was discarded."""
    snapshot = now.one(list(now.event.snapshots.values_list("pk", flat=True)))
    if snapshot is None:
        return None
    name = now.choose(("", now.event.name))
    return now.service("restore_snapshot", snapshot_id=snapshot, confirm=name)


@act
def start(now: Now) -> Ask | None:
    """Start the event, if its start has been undone."""
    return None if now.event.plan else now.api("start", "post", "start/", seed="altro seme")


@act
def finish(now: Now) -> Ask:
    """Finish the event, with its last stage where that is open, or reopen it."""
    status = now.choose(("finished", "running", "by its own call"))
    if status == "by its own call":
        return now.api("finish", "post", "finish/")
    return now.api("finish", "patch", "", status=status)


def onward(slug: str, choose: Chooser) -> Ask | None:
    """Return what the staff would do next: publish, enter a result, close the stage, pair."""
    now = Now(slug, choose)
    current = now.facts.open_stage
    if current is None:
        return start(now)
    if current.last_round is not None and current.last_round.state == Round.State.DRAFT:
        return publish(now)
    if current.missing:
        match = now.matches("open", "reported", "disputed")[0]
        body = results.usual(match_rules(match, now.event), choose)
        path = f"matches/{match.pk}/result/"
        return now.api("decide", "put", path, version=match.version, **body)
    if not current.rounds_done and now.event.paired_elsewhere and current.kind.pairs_by_points:
        return now.choose((pair_by_hand, paste_pairings))(now)
    if not current.rounds_done:
        return now.api("pair", "post", "rounds/", draft=choose((False, False, True)))
    return lots(now) if current.outcome.lots_needed else close(now)


def asked(slug: str, name: str, choose: Chooser) -> Ask | None:
    """Return the request that an act makes now."""
    made: Callable[[Now], Ask | None] = ACTS[name]
    return made(Now(slug, choose))


@act
def set_prizes(now: Now) -> Ask:
    """Type the prizes, by place or by record, sometimes none, published or not."""
    by = now.choose(("place", "record"))
    first, last = now.choose((("1", "1"), ("1", "3"))) if by == "place" else ("9–0", "1–0")
    rows = [{"from": int(first), "to": int(last)} if by == "place" else {"from": first, "to": last}]
    prizes = [row | {"prize": "Coppa", "value": now.choose((None, "10.01"))} for row in rows]
    sent = {"by": by, "rows": now.choose((prizes, [])), "published": now.choose((True, False))}
    return now.api("set_prizes", "put", "prizes/", **sent)


@act
def hand_out(now: Now) -> Ask:
    """Hand a prize out, or not after all; before the end nobody has won one."""
    number = now.choose(sorted(now.facts.entries))
    given = now.choose((True, True, False))
    return now.api("hand_out", "patch", "prizes/", number=number, handed_out=given)
