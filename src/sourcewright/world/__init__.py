"""A small internet in a box: many hosts behind one loopback port, for tests and the demo."""
