"""Plans: a formula for a number of players as data (``plan``), and names of places (``places``)."""
