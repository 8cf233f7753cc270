"""The version of Girone, defined only here; CHANGELOG.md begins with it."""

VERSION = "1.0.0"
