"""What a person may rule when something went wrong: for each incident the ways that the book allows."""
