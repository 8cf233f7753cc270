"""Pages of corrections that begin elsewhere than at a result."""
