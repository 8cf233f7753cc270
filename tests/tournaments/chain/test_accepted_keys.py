"""Lines signed by a key that is unknown here: one finding, until the operator accepts the key."""

import json
from io import StringIO

import pytest
from django.conf import settings as project
from django.core.management import CommandError, call_command

from tests import factories as make
from tests.tournaments.chain.forging import content, signed_again, verified
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.chain.keys import own_keys
from tournaments.events.services.events import change_event
from tournaments.models import Event
from tournaments.verification.event import notes_on, verify_event
from tournaments.verification.signatures import UNKNOWN_KEY

pytestmark = pytest.mark.django_db

ELSEWHERE = "the secret key of another site"


@pytest.fixture
def brought(by):
    """Return an event that was played on another site and restored here."""
    document = json.loads(archive(make.played(by, 4, formula="single-group")))
    return restore(content(signed_again(document, ELSEWHERE)), slug="portato", caller=by.user)


@pytest.fixture
def key(tmp_path, settings):
    """Return the file that the other site's operator wrote."""
    own, settings.SECRET_KEY = settings.SECRET_KEY, ELSEWHERE
    path = tmp_path / "key.json"
    with path.open("w") as out:
        call_command("line_key", stdout=out, stderr=StringIO())
    settings.SECRET_KEY = own
    return path


def checks(event):
    return [finding.check for finding in verify_event(event)]


def accept(*arguments):
    out = StringIO()
    call_command("accept_key", *arguments, stdout=out)
    return out.getvalue()


def test_an_unknown_key_is_one_finding_until_it_is_accepted(brought, key):
    assert checks(brought) == [UNKNOWN_KEY]
    assert verified("portato")[0] == 1
    accept(str(key))
    assert checks(brought) == []
    assert verified("portato")[0] == 0


def test_lines_of_an_accepted_key_are_checked(brought, key):
    accept(str(key))
    line = brought.log.get(number=3)
    stamp = line.signature.replace(line.signature[-4:], "0000")
    brought.log.filter(number=3).update(signature=stamp)
    assert checks(brought) == ["signature"]


def test_the_file_holds_the_derived_key_and_never_the_secret(key, by):
    text = key.read_text()
    assert ELSEWHERE not in text
    assert project.SECRET_KEY not in text
    ((name, value),) = json.loads(text)["girone_line_keys"].items()
    assert len(bytes.fromhex(value)) == 32
    event = make.playing(by, 4)
    assert event.log.filter(signature__startswith=next(iter(own_keys()))).count() > 3
    assert not event.log.filter(signature__startswith=name).exists()


def test_a_former_key_of_the_other_site_is_in_its_file(settings, by):
    event = make.playing(by, 4)
    out, own = StringIO(), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = ELSEWHERE, [own]
    assert checks(event) == []
    call_command("line_key", stdout=out, stderr=StringIO())
    signers = {line.signature.partition(":")[0] for line in event.log.all()}
    assert signers < set(json.loads(out.getvalue())["girone_line_keys"])


def test_an_accepted_key_is_kept_for_its_owner_alone(key, heads):
    said = accept(str(key))
    (kept,) = heads.glob("keys/*.json")
    assert kept.stem in said
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert accept(str(kept)) == said
    assert list(heads.glob("keys/*")) == [kept]


def test_this_site_never_signs_with_an_accepted_key(brought, key, by):
    accept(str(key))
    change_event(event=brought, changes={"venue": "Palestra"}, by=by)
    last = Event.objects.get(pk=brought.pk).log.order_by("-number").first()
    assert last.signature.partition(":")[0] in own_keys()
    assert checks(brought) == []


def test_a_lost_key_is_noted_for_the_lines_that_were_there(brought, by, settings, in_english):
    said = accept("--lost", "portato")
    assert str(brought.version) in said
    code, words = verified("portato")
    assert (code, "key that is lost" in words) == (0, True)
    assert "signature" in {note.check for note in notes_on(brought)}
    own, settings.SECRET_KEY = settings.SECRET_KEY, "a third key"
    change_event(event=brought, changes={"venue": "Palestra"}, by=by)
    settings.SECRET_KEY = own
    (finding,) = verify_event(brought)
    assert finding.check == UNKNOWN_KEY
    assert f"Lines {brought.version + 1} to {brought.version + 1} (1)" in finding.words


def test_what_was_changed_is_still_noticed_where_the_key_is_lost(brought):
    accept("--lost", "portato")
    brought.log.filter(number=3).update(action="entry.removed")
    assert "chain" in checks(brought)


@pytest.mark.parametrize("text", ["", "[]", "{}", "rubbish", '{"girone_line_keys": {"a": "zz"}}'])
def test_what_is_no_key_is_refused_and_not_stored(text, tmp_path, heads):
    path = tmp_path / "key"
    path.write_text(text)
    with pytest.raises(CommandError) as refused:
        accept(str(path))
    assert refused.value.returncode == 2
    assert not list(heads.glob("keys/*"))


def test_a_key_under_another_name_is_refused(key, heads):
    told = json.loads(key.read_text())
    told["girone_line_keys"] = {"0" * 16: next(iter(told["girone_line_keys"].values()))}
    key.write_text(json.dumps(told))
    with pytest.raises(CommandError):
        accept(str(key))
    assert not list(heads.glob("keys/*"))


def test_what_is_not_there_or_needs_nothing_is_refused(by, tmp_path):
    event = make.playing(by, 4)
    for arguments in ((str(tmp_path / "x"),), ("--lost", "nessuno"), ("--lost", event.slug)):
        with pytest.raises(CommandError) as refused:
            accept(*arguments)
        assert refused.value.returncode == 2
