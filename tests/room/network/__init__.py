"""A venue whose machines have a network of their own each, with cables that can be cut and that lose packets."""
