"""Translation of query trees to Tantivy queries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import tantivy
from tantivy import Occur, Query

from openseer.core.model.query import (
    RAW_FIELDS,
    YEAR,
    And,
    Everything,
    ExactField,
    Filter,
    IdSet,
    Node,
    Not,
    Or,
    Phrase,
    Range,
    Related,
    SearchQuery,
    SoftOr,
    Word,
)  # fmt: skip
from openseer.core.text.spelling_variants import spellings
from openseer.storage.tantivy.schema import exact_value, printed_field
from openseer.storage.tantivy.term_stats import TermStats
from openseer.storage.tantivy.tokenizers import folded, query_forms


class FieldWeights(NamedTuple):
    """Weights of the fields in which a bare word is searched."""

    fields: Mapping[str, float]
    tie: float | None = None
    """Tie breaker: share of the fields other than the best. None: scores of all fields are added, which is two to three
    times as fast; the first hits are re-ranked anyway."""


DEFAULT_WEIGHTS = FieldWeights(
    {"title": 4.0, "authors": 3.0, "keywords": 2.0, "abstract": 1.5, "venue": 1.0, "text": 1.0}
)
OPTIONAL_WEIGHTS = FieldWeights(
    {"title": 1.0, "authors": 0.5, "keywords": 1.0, "abstract": 1.5, "venue": 0.3, "text": 1.0}, tie=0.5
)
"""For optional words; tuned on CISI, Cranfield and CSFCube (docs/accuracy.md)."""
SENTENCE_WEIGHTS = FieldWeights({"sentence": 1.0})
"""For citing sentences."""
FIELD_NAMES = {"author": "authors", "keyword": "keywords", "sha1": "documents", "id": "ids"}
"""Field of the query language -> field of the index."""
STEMMED = frozenset({"title", "abstract", "keywords", "text", "sentence"})
WITH_PRINTED_FIELD = frozenset({"title", "abstract", "text"})
"""Stemmed fields that have an unstemmed twin."""
FACET_FIELDS = {"author": "people", "venue": "venues"}
YEAR_SCORE = 3.0
"""Score of a matching year: as much as a rare word of the text."""
TITLE_BONUS = 3.0
"""Boost for the words of a query as a phrase of the title."""
MAX_PREFIX_TERMS = 50
"""Most frequent terms that a prefix expands to."""
MAX_SIMILARITY_TERMS, MAX_SIMILARITY_TEXT = 10, 10_000
"""Terms by which similar works are searched, and characters of the text they are taken from."""
MAX_TERM_QUERIES = 200
"""Up to so many exact values are separate term queries: ten times as fast as a term set, which scans the dictionary."""
MAX_ORDERED_IDS, MAX_VALUES = 200, 10_000
"""Ids of one query that keep their order, and ids in all."""
ORDERS = {"citations": "by_cited", "newest": "by_year", "oldest": "by_age", "added": "by_added", "rate": "by_rate"}


class Translator:
    """Translator of query trees for one snapshot of an index."""

    def __init__(
        self,
        schema: tantivy.Schema,
        searcher: tantivy.Searcher,
        term_stats: TermStats,
        weights: FieldWeights = DEFAULT_WEIGHTS,
        kind: str = "work",
    ) -> None:
        self._schema, self._searcher, self._term_stats = schema, searcher, term_stats
        self._weights, self._kind = weights, kind

    def translate(self, query: SearchQuery, without: str = "", ranked: bool = False) -> Query:
        """Translate a search query, without the filters of one facet.

        Only works have the searched fields, so other documents never match. Works with the query as a phrase of their
        title get a bonus, unless the hits will be re-ranked (`ranked`)."""
        filters = []
        if query.full_text_only:
            filters.append(self._unscored("has", "text"))
        if query.since is not None and query.sort in ORDERS:
            filters.append(self._at_most(ORDERS[query.sort], query.since))
        must = [(Occur.Must, self._node(query.tree)), *((Occur.Must, one) for one in filters)]
        must += [self._filter(one) for one in query.filters if one.facet != without]
        if not ranked and (bonus := self._title_bonus(query.tree)):
            must.append((Occur.Should, bonus))
        return Query.boolean_query(must)

    def exact(self, field: str, value: str) -> Query:
        """Query for one value of an exact field."""
        return Query.term_query(self._schema, field, value)

    def any_of(self, field: str, values: Iterable[str]) -> Query:
        """Query for any of many values of an exact field, without a score."""
        selected = list(values)[:MAX_VALUES]
        if len(selected) > MAX_TERM_QUERIES:
            return Query.const_score_query(Query.term_set_query(self._schema, field, selected), 0.0)
        term_queries = [(Occur.Should, self.exact(field, value)) for value in selected]
        return Query.const_score_query(Query.boolean_query(term_queries), 0.0) if term_queries else Query.empty_query()

    def sentences(self, tree: Node, about: Sequence[str]) -> Query:
        """Query for citing sentences, of any works or of those with these ids."""
        must = [(Occur.Must, self._node(tree)), (Occur.Must, self._unscored("kind", self._kind))]
        if about:
            must.append((Occur.Must, self.any_of("about", about)))
        return Query.boolean_query(must)

    def similar_to(self, text: str) -> Query:
        """Query for works with the most discriminative words of a text in title or abstract."""
        tokens = next(iter(query_forms(text[:MAX_SIMILARITY_TEXT], ())), [])
        counts = Counter(token for token in tokens if len(token) > 2)
        weights = {
            token: (1 + math.log(count)) * idf
            for token, count in counts.items()
            if (idf := self._term_stats.idf(self._searcher, token))
        }
        chosen = sorted(weights, key=lambda token: (-weights[token], token))[:MAX_SIMILARITY_TERMS]
        should = [  # one flat list of terms: only then can Tantivy skip documents with low scores
            (Occur.Should, Query.boost_query(Query.term_query(self._schema, field, token), weight * weights[token]))
            for token in chosen
            for field, weight in (("title", 1.0), ("abstract", 0.7))
        ]
        return Query.boolean_query(should) if should else Query.empty_query()

    def _unscored(self, field: str, value: str) -> Query:
        """Filter without a score."""
        return Query.const_score_query(self.exact(field, value), 0.0)

    def _ordered_ids(self, works: Sequence[str]) -> Query:
        """Query for works by id; the first get the highest score."""
        ranked = [
            (Occur.Should, Query.const_score_query(self.exact("ids", work), 1 + MAX_ORDERED_IDS - rank))
            for rank, work in enumerate(works[:MAX_ORDERED_IDS])
        ]
        rest = [(Occur.Should, self.any_of("ids", works[MAX_ORDERED_IDS:]))] if len(works) > MAX_ORDERED_IDS else []
        return Query.boolean_query([*ranked, *rest]) if works else Query.empty_query()

    def _filter(self, one: Filter) -> tuple[Occur, Query]:
        if one.facet == "year":
            years = [self._range("year", int(year), int(year)) for year in one.values if year.isdecimal()]
            chosen = Query.boolean_query([(Occur.Should, year) for year in years])
        else:
            values = [exact_value(value) for value in one.values] if one.facet == "venue" else one.values
            chosen = self.any_of(FACET_FIELDS.get(one.facet, one.facet), values)
        return (Occur.MustNot if one.exclude else Occur.Must), Query.const_score_query(chosen, 0.0)

    def _at_most(self, field: str, key: int) -> Query:
        in_range = Query.range_query(self._schema, field, tantivy.FieldType.Unsigned, 0, key)
        return Query.const_score_query(in_range, 0.0)

    def _node(self, node: Node) -> Query:  # noqa: C901, PLR0911 - one line a kind
        match node:
            case Word(text, field, prefix):
                return self._word(text, field, prefix)
            case Phrase(text, field):
                return self._phrase(text, field)
            case ExactField(text, field):
                return self.exact("whole", f"{field}:{exact_value(text)}")
            case Range(field, low, high):
                return self._range(field, low, high)
            case Not():
                return self._and([node])
            case And(nodes):
                return self._and(nodes)
            case Or(nodes):
                return Query.boolean_query([(Occur.Should, self._node(one)) for one in nodes])
            case SoftOr(nodes):
                return self._soft_or(nodes)
            case IdSet("id", values):
                return self._ordered_ids(values)
            case IdSet(field, values):
                return self.any_of(field, values)
            case Related():
                return Query.empty_query()  # resolved before: see search/query/operators.py
            case Everything():
                return self._unscored("kind", self._kind)

    def _soft_or(self, nodes: Sequence[Node]) -> Query:
        works = self._kind == "work"
        inside = Translator(self._schema, self._searcher, self._term_stats, OPTIONAL_WEIGHTS) if works else self
        should = [(Occur.Should, inside._node(one)) for one in nodes]
        return Query.boolean_query(should, minimum_number_should_match=min_matches(len(nodes)))

    def _and(self, nodes: Sequence[Node]) -> Query:
        required = [one for one in nodes if not isinstance(one, Not)]
        must = [(Occur.Must, self._node(one)) for one in required]
        must_not = [(Occur.MustNot, self._node(one.node)) for one in nodes if isinstance(one, Not)]
        return Query.boolean_query([*(must or [(Occur.Must, self._unscored("kind", self._kind))]), *must_not])

    def _word(self, text: str, field: str, prefix: bool) -> Query:
        name = FIELD_NAMES.get(field, field)
        if field in RAW_FIELDS:
            return self.exact(name, text.lower())
        if prefix and (bare := "".join(folded(text))) and len(bare) > 1:
            return self._in_fields(name, lambda field_name: self._prefix(field_name, bare, text))
        found = self._in_fields(name, lambda field_name: self._tokens(field_name, text))
        return self._or_in_year(found, text) if not name and self._kind == "work" and YEAR.fullmatch(text) else found

    def _or_in_year(self, found: Query, year: str) -> Query:
        """A bare number that may be a year: "kingma 2014" also matches by publication year."""
        in_year = Query.const_score_query(Query.term_query(self._schema, "year", int(year)), YEAR_SCORE)
        return Query.boolean_query([(Occur.Should, found), (Occur.Should, in_year)])

    def _phrase(self, text: str, field: str) -> Query:
        name = FIELD_NAMES.get(field, field)
        if field in RAW_FIELDS:
            return self.exact(name, text.lower())
        tokens = folded(text)
        return self._in_fields(
            name,
            lambda field_name: self._printed_sequence(
                printed_field(field_name) if field_name in WITH_PRINTED_FIELD else field_name, field_name, tokens
            ),
        )

    def _printed_sequence(self, field: str, name: str, tokens: list[str]) -> Query:
        if name in STEMMED - WITH_PRINTED_FIELD:
            return self._tokens(name, " ".join(tokens))
        return self._sequence(field, tokens)

    def _in_fields(self, name: str, make: Callable[[str], Query]) -> Query:
        """Query in one field, or in all weighted fields."""
        if name:
            return make(name)
        boosted = [Query.boost_query(make(field_name), weight) for field_name, weight in self._weights.fields.items()]
        if self._weights.tie is None:
            return Query.boolean_query([(Occur.Should, one) for one in boosted])
        return Query.disjunction_max_query(boosted, self._weights.tie)

    def _prefix(self, field: str, prefix: str, text: str) -> Query:
        """Query for a prefix; "modeling*" also matches the word itself, of which the index has only the stem."""
        terms = self._searcher.terms_with_prefix(field, prefix, limit=MAX_PREFIX_TERMS)
        longer = Query.term_set_query(self._schema, field, [term for term, _ in terms])
        return Query.boolean_query([(Occur.Should, longer), (Occur.Should, self._tokens(field, text))])

    def _tokens(self, field: str, text: str) -> Query:
        """Query for a word; several tokens ("near-duplicate") must be adjacent."""
        if field not in STEMMED:
            return self._sequence(field, folded(text))
        languages = self._term_stats.languages(self._searcher)
        token_lists = [
            tuple(tokens) for spelling in spellings(text.lower()) for tokens in query_forms(spelling, languages)
        ]
        found = [self._sequence(field, list(tokens)) for tokens in dict.fromkeys(token_lists)]
        if len(found) == 1:
            return found[0]
        return Query.disjunction_max_query(found, 0.0) if found else Query.empty_query()

    def _sequence(self, field: str, tokens: list[str]) -> Query:
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
        return Query.const_score_query(Query.range_query(self._schema, field, kind, low, high), 0.0)

    def _title_bonus(self, tree: Node) -> Query | None:
        if not isinstance(tree, And | SoftOr):
            return None
        bare = [node.text for node in tree.nodes if isinstance(node, Word) and not node.field and not node.prefix]
        tokens = query_forms(" ".join(bare), ())
        if not tokens or len(tokens[0]) < 2:
            return None
        return Query.boost_query(Query.phrase_query(self._schema, "title", list(tokens[0]), slop=1), TITLE_BONUS)


def min_matches(words: int) -> int:
    """Minimum number of optional words that must match."""
    return 1 if words < 4 else 2 if words < 12 else 3
