"""Views of the library: works, identifiers, author names, citation lookup, serializers."""
