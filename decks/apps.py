"""Configuration of the app ``decks``."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DecksConfig(AppConfig):
    """App configuration of formats, cards and decklists."""

    name = "decks"
    verbose_name = _("Decklists")
    default_auto_field = "django.db.models.BigAutoField"
