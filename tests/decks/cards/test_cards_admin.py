"""The admin site shows catalogues and cards and changes none."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.models import Card
from tests.decks.cards.files import loaded


@pytest.mark.django_db
def test_staff_look_at_cards_and_change_none(client: Client) -> None:
    catalogue = loaded("thoom")
    client.force_login(User.objects.create_superuser("capo@example.org", "parola"))
    card = Card.objects.get(key="lupo di selce")
    for model, row, shown in (("catalogue", catalogue, "thoom"), ("card", card, "Flint Wolf")):
        listing = client.get(reverse(f"admin:decks_{model}_changelist"))
        assert shown in listing.content.decode()
        change = reverse(f"admin:decks_{model}_change", args=[row.pk])
        assert client.get(change).status_code == 200
        assert client.post(change, {}).status_code == 403
        assert client.get(reverse(f"admin:decks_{model}_add")).status_code == 403
        assert client.post(reverse(f"admin:decks_{model}_delete", args=[row.pk])).status_code == 403
    assert (
        "Lupo di Selce"
        in client.get(reverse("admin:decks_card_changelist"), {"q": "flint"}).content.decode()
    )
