"""PDF readers: a file to the page model of words with box and font."""
