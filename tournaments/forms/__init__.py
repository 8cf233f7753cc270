"""Forms of the pages: they read what was typed; the rules judge it."""
