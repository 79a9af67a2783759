"""From the query tree to Tantivy's queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import tantivy
from tantivy import Occur, Query

from openseer.queries import All, Any, Best, Everything, Node, Not, Phrase, Range, Word

ANYWHERE = {"title": 4.0, "authors": 3.0, "keywords": 2.0, "abstract": 1.5, "venue": 1.0, "text": 1.0}
"""Fields of a bare word, with their weights."""
NAMES = {"author": "authors", "keyword": "keywords", "sha1": "documents", "id": "ids"}
"""Names that readers use -> names of the index."""
WORDY = frozenset(ANYWHERE)
TIE = 0.2
"""How much the fields that are not the best still add."""
TITLE_BONUS = 3.0
"""For the words of a query side by side in the title."""


class Translator:
    """Translates trees for one schema and one way of making words."""

    def __init__(self, schema: tantivy.Schema, analyzer: tantivy.TextAnalyzer, folder: tantivy.TextAnalyzer) -> None:
        self._schema = schema
        self._analyzer = analyzer
        self._folder = folder

    def query(self, tree: Node, full_text_only: bool) -> Query:
        """The whole question; a search sees works only, never the checkpoint."""
        must = [(Occur.Must, self._node(tree)), (Occur.Must, self._silent("kind", "work"))]
        if full_text_only:
            must.append((Occur.Must, self._silent("has", "pdf")))
        if bonus := self._title_bonus(tree):
            must.append((Occur.Should, bonus))
        return Query.boolean_query(must)

    def exactly(self, field: str, value: str) -> Query:
        """One value of an exact field."""
        return Query.term_query(self._schema, field, value)

    def _silent(self, field: str, value: str) -> Query:
        """A filter that adds nothing to the score."""
        return Query.const_score_query(self.exactly(field, value), 0.0)

    def _node(self, node: Node) -> Query:
        match node:
            case Word(text, field, prefix):
                return self._word(text, field, prefix)
            case Phrase(text, field):
                return self._phrase(text, field)
            case Range(field, low, high):
                return self._range(field, low, high)
            case Not():
                return self._all([node])
            case All(nodes):
                return self._all(nodes)
            case Any(nodes) | Best(nodes):
                return Query.boolean_query([(Occur.Should, self._node(one)) for one in nodes])
            case Everything():
                return Query.all_query()

    def _all(self, nodes: Sequence[Node]) -> Query:
        must = [(Occur.Must, self._node(one)) for one in nodes if not isinstance(one, Not)]
        must_not = [(Occur.MustNot, self._node(one.node)) for one in nodes if isinstance(one, Not)]
        return Query.boolean_query([*(must or [(Occur.Must, Query.all_query())]), *must_not])

    def _word(self, text: str, field: str, prefix: bool) -> Query:
        name = NAMES.get(field, field)
        if name and name not in WORDY:
            return self.exactly(name, text.lower())
        if prefix and (bare := self._prefix(text)):
            return self._over(name, lambda at: self._beginning(at, bare, text))
        return self._over(name, lambda at: self._tokens(at, text))

    def _phrase(self, text: str, field: str) -> Query:
        name = NAMES.get(field, field)
        if name and name not in WORDY:
            return self.exactly(name, text.lower())
        return self._over(name, lambda at: self._tokens(at, text))

    def _over(self, name: str, make: Callable[[str], Query]) -> Query:
        """One field, or the best of all of them."""
        if name:
            return make(name)
        boosted = [Query.boost_query(make(at), weight) for at, weight in ANYWHERE.items()]
        return Query.disjunction_max_query(boosted, TIE)

    def _prefix(self, text: str) -> str:
        """A prefix folded as the index folds words, or nothing for one that would match half of it."""
        folded = "".join(self._folder.analyze(text))
        return folded if len(folded) >= 2 else ""

    def _beginning(self, field: str, prefix: str, text: str) -> Query:
        """Words that begin like this; "modeling*" also means the word itself, which the index has cut to its stem."""
        longer = Query.regex_query(self._schema, field, re.escape(prefix) + ".*")
        return Query.boolean_query([(Occur.Should, longer), (Occur.Should, self._tokens(field, text))])

    def _tokens(self, field: str, text: str) -> Query:
        """A word may fall into several tokens ("near-duplicate"); they must stand side by side."""
        tokens = self._analyzer.analyze(text)
        if not tokens:
            return Query.empty_query()
        if len(tokens) == 1:
            return Query.term_query(self._schema, field, tokens[0])
        return Query.phrase_query(self._schema, field, list(tokens))

    def _range(self, field: str, low: int | None, high: int | None) -> Query:
        kind = tantivy.FieldType.Integer if field == "year" else tantivy.FieldType.Unsigned
        floor, ceiling = (-(10**9), 10**9) if field == "year" else (0, 10**12)
        low = floor if low is None else max(floor, min(ceiling, low))
        high = ceiling if high is None else max(floor, min(ceiling, high))
        if low > high:
            return Query.empty_query()
        return Query.const_score_query(Query.range_query(self._schema, field, kind, low, high), 1.0)

    def _title_bonus(self, tree: Node) -> Query | None:
        if not isinstance(tree, All | Best):
            return None
        bare = [node.text for node in tree.nodes if isinstance(node, Word) and not node.field and not node.prefix]
        tokens = self._analyzer.analyze(" ".join(bare))
        if len(tokens) < 2:
            return None
        return Query.boost_query(Query.phrase_query(self._schema, "title", list(tokens), slop=1), TITLE_BONUS)
