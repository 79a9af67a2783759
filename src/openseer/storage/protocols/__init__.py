"""Interfaces of the stores. Every backend passes the tests in `tests/contracts`."""
