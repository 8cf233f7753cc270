"""Settings of sign-up and of mail, which depend on each other."""

from config import env

__all__ = [
    "ACCOUNT_CHANGE_EMAIL",
    "ACCOUNT_EMAIL_NOTIFICATIONS",
    "ACCOUNT_EMAIL_SUBJECT_PREFIX",
    "ACCOUNT_EMAIL_VERIFICATION",
    "DEFAULT_FROM_EMAIL",
    "EMAIL_TIMEOUT",
    "PASSWORD_RESET_TIMEOUT",
    "SENDS_MAIL",
    "SIGN_UP",
]

# Where mail is set up an address is checked before it is used, so signing up answers the same
# whether there is an account or not; a venue often has no mail.
SENDS_MAIL = bool(env.text("EMAIL_URL"))
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = SENDS_MAIL  # a changed password or address is told to its owner
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one takes its place once it is checked
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Girone: "
PASSWORD_RESET_TIMEOUT = 3600
# Without mail an open sign-up has to say that an address is taken; by invitation it is no help
# to anybody who only wants to know.
SIGN_UP = env.choice("SIGN_UP", "open", ("open", "invitation"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Girone <girone@localhost>")
