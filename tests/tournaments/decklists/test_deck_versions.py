"""Every list that was handed in is kept, one counts, and nobody overwrites another unseen."""

import pytest
from django.core.exceptions import PermissionDenied

from decks.decklists.samples import sample_deck
from rules.errors import BadInput, RuleError
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.decklists import services as deck_drafts
from tournaments.lots import services as draws
from tournaments.models import DeckDraft, DeckSubmission, Entry, Event
from tournaments.starting import services as starting

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"


def counting(entry):
    return Entry.objects.get(pk=entry.pk).submission


def test_a_list_sent_from_an_old_page_is_kept_and_does_not_count(event, ada):
    judge = make.staff(event)
    first = make.hand_in(ada, 1, expected=0)
    mended = make.hand_in(ada, 2, by=judge, expected=first.pk)
    with pytest.raises(RuleError) as refused:
        make.hand_in(ada, 3, expected=first.pk)
    assert refused.value.code == "stale"
    assert counting(ada) == mended
    kept = DeckSubmission.objects.filter(entry=ada).last()
    assert kept.decklist.raw == sample_deck(EXO, 3)
    assert event.log.last().action == "deck.kept_aside"
    assert make.hand_in(ada, 3, expected=mended.pk) == counting(ada)


def test_a_first_list_is_not_the_first_any_more(ada, event):
    make.hand_in(ada, 1, by=make.staff(event))
    with pytest.raises(RuleError) as refused:
        make.hand_in(ada, 2, expected=0)
    assert refused.value.code == "stale"


def test_the_same_form_sent_twice_is_one_submission(ada):
    first = make.hand_in(ada, expected=0)
    assert make.hand_in(ada, expected=0) == first
    assert ada.submissions.count() == 1


def test_a_judge_is_told_of_a_newer_list_too(event, ada):
    judge, first = make.staff(event), make.hand_in(ada)
    newer = make.hand_in(ada, 2)
    with pytest.raises(RuleError):
        make.hand_in(ada, 3, by=judge, expected=first.pk, reason="misspelt")
    assert counting(ada) == newer


def test_a_draft_is_replaced_and_goes_when_the_list_is_handed_in(ada):
    player = Actor(entry=ada)
    deck_drafts.keep_draft(entry=ada, text="1 Lupo", by=player)
    deck_drafts.keep_draft(entry=ada, text="2 Lupo", by=player)
    assert DeckDraft.objects.get().text == "2 Lupo"
    make.hand_in(ada)
    assert not DeckDraft.objects.exists()
    deck_drafts.keep_draft(entry=ada, text="3 Lupo", by=player)
    deck_drafts.drop_draft(entry=ada, by=player)
    assert not DeckDraft.objects.exists()


def test_a_draft_stays_while_a_judge_hands_in_or_the_list_does_not_count(event, ada):
    deck_drafts.keep_draft(entry=ada, text="1 Lupo", by=Actor(entry=ada))
    make.hand_in(ada, by=make.staff(event))
    with pytest.raises(RuleError):
        make.hand_in(ada, 2, expected=0)
    assert DeckDraft.objects.get().text == "1 Lupo"


def test_a_draft_is_the_players_alone_and_leaves_no_line(event, ada, by):
    lines = event.log.count()
    deck_drafts.keep_draft(entry=ada, text="1 Lupo", by=Actor(entry=ada))
    assert event.log.count() == lines
    for actor in (by, make.staff(event), Actor(entry=event.entries.get(number=2))):
        with pytest.raises(PermissionDenied):
            deck_drafts.keep_draft(entry=ada, text="9 Lupo", by=actor)
        with pytest.raises(PermissionDenied):
            deck_drafts.drop_draft(entry=ada, by=actor)


@pytest.mark.parametrize("text", ["a\x00", "x" * 70_000])
def test_a_draft_that_can_not_be_kept(ada, text):
    with pytest.raises(BadInput):
        deck_drafts.keep_draft(entry=ada, text=text, by=Actor(entry=ada))


def start(event, by, **more):
    draw = draws.draw_start_order(event=event, by=by)
    return starting.start_event(event=event, draw_number=draw.number, by=by, **more)


def test_a_start_in_spite_of_lists_is_recorded_with_names_and_reason(event, ada, by):
    make.hand_in(ada)
    start(event, by, override="They promise", seen={2, 3, 4})
    line = event.log.last()
    names = list(event.entries.filter(number__gt=1).values_list("name", flat=True))
    assert (line.after["override"], line.reason) == (names, "They promise")


def test_a_reason_holds_for_the_players_that_were_named(event, ada, by):
    make.hand_in(ada)
    with pytest.raises(RuleError) as refused:
        start(event, by, override="They promise", seen={2, 3})
    assert refused.value.code == "decklists_not_ready"
    assert refused.value.sentence.values["names"] == (event.entries.get(number=4).name,)
    assert Event.objects.get(pk=event.pk).plan is None


def test_a_reason_without_need_is_not_recorded(event, ada, by):
    make.with_decks(event, by)
    start(event, by, override="To be sure")
    line = event.log.last()
    assert line.reason == ""
    assert "override" not in line.after
