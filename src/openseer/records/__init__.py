"""The nouns of openseer. Frozen, standard library only; everybody imports them and they import nobody."""
