"""The program that checks transcripts: Swiss rounds, honest, forged, by hand and kept apart."""

import sys
from collections import Counter
from random import Random

import pytest

from rules.swiss.lineup import Entrant
from rules.swiss.rounds import pair_round
from tests import factories as make
from tests.transcripts import chained_anew, golden, program, told
from tournaments.drafts.services.acts import ChangeRequest
from tournaments.drafts.services.drafts import change_draft
from tournaments.exports.views import whole_transcript
from tournaments.keeping_apart.services import keep_apart
from tournaments.models import Event
from tournaments.models.touched import forget
from tournaments.rounds import services as rounds

program()  # puts its parts where they can be imported

from transcript_checks.pairings import fault_of  # noqa: E402
from transcript_checks.record import Result  # noqa: E402
from transcript_checks.swiss import Field  # noqa: E402

SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}
SEED = "abc"


def played(players, count, rng):
    """Return rounds played by chance, paired as the rules say."""
    found = []
    for number in range(1, count + 1):
        pairs = pair_round(entrants(players, found), seed=f"{SEED}:{number}")
        ends = ["a" if pair.b is None else rng.choice("ab") for pair in pairs]
        found.append(
            [
                Result(1, pair.a, pair.b, end, None, None, False)
                for pair, end in zip(pairs, ends, strict=True)
            ]
        )
    return found


def entrants(players, rounds_played):
    """Return players as the rules take them, by results of won and lost matches alone."""
    points, byes = Counter(), Counter()
    met = {player: set() for player in players}
    for one in (one for each in rounds_played for one in each):
        points[one.a if one.winner == "a" else one.b] += 3
        byes[one.a] += one.b is None
        for player, other in ((one.a, one.b), (one.b, one.a)):
            if None not in (player, other):
                met[player].add(other)
    return [
        Entrant(player=p, points=points[p], met=frozenset(met[p]), byes=byes[p]) for p in players
    ]


@pytest.mark.parametrize("seed", range(12))
def test_what_the_rules_pair_is_right_and_a_dearer_pairing_is_not(seed):
    rng = Random(seed)
    players = list(range(1, rng.randrange(4, 13)))
    before = played(players, rng.randrange(1, len(players)), rng)
    field = Field((3, 1, 0), {"seed": SEED}, before, players)
    pairs = pair_round(entrants(players, before), seed=f"{SEED}:{len(before) + 1}")
    made = [(pair.a, pair.b) for pair in pairs]
    assert fault_of(field, made) == ""
    least = field.cost([pair for pair in made if None not in pair])
    dearer = 0
    for _time in range(20):
        order = rng.sample(players, len(players))
        other = [*zip(order[::2], [*order[1::2], *[None] * (len(order) % 2)], strict=True)]
        same_rest = [a for a, b in made if b is None] == [a for a, b in other if b is None]
        if same_rest and field.cost([pair for pair in other if None not in pair]) == least:
            assert fault_of(field, other) == ""
        else:
            dearer += 1
            assert fault_of(field, other) != ""
    assert dearer or len(players) < 5


def swiss_round(document, number):
    """Return the matches of a round by their place, as each line tells them."""
    return [
        (p, row) for _line, p, row in told(document, "match") if p.startswith(f"round/{number}/")
    ]


def seated(document, number, exchanged):
    """Exchange players in a round wherever the log tells it; return the document chained anew."""
    for _place, row in swiss_round(document, number):
        if not row["missed"]:
            row["a"], row["b"] = (exchanged.get(row[side], row[side]) for side in "ab")
            row["seats"] = sorted({row["a"], row["b"]} - {None})
    return chained_anew(document)


def test_a_round_paired_otherwise_is_named(checked):
    """Of 1–6, 4–3, 2–5 after the first round, 1 and 6 have won."""
    assert checked(golden("swiss-cut-5"))[0] == 0
    code, said = checked(seated(golden("swiss-cut-5"), 2, {6: 3, 3: 6}))
    assert code == 1
    assert "round 2: its pairs cost (1, 27)" in said


def test_another_pairing_as_good_is_taken(checked):
    """Of 2–5, 1–6 after the first round, 2, 1 and 6 have won."""
    document = seated(golden("swiss-cut-5"), 2, {5: 6, 6: 5})
    assert "round 2:" not in checked(document)[1]


def test_a_bye_of_another_and_a_rematch_are_named(checked):
    said = checked(seated(golden("3-swiss-cut"), 4, {3: 10, 10: 3}))[1]
    assert "round 4: the bye would be of player 3" in said
    said = checked(seated(golden("swiss-cut-5"), 3, {7: 5, 5: 7}))[1]
    assert "round 3: its pairs cost (2, 18)" in said


def test_a_player_left_out_is_named(checked):
    document = golden("swiss-cut-5")
    for _place, row in swiss_round(document, 2):
        if row["b"] is None:
            row["missed"] = True
    assert (
        "round 2: paired were [1, 2, 3, 4, 5, 6], there were" in checked(chained_anew(document))[1]
    )


def test_a_file_that_says_why_nothing_is_to_be_checked_is_wrong_without_an_act(checked):
    for reason in ("kept_apart", "by_hand"):
        document = golden("swiss-cut-5")
        row = {"round": 2, "kept_apart": False, "by_hand": False}
        document["pairings"] = [row | {reason: True}]
        code, said = checked(document)
        assert code == 1
        assert "round 2: the file says why it is not checked, but no line of the log does" in said


def test_what_is_not_a_pairing_of_neighbours_needs_networkx(checked, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    field = Field((3, 1, 0), {"seed": SEED}, played([1, 2, 3, 4], 2, Random(1)), [1, 2, 3, 4])
    made = [(field.players[0], field.players[3]), (field.players[1], field.players[2])]
    with pytest.raises(Exception, match="needs networkx, which is not installed"):
        fault_of(field, made)
    assert checked(golden("swiss-cut-5"))[0] == 0, "neighbours need none"


@pytest.mark.django_db
def test_the_transcript_says_of_each_round_why_it_can_not_be_computed(by, checked):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    keep_apart(event=event, numbers=(1, 2), by=by)
    make.play_round(make.next_round(event, by), by)
    event.kept_apart.all().delete()
    forget()
    draft = rounds.draft_round(event=Event.objects.get(pk=event.pk), expected_round=3, by=by)
    (one, other, *_rest) = draft.matches.order_by("number")
    asked = ChangeRequest(action="swap", players=(one.b.number, other.b.number))
    change_draft(event=event, ordinal=3, asked=asked, by=by)
    rounds.publish_round(event=event, ordinal=3, by=by)
    make.play_round(draft, by)
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    document = whole_transcript(event)
    told_of = [(row["kept_apart"], row["by_hand"]) for row in document["pairings"]]
    assert told_of == [(False, False), (True, False), (False, True)]
    code, said = checked(document)
    assert code == 3
    assert "round 2: not checked, because players were kept apart in it" in said
    assert "round 3: not checked, because people paired it by hand" in said
    assert "wrong 0, not checked 2" in said
    del document["pairings"]
    assert checked(document)[0] == 3, "the acts of the log say so too"
