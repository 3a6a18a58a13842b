"""The driver `gpio`: buttons, lamps and a buzzer wired straight to the header of the table's own Raspberry Pi."""
