"""The forms of the site by which nothing is stored, and why."""

PAGE = "the address of a page that only shows: it answers a form as it answers a reader"
PREVIEW = "shows what would be, as a part of the page; another form stores it"
LIBRARY = "allauth’s own form: it redirects after each of its acts"
SCRIPT = "no form: a script alone sends to it, and is answered in JSON"
NOT_STORING: dict[str, str] = {
    "tournaments:test-mail": "sends a mail",
    "tournaments:hall": "opens an address of the server",
    "tournaments:hall-close": "closes that address",
    "tournaments:advance": PAGE,
    "tournaments:checks": PAGE,
    "tournaments:desk": PAGE,
    "tournaments:floor": PAGE,
    "tournaments:lots": PAGE,
    "tournaments:match": PAGE,
    "tournaments:check-exchange": PREVIEW,
    "tournaments:manage-player-decklist-check": PREVIEW,
    "tournaments:manage-player-decklist-mend": PREVIEW,
    "tournaments:my-deck-check": PREVIEW,
    "tournaments:my-deck-mend": PREVIEW,
    "tournaments:formula-import": PREVIEW,
    "tournaments:check-ticks": SCRIPT,
    "decks:format": PREVIEW,
    "set_language": "keeps the language in a cookie",
    "account_logout": LIBRARY,
    "account_email_verification_sent": LIBRARY,
    "account_set_password": LIBRARY,
    "account_reset_password_done": LIBRARY,
    "account_confirm_login_code": LIBRARY,
    "mfa_index": LIBRARY,
    "mfa_reauthenticate": LIBRARY,
    "mfa_deactivate_totp": LIBRARY,
    "mfa_view_recovery_codes": LIBRARY,
    "mfa_generate_recovery_codes": LIBRARY,
    "mfa_download_recovery_codes": LIBRARY,
}
