"""What may be wrong with a camera or its pictures."""

from __future__ import annotations


class CameraError(Exception):
    """A camera that cannot be used: which one, why, and what to do."""


class DamagedPicture(CameraError):
    """A coded picture that is none, or not whole. The next one may be."""
