"""The doors for browsers and programs: pages and REST. Routes translate; the work is done elsewhere."""
