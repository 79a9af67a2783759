"""The bibliography of a paper: location, segmentation and parsing of its references."""
