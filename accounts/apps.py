"""Configuration of the app ``accounts``."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Accounts and signing in."""

    name = "accounts"
    verbose_name = "Accounts"
