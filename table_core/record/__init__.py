"""The record of the hand in progress, read from its events."""
