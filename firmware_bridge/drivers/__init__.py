"""Drivers: what stands between a device of whatever make and the table. docs/drivers.md says how to write one."""
