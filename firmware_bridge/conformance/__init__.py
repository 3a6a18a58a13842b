"""Tries a device against docs/wire.md: `feltwire device test PORT`."""
