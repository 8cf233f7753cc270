"""Services of erasing: names, addresses and links are deleted; numbers, results and places stay."""
