"""The attacker: reads everything that a simulated room lets anybody read, and looks for a hidden card in it.

`python -m tests.room.leak --hands 200 --seed 7 --tables 2` runs a room against a real broker with certificates,
listens with every certificate but the relay's, reads every page, copies every file, and searches.
"""
