"""People with an account: who signs in, by e-mail and password."""
