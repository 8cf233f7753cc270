"""What the API's calls take, by subject; everything else in a body is left aside."""
