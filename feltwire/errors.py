"""Errors that a person can fix."""

from __future__ import annotations


class UsageError(Exception):
    """Called wrongly: one line that says what, why and what to do. The command line exits with 2.

    `passes`: it may be over by itself, so a process that ends with it is worth starting again.
    """

    passes = False


class PortInUse(UsageError):
    """Another program has the port of the pages; often it is just ending."""

    passes = True
