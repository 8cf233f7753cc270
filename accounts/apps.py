"""Configuration of the app ``accounts``."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Accounts and signing in."""

    name = "accounts"
    verbose_name = _("Accounts")
