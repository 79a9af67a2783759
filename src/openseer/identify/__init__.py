"""Which work is this? Keys, verdicts, partition and votes; all of it pure."""
