"""What the API's calls answer, by subject, for its schema; ``shapes`` makes the values."""
