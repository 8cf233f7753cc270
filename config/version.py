"""The number of this version: here and nowhere else. CHANGELOG.md begins with it."""

VERSION = "1.0.0"
