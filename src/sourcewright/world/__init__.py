"""A simulated internet: many hosts behind one loopback port, for tests and the demo."""
