"""PDF files to the page model: words with box and font."""
