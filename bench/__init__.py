"""Benchmarks, each a ratio to a baseline measured in the same run: ``make bench``."""
