"""Configuration of the app ``accounts``."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """App configuration of accounts and sign-in."""

    name = "accounts"
    verbose_name = "Accounts"
