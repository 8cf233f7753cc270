"""The privacy page: the site owner's words, or those that come with the program."""
