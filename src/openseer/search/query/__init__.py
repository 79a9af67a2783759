"""Query parser, second-order operators, query explanation and relaxation."""
