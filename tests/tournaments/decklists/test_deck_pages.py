"""The player's way of a list: typed, read from a file, kept as a draft, handed in, locked."""

import json
import re
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from decks.cards.services import load_cards
from decks.decklists.samples import sample_deck
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import by_link, url
from tests.decks.cards.files import sample_catalogue
from tournaments.core.permissions import Actor
from tournaments.decklists import services as deck_drafts
from tournaments.decklists import services as deck_locks
from tournaments.decklists import services as decklists
from tournaments.lots import services as draws
from tournaments.models import DeckDraft, DeckSubmission, Entry, Event
from tournaments.models.tables import clear_row_marks
from tournaments.starting import services as starting

pytestmark = pytest.mark.django_db


EXO = "creatures-of-exo"


def lock(event):
    Event.objects.filter(pk=event.pk).update(decklist_deadline=timezone.now())
    clear_row_marks()


@pytest.mark.deep
def test_a_draft_is_read_by_its_player_alone(phone, event, ada, by):
    phone.post(url("my-deck-draft", event), {"text": "2 Segretissimo"})
    page = phone.get(url("my-deck", event)).content.decode()
    assert ">\n2 Segretissimo</textarea>" in page
    assert "Draft, not submitted" in page
    own = phone.get(url("me", event)).content.decode()
    assert "Draft, not submitted" in own
    staff = Client()
    staff.force_login(by.user)
    for name in ("manage-player-decklist", "manage-player-decklist-versions"):
        assert "Segretissimo" not in staff.get(url(name, event, 1)).content.decode()
    for name in ("manage-decklists", "manage-players", "log", "workbook"):
        assert b"Segretissimo" not in staff.get(url(name, event)).content
    phone.post(url("my-deck-draft-drop", event))
    assert "Segretissimo" not in phone.get(url("my-deck", event)).content.decode()


def test_after_the_start_the_page_says_that_the_list_is_closed_and_has_no_form(event, ada, by):
    make.players(event, 4, by)
    make.with_decks(event, by)
    phone = by_link(ada, by)
    before = phone.get(url("my-deck", event)).content.decode()
    assert "Open until:" in before
    draw = draws.draw_start_order(event=event, by=by)
    starting.start_event(event=event, draw_number=draw.number, override="so be it", by=by)
    answer = phone.get(url("my-deck", event))
    refused = phone.post(url("my-deck", event), {"text": sample_deck(EXO, 2), "expected": "0"})
    assert (answer.status_code, refused.status_code) == (200, 409)
    for said in (answer.content.decode(), refused.content.decode()):
        assert "can be changed" not in said
        assert "Decklists locked:" in said
        assert "<textarea" not in said


def test_the_receipt_says_what_when_and_whether_it_is_legal(phone, event, ada):
    phone.post(url("my-deck", event), {"text": sample_deck(EXO, 1), "expected": "0"})
    handed = Entry.objects.get(pk=ada.pk).submission
    page = phone.get(url("my-deck", event)).content.decode()
    print_of = handed.decklist.fingerprint
    assert f"<code>{print_of[:4]} {print_of[4:8]}</code>" in page
    assert "Europe/Rome" in page
    assert "Version 1" in page
    assert f'name="expected" value="{handed.pk}"' in page


def test_a_forged_time_is_ignored(phone, event, ada):
    before = timezone.now()
    forged = {"submitted_at": "2001-01-01T00:00", "created_at": "2001-01-01", "locked_at": "2001"}
    phone.post(url("my-deck", event), {"text": "1 Eco"} | forged)
    handed = Entry.objects.get(pk=ada.pk).submission
    assert handed.submitted_at >= before
    assert handed.decklist.created_at >= before
    assert handed.locked_at is None
    lock(event)
    answer = phone.post(url("my-deck", event), {"text": "2 Eco"} | forged)
    assert answer.status_code == 409
    assert DeckSubmission.objects.count() == 1


def test_after_the_lock_the_page_is_read_only_and_says_who_helps(phone, event):
    phone.post(url("my-deck", event), {"text": "1 Eco"})
    lock(event)
    page = phone.get(url("my-deck", event)).content.decode()
    assert "<textarea" not in page
    assert "Ask a judge to open or correct" in page
    late = phone.post(url("my-deck", event), {"text": "2 Troppo tardi"})
    assert late.status_code == 409
    assert "2 Troppo tardi" in late.content.decode()
    assert phone.post(url("my-deck-draft", event), {"text": "2 Eco"}).status_code == 409
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    over = phone.get(url("my-deck", event)).content.decode()
    assert ("Decklists locked" in over, "Ask a judge to open" in over) == (True, False)


def test_with_grace_the_page_is_open_and_says_until_when(phone, event, ada):
    lock(event)
    until = timezone.now() + timedelta(minutes=10, seconds=30)
    deck_locks.unlock_decklist(entry=ada, until=until, reason="Late train", by=make.staff(event))
    page = phone.get(url("my-deck", event)).content.decode()
    assert "Open until:" in page
    assert "10 minutes left" in page
    assert phone.post(url("my-deck", event), {"text": "1 Eco"}).status_code == 302


def test_a_newer_list_is_not_overwritten_unseen(phone, event, ada):
    mended = decklists.submit_decklist(entry=ada, text="1 Del giudice", by=make.staff(event))
    answer = phone.post(url("my-deck", event), {"text": "2 Mia", "expected": "0"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert ">\n2 Mia</textarea>" in page
    assert f'name="expected" value="{mended.pk}"' in page
    assert Entry.objects.get(pk=ada.pk).submission == mended
    assert ada.submissions.count() == 2
    again = {"text": "2 Mia", "expected": str(mended.pk)}
    assert phone.post(url("my-deck", event), again).status_code == 302


def test_nothing_typed_is_lost_when_the_session_is_over(event, ada, phone):
    phone.cookies.clear()
    answer = phone.post(url("my-deck", event), {"text": "2 Lunga fatica"})
    assert answer.status_code == 403
    assert ">\n2 Lunga fatica</textarea>" in answer.content.decode()
    assert phone.get(url("my-deck", event)).status_code == 403
    assert not DeckSubmission.objects.exists()


def test_an_empty_list_is_not_handed_in(phone, event):
    answer = phone.post(url("my-deck", event), {"text": " \n"})
    assert answer.status_code == 400
    assert "Paste a decklist or choose a file." in answer.content.decode()


def test_versions_and_what_changed(phone, event, ada):
    judge = make.staff(event)
    for text in ("2 Lupo\n1 Eco", "1 Lupo\n1 Faro"):
        phone.post(url("my-deck", event), {"text": text})
    lock(event)
    decklists.submit_decklist(entry=ada, text="1 Lupo", reason="No such card", by=judge)
    versions = url("my-deck-versions", event)
    page = phone.get(versions).content.decode()
    assert page.count("<tr") == 4
    assert f"{judge.user.name} (staff)" in page
    assert "No such card" in page
    assert page.count("counts</span>") == 1
    assert "Changes from version 2 to version 3" in page
    page = " ".join(phone.get(f"{versions}?second=1&first=2").content.decode().split())
    assert "Changes from version 1 to version 2" in page
    assert "<b>Added:</b> 1 <bdi>Faro</bdi>" in page
    assert "<b>Removed:</b> 1 <bdi>Eco</bdi>" in page
    assert "<b>Changed:</b> 2 → 1 <bdi>Lupo</bdi>" in page


@pytest.mark.parametrize("query", ["?first=9&second=1", "?first=1&second=1", "?first=x", "?a=1"])
def test_versions_that_do_not_exist_break_nothing(phone, event, query):
    versions = url("my-deck-versions", event)
    assert phone.get(versions + query).status_code == 200
    phone.post(url("my-deck", event), {"text": "1 Eco"})
    assert phone.get(versions + query).status_code == 200
    phone.post(url("my-deck", event), {"text": "2 Eco"})
    assert "Changes from version 1 to version 2" in phone.get(versions + query).content.decode()


@pytest.mark.parametrize("how_many", [1, 12])
@pytest.mark.parametrize(("name", "queries"), [("my-deck", 9), ("my-deck-versions", 5)])
def test_the_page_takes_the_same_number_of_queries(
    phone, event, ada, how_many, name, queries, django_assert_num_queries
):
    for count in range(how_many):
        decklists.submit_decklist(entry=ada, text=f"{count + 1} Eco", by=Actor(entry=ada))
    with django_assert_num_queries(queries):  # one reads the names of twins
        phone.get(url(name, event))


@pytest.mark.parametrize("name", ["my-deck", "my-deck-versions"])
def test_no_cache_keeps_a_list(phone, event, name):
    assert phone.get(url(name, event))["Cache-Control"] == "private, no-store"


def test_the_page_has_words_where_no_lists_are_collected(phone, event):
    Event.objects.filter(pk=event.pk).update(decklists="off")
    assert "does not use decklists" in phone.get(url("my-deck", event)).content.decode()
    assert phone.post(url("my-deck", event), {"text": "1 Eco"}).status_code == 409


def test_whether_this_text_is_the_one_handed_in_stands_beside_the_button(phone, event):
    def said(answer) -> str:
        return answer.content.decode().split('id="handed" data-handed="')[1].split('"')[0]

    assert said(phone.get(url("my-deck", event))) == "no"
    text = sample_deck(EXO, 7)
    done = phone.post(url("my-deck", event), {"text": text, "expected": "0"}, follow=True)
    assert said(done) == "yes"
    phone.post(url("my-deck-draft", event), {"text": f"{text}1 Lupo"})
    assert said(phone.get(url("my-deck", event))) == "no"


HTMX = {"HX-Request": "true"}


def test_totals_and_problems_are_shown_while_typing(phone, event, django_assert_max_num_queries):
    check = url("my-deck-check", event)
    with django_assert_max_num_queries(20):
        answer = phone.post(check, {"text": "3 Lupo\n0 Nulla"}, headers=HTMX)
    part = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "<html" not in part
    assert 'data-line="2"' in part
    assert "<b>3</b> Main deck · 30" in part
    assert "Add 27" in part
    assert not DeckSubmission.objects.exists()
    assert not DeckDraft.objects.exists()


def test_problems_name_every_line_and_have_an_end_without_scripts_too(phone, event):
    text = "Main\n2 Lupo\n1 Eco\nSide\n1 lupo"
    part = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX).content.decode()
    assert re.findall('data-line="([0-9]+)"', part) == ["2", "5"]
    text = "\n".join(f"0 Carta {n}" for n in range(3000))
    part = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX).content.decode()
    assert part.count('<div class="violation ') == 60
    assert "more." in part
    answer = phone.post(url("my-deck-check", event), {"text": "3 Lupo"})
    page = answer.content.decode()
    assert "<html" in page
    assert ">\n3 Lupo</textarea>" in page
    assert re.search("<b>[0-9] errors?</b>", page)


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("", 200, 'id="verdict"'),
        ("x" * 70_000, 400, "at most 65536 characters"),
        ("a\x00", 400, "not allowed"),
    ],
)
def test_what_is_no_list_has_words_too(phone, event, text, status, words):
    answer = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX)
    assert answer.status_code == status
    assert words in answer.content.decode()


def test_a_suggestion_is_accepted_by_one_tap(phone, event):
    mend = {"line": 1, "card": "Fulminarra", "becomes": "Fulminara"}
    sent = {"text": "2 Fulminarra {Creatura}\n1 Eco", "mend": json.dumps(mend)}
    for headers in (HTMX, {}):
        answer = phone.post(url("my-deck-mend", event), sent, headers=headers)
        assert ">\n2 Fulminara {Creatura}\n1 Eco</textarea>" in answer.content.decode()
    assert not DeckSubmission.objects.exists()


@pytest.mark.parametrize(
    ("mend", "status"),
    [
        (json.dumps({"line": 2, "card": "Fulminarra", "becomes": "Fulminara"}), 409),
        (json.dumps([1, "Fulminarra", "Fulminara"]), 400),
        (json.dumps({"line": "1", "card": "a", "becomes": "b"}), 400),
        ("[" * 500, 400),
        ("9" * 900, 400),
        ("", 400),
    ],
)
def test_a_suggestion_that_fits_no_more_keeps_the_text(phone, event, mend, status):
    sent = {"text": "2 Fulminarra\n1 Eco", "mend": mend}
    for headers in (HTMX, {}):
        answer = phone.post(url("my-deck-mend", event), sent, headers=headers)
        assert answer.status_code == status
        assert ">\n2 Fulminarra\n1 Eco</textarea>" in answer.content.decode()


PASTED = "zone,count,name,foil\nMain,3,Lupo,foil\nSide,1,Volpe,foil\n"


def test_what_another_program_wrote_is_read_into_the_editor(phone, event, ada):
    answer = phone.post(url("my-deck-check", event), {"text": PASTED}, headers=HTMX)
    part = answer.content.decode()
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#editor", "outerHTML")
    assert "3 Lupo\n" in part
    assert "zone,count" not in part
    plain = phone.post(url("my-deck-check", event), {"text": "3 Lupo"}, headers=HTMX)
    assert "HX-Retarget" not in plain
    phone.post(url("my-deck", event), {"text": PASTED, "expected": "0"})
    assert "zone,count" not in Entry.objects.get(pk=ada.pk).submission.decklist.raw


def test_a_broken_paste_is_told_and_kept(phone, event):
    answer = phone.post(url("my-deck-check", event), {"text": "ydke://AAA"}, headers=HTMX)
    assert answer.status_code == 400
    assert "can’t be read" in answer.content.decode()
    refused = phone.post(url("my-deck", event), {"text": "ydke://AAA", "expected": "0"})
    assert refused.status_code == 400
    assert ">\nydke://AAA</textarea>" in refused.content.decode()
    assert not DeckSubmission.objects.exists()


def test_unknown_cards_are_one_line_after_errors_and_near_ones_suggested(phone, event, by):
    load_cards(game=EXO, cards=sample_catalogue(EXO), owner=by.user)
    text = "2 Qwertzuiop\n1 Asdfghjkl\n3 Yxcvbnm\n0 Nulla"
    part = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX).content.decode()
    assert "3 cards are not in the catalogue" in " ".join(part.split())
    assert part.rindex("violation-error") < part.index('<details class="unknown"')
    assert "violation-warning" not in part
    kinds = [piece.split('"')[0] for piece in part.split("violation violation-")[1:]]
    assert kinds == sorted(kinds, key=("error", "warning", "info").index)
    known = next(line for line in sample_deck(EXO, 7).splitlines() if "{Creatura}" in line)
    name = known.partition(" ")[2].partition(" {")[0]
    first = name.split()[0]
    for written, near in ((f"{name}x", True), (f"Il contrario di {first} e altro ancora", False)):
        answer = phone.post(url("my-deck-check", event), {"text": f"2 {written}"}, headers=HTMX)
        said = answer.content.decode().replace("&quot;", '"')
        assert (f'name="mend" value="{{"line": 1, "card": "{written}", "becomes": ' in said) is near


def a_file(text="2 Lupo\n1 Eco", name="lista.txt"):
    return SimpleUploadedFile(name, text.encode())


def test_a_file_is_read_into_the_editor_in_the_language_of_its_reader(phone, event):
    sent = {"text": "1 Prima", "file": a_file()}
    answer = phone.post(url("my-deck-check", event), sent, headers=HTMX)
    part = answer.content.decode()
    assert "<html" not in part
    assert "2 Lupo" in part
    assert "1 Prima" not in part
    assert 'name="from_file"' in part
    assert not DeckSubmission.objects.exists()
    sent = {"file": a_file("zone,name,count\nevolution,Eco,1\nmain,Faro,2\n", "lista.csv")}
    check = url("my-deck-check", event)
    italian = phone.post(check, sent, headers=HTMX | {"accept-language": "it"}).content.decode()
    assert "Mazzo principale\n2 Faro\n" in italian
    assert "Mazzo Evoluzioni\n1 Eco\n" in italian
    assert "errori" in italian


def test_a_file_without_cards_changes_nothing(phone, event, ada):
    sent = {"text": "1 Tenuta", "file": a_file("", "vuoto.csv")}
    answer = phone.post(url("my-deck-check", event), sent, headers=HTMX)
    assert answer.status_code == 400
    assert "1 Tenuta" in answer.content.decode()
    assert "The file has no cards" in answer.content.decode()
    phone.post(url("my-deck", event), {"text": "1 Tenuta"})
    answer = phone.post(url("my-deck", event), {"text": "", "file": a_file("", "vuoto.csv")})
    assert answer.status_code == 400
    assert "The file has no cards." in answer.content.decode()
    assert Entry.objects.get(pk=ada.pk).submission.decklist.raw == "1 Tenuta"
    assert DeckSubmission.objects.count() == 1


def test_a_file_is_handed_in_as_it_was_sent(phone, event, ada):
    phone.post(url("my-deck", event), {"text": "", "file": a_file()})
    handed = Entry.objects.get(pk=ada.pk).submission.decklist
    assert bytes(handed.upload) == b"2 Lupo\n1 Eco"
    assert handed.upload_name == "lista.txt"
    page = phone.get(url("my-deck", event)).content.decode()
    assert "Original file" in page
    for kind in re.findall(r"/decklists/1/(\w+)/", page):
        answer = phone.get(url("decklist-file", event, 1, kind))
        assert answer.status_code == 200
        assert answer["Content-Disposition"].startswith("attachment")


def test_a_file_that_was_changed_in_the_editor_is_the_changed_text(phone, event, ada):
    sent = {"text": "2 Lupo\n2 Eco", "file": a_file(), "from_file": "1"}
    phone.post(url("my-deck", event), sent)
    handed = Entry.objects.get(pk=ada.pk).submission.decklist
    assert (handed.raw, handed.upload) == ("2 Lupo\n2 Eco", None)
    phone.post(url("my-deck-draft", event), {"text": "", "file": a_file()})
    assert "2 Lupo" in DeckDraft.objects.get().text


@pytest.mark.parametrize("name", ["my-deck", "my-deck-check", "my-deck-draft"])
def test_a_file_that_is_no_list_is_refused_in_words(phone, event, name):
    rubbish = SimpleUploadedFile("lista.xlsx", b"PK\x03\x04 not a workbook")
    answer = phone.post(url(name, event), {"text": "1 Tenuta", "file": rubbish})
    assert answer.status_code == 400
    assert ">\n1 Tenuta</textarea>" in answer.content.decode()
    assert not DeckSubmission.objects.exists()


def test_a_file_that_can_not_be_read_leaves_the_editor_as_it_is(phone, event, ada):
    rubbish = SimpleUploadedFile("lista.xlsx", b"PK\x03\x04 not a workbook")
    sent = {"text": "1 Tenuta", "file": rubbish}
    answer = phone.post(url("my-deck-check", event), sent, headers=HTMX)
    part = answer.content.decode()
    assert answer.status_code == 400
    assert 'role="alert"' in part
    assert ">\n1 Tenuta</textarea>" in part
    assert 'name="from_file"' in part
    rubbish.seek(0)
    phone.post(url("my-deck", event), sent | {"from_file": "1"})
    assert Entry.objects.get(pk=ada.pk).submission.decklist.raw == "1 Tenuta"


def test_without_scripts_a_file_chosen_last_is_the_list(phone, event, ada):
    page = phone.post(url("my-deck-check", event), {"text": "1 Prima", "file": a_file()})
    assert 'name="from_file"' not in page.content.decode()
    phone.post(url("my-deck", event), {"text": "1 Prima", "file": a_file("1 Seconda")})
    assert Entry.objects.get(pk=ada.pk).submission.decklist.raw == "1 Seconda"


def counting(entry):
    return Entry.objects.get(pk=entry.pk).submission


def test_a_list_sent_from_an_old_page_is_kept_and_does_not_count(event, ada):
    judge = make.staff(event)
    first = make.hand_in(ada, 1, expected=0)
    mended = make.hand_in(ada, 2, by=judge, expected=first.pk)
    assert make.refusal(make.hand_in, ada, 3, expected=first.pk) == "stale"
    assert counting(ada) == mended
    kept = DeckSubmission.objects.filter(entry=ada).last()
    assert kept.decklist.raw == sample_deck(EXO, 3)
    assert event.log.last().action == "deck.kept_aside"
    assert make.hand_in(ada, 3, expected=mended.pk) == counting(ada)


def test_the_same_form_sent_twice_is_one_submission(ada):
    first = make.hand_in(ada, expected=0)
    assert make.hand_in(ada, expected=0) == first
    assert ada.submissions.count() == 1


def test_a_draft_is_replaced_and_goes_when_the_list_is_handed_in(ada):
    player = Actor(entry=ada)
    deck_drafts.store_draft(entry=ada, text="1 Lupo", by=player)
    deck_drafts.store_draft(entry=ada, text="2 Lupo", by=player)
    assert DeckDraft.objects.get().text == "2 Lupo"
    make.hand_in(ada)
    assert not DeckDraft.objects.exists()
    deck_drafts.store_draft(entry=ada, text="3 Lupo", by=player)
    deck_drafts.delete_draft(entry=ada, by=player)
    assert not DeckDraft.objects.exists()


def test_a_draft_stays_while_a_judge_hands_in_or_the_list_does_not_count(event, ada):
    deck_drafts.store_draft(entry=ada, text="1 Lupo", by=Actor(entry=ada))
    make.hand_in(ada, by=make.staff(event))
    with pytest.raises(RuleError):
        make.hand_in(ada, 2, expected=0)
    assert DeckDraft.objects.get().text == "1 Lupo"


def test_a_draft_is_the_players_alone_and_leaves_no_line(event, ada, by):
    lines = event.log.count()
    deck_drafts.store_draft(entry=ada, text="1 Lupo", by=Actor(entry=ada))
    assert event.log.count() == lines
    for actor in (by, make.staff(event), Actor(entry=event.entries.get(number=2))):
        with pytest.raises(PermissionDenied):
            deck_drafts.store_draft(entry=ada, text="9 Lupo", by=actor)
        with pytest.raises(PermissionDenied):
            deck_drafts.delete_draft(entry=ada, by=actor)


@pytest.mark.parametrize("text", ["a\x00", "x" * 70_000])
def test_a_draft_that_can_not_be_kept(ada, text):
    with pytest.raises(BadInput):
        deck_drafts.store_draft(entry=ada, text=text, by=Actor(entry=ada))


def start(event, by, **more):
    draw = draws.draw_start_order(event=event, by=by)
    return starting.start_event(event=event, draw_number=draw.number, by=by, **more)


def test_a_start_in_spite_of_lists_needs_every_name_and_records_them(event, ada, by):
    make.hand_in(ada)
    with pytest.raises(RuleError) as refused:
        start(event, by, override="They promise", seen={2, 3})
    assert refused.value.code == "decklists_not_ready"
    assert refused.value.sentence.values["names"] == (event.entries.get(number=4).name,)
    assert Event.objects.get(pk=event.pk).plan is None
    start(event, by, override="They promise", seen={2, 3, 4})
    line = event.log.last()
    names = list(event.entries.filter(number__gt=1).values_list("name", flat=True))
    assert (line.after["override"], line.reason) == (names, "They promise")


def test_a_reason_without_need_is_not_recorded(event, ada, by):
    make.with_decks(event, by)
    start(event, by, override="To be sure")
    line = event.log.last()
    assert line.reason == ""
    assert "override" not in line.after
