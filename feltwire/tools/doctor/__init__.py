"""`feltwire doctor`: everything that a process of a venue needs, tried; one finding each."""
