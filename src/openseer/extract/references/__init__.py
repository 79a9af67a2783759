"""Bibliography of a paper: segmentation and parsing of its references."""
