"""Errors that a person can fix."""

from __future__ import annotations


class UsageError(Exception):
    """Called wrongly: one line that says what, why and what to do. The command line exits with 2."""
