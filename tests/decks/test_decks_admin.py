"""The admin site shows lists and changes none."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.decklists.samples import sample_deck
from decks.decklists.services import store_decklist
from decks.rulebook import current_rules


@pytest.mark.django_db
def test_staff_look_at_lists_and_change_none(client: Client) -> None:
    stored = store_decklist(
        rules=current_rules("creatures-of-exo"), text=sample_deck("creatures-of-exo", 1)
    )
    client.force_login(User.objects.create_superuser("capo@example.org", "parola"))
    listing = client.get(reverse("admin:decks_decklist_changelist"))
    assert stored.fingerprint[:8] in listing.content.decode()
    change = reverse("admin:decks_decklist_change", args=[stored.pk])
    assert client.get(change).status_code == 200
    assert client.post(change, {"raw": ""}).status_code == 403
    assert client.get(reverse("admin:decks_decklist_add")).status_code == 403
    assert client.post(reverse("admin:decks_decklist_delete", args=[stored.pk])).status_code == 403
