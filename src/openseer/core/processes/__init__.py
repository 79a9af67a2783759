"""Worker processes and what they need of the operating system."""
