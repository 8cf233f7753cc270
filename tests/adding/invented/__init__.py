"""Invented additions to Girone, each in one file; ``test_one_file_each`` plays with them."""
