"""Shoe and keypad: measures (computed and checked without CadQuery), solids, pictures, files to print."""


def write() -> None:
    """Pictures and files to print. CadQuery is imported no sooner: measures do without."""
    from hardware.drawings.bodies import body_pictures

    body_pictures.write()


def fit() -> None:
    from hardware.drawings.bodies import fitting

    fitting.check()
