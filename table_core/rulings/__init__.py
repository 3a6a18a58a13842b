"""What a person may rule when something went wrong: for each matter the ways that the book allows."""
