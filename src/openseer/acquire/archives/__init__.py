"""Archives: types, names, entries, and their unpacking within limits."""
