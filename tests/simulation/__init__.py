"""A room on a virtual clock: the processes of a venue with their disks, in one thread, and faults from a seed."""
