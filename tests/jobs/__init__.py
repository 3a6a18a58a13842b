"""Ten jobs of a dealer at a real table process: presses and seconds of each by touch, keyboard and keypad."""
