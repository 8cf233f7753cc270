"""Kinds of stages: who meets whom, round after round."""
