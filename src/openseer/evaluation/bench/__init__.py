"""Speed and load tests."""
