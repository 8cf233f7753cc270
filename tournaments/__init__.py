"""Events, from sign-up to the final table: models, core, and a package for each feature."""
