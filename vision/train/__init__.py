"""Trains the networks that tell ranks and suits apart: `python -m vision.train`."""
