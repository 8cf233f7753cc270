"""Writes: one transaction each; lock, may they, is it open, decide by a rule, store, log."""
