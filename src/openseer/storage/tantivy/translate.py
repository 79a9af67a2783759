"""From the query tree to Tantivy's queries."""

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
from openseer.storage.tantivy.schema import as_printed, whole
from openseer.storage.tantivy.term_stats import TermStats
from openseer.storage.tantivy.tokenizers import folded, forms


class Weights(NamedTuple):
    """Fields of a bare word, with their weights."""

    of: Mapping[str, float]
    tie: float | None = None
    """How much the fields that are not the best still add; None where all are added, which is two to three times as
    quick. The first hits are put into a better order anyway."""


ANYWHERE = Weights({"title": 4.0, "authors": 3.0, "keywords": 2.0, "abstract": 1.5, "venue": 1.0, "text": 1.0})
DESCRIBED = Weights(
    {"title": 1.0, "authors": 0.5, "keywords": 1.0, "abstract": 1.5, "venue": 0.3, "text": 1.0}, tie=0.5
)
"""Of a word of a description; measured on CISI, Cranfield and CSFCube (docs/accuracy.md)."""
SAID = Weights({"sentence": 1.0})
"""Of citing sentences."""
FIELD_NAMES = {"author": "authors", "keyword": "keywords", "sha1": "documents", "id": "ids"}
"""Names that readers use -> names of the index."""
STEMMED = frozenset({"title", "abstract", "keywords", "text", "sentence"})
PRINTED = frozenset({"title", "abstract", "text"})
"""Stemmed fields with one of the printed words beside them."""
FACET_FIELDS = {"author": "people", "venue": "venues"}
OF_ITS_YEAR = 3.0
"""What it counts that a work is of the year of a question: as much as a rare word of its text."""
TITLE_BONUS = 3.0
"""For the words of a query side by side in the title."""
MOST_FORMS = 50
"""Words that a prefix may stand for, the most frequent of them."""
TELLING, MOST_TEXT = 10, 10_000
"""Words by which similar works are looked for, and characters of a text in which they are."""
FEW = 200
"""So many exact values are looked up one by one, ten times as fast as a set of them, which walks the dictionary."""
RANKED, MOST_AMONG = 200, 10_000
"""Ids in one query, and how many of them keep their order."""
ORDERS = {"citations": "by_cited", "newest": "by_year", "oldest": "by_age", "added": "by_added", "rate": "by_rate"}


class Translator:
    """Translates trees for one state of an index."""

    def __init__(
        self,
        schema: tantivy.Schema,
        searcher: tantivy.Searcher,
        habits: TermStats,
        weights: Weights = ANYWHERE,
        kind: str = "work",
    ) -> None:
        self._schema, self._searcher, self._habits = schema, searcher, habits
        self._weights, self._kind = weights, kind

    def query(self, question: SearchQuery, without: str = "", ranked: bool = False) -> Query:
        """The whole question, but for the filters of one facet. Only works have the fields that are asked, so nothing
        else is seen; where everything is asked for, works are. Titles that say it word by word come first, unless the
        hits will be `ranked` by that."""
        filters = []
        if question.full_text_only:
            filters.append(self._silent("has", "pdf"))
        if question.since is not None and question.sort in ORDERS:
            filters.append(self._up_to(ORDERS[question.sort], question.since))
        must = [(Occur.Must, self._node(question.tree)), *((Occur.Must, one) for one in filters)]
        must += [self._filter(one) for one in question.filters if one.facet != without]
        if not ranked and (bonus := self._title_bonus(question.tree)):
            must.append((Occur.Should, bonus))
        return Query.boolean_query(must)

    def exactly(self, field: str, value: str) -> Query:
        """One value of an exact field."""
        return Query.term_query(self._schema, field, value)

    def any_of(self, field: str, values: Iterable[str]) -> Query:
        """Any of many values of an exact field, without a score."""
        wanted = list(values)[:MOST_AMONG]
        if len(wanted) > FEW:
            return Query.const_score_query(Query.term_set_query(self._schema, field, wanted), 0.0)
        each = [(Occur.Should, self.exactly(field, value)) for value in wanted]
        return Query.const_score_query(Query.boolean_query(each), 0.0) if each else Query.empty_query()

    def sentences(self, tree: Node, about: Sequence[str]) -> Query:
        """Citing sentences, of works with these ids or of any."""
        must = [(Occur.Must, self._node(tree)), (Occur.Must, self._silent("kind", self._kind))]
        if about:
            must.append((Occur.Must, self.any_of("about", about)))
        return Query.boolean_query(must)

    def alike(self, text: str) -> Query:
        """Works with full titles whose title or abstract has the words of a text that say most."""
        tokens = next(iter(forms(text[:MOST_TEXT], ())), [])
        counts = Counter(token for token in tokens if len(token) > 2)
        weights = {
            token: (1 + math.log(times)) * rarity
            for token, times in counts.items()
            if (rarity := self._habits.rarity(self._searcher, token))
        }
        chosen = sorted(weights, key=lambda token: (-weights[token], token))[:TELLING]
        should = [  # one flat list of words: only there Tantivy skips what cannot come first
            (Occur.Should, Query.boost_query(Query.term_query(self._schema, field, token), weight * weights[token]))
            for token in chosen
            for field, weight in (("title", 1.0), ("abstract", 0.7))
        ]
        return Query.boolean_query(should) if should else Query.empty_query()

    def _silent(self, field: str, value: str) -> Query:
        """A filter that adds nothing to the score."""
        return Query.const_score_query(self.exactly(field, value), 0.0)

    def _in_order(self, works: Sequence[str]) -> Query:
        """Works by id; the first score most."""
        ranked = [
            (Occur.Should, Query.const_score_query(self.exactly("ids", work), 1 + RANKED - rank))
            for rank, work in enumerate(works[:RANKED])
        ]
        rest = [(Occur.Should, self.any_of("ids", works[RANKED:]))] if len(works) > RANKED else []
        return Query.boolean_query([*ranked, *rest]) if works else Query.empty_query()

    def _filter(self, one: Filter) -> tuple[Occur, Query]:
        if one.facet == "year":
            years = [self._range("year", int(year), int(year)) for year in one.values if year.isdecimal()]
            chosen = Query.boolean_query([(Occur.Should, year) for year in years])
        else:
            chosen = self.any_of(FACET_FIELDS.get(one.facet, one.facet), one.values)
        return (Occur.MustNot if one.exclude else Occur.Must), Query.const_score_query(chosen, 0.0)

    def _up_to(self, field: str, key: int) -> Query:
        kept = Query.range_query(self._schema, field, tantivy.FieldType.Unsigned, 0, key)
        return Query.const_score_query(kept, 0.0)

    def _node(self, node: Node) -> Query:  # noqa: C901, PLR0911 - one line a kind
        match node:
            case Word(text, field, prefix):
                return self._word(text, field, prefix)
            case Phrase(text, field):
                return self._phrase(text, field)
            case ExactField(text, field):
                return self.exactly("whole", f"{field}:{whole(text)}")
            case Range(field, low, high):
                return self._range(field, low, high)
            case Not():
                return self._all([node])
            case And(nodes):
                return self._all(nodes)
            case Or(nodes):
                return Query.boolean_query([(Occur.Should, self._node(one)) for one in nodes])
            case SoftOr(nodes):
                return self._best(nodes)
            case IdSet("id", values):
                return self._in_order(values)
            case IdSet(field, values):
                return self.any_of(field, values)
            case Related():
                return Query.empty_query()  # found beforehand: see search/relations.py
            case Everything():
                return self._silent("kind", self._kind)

    def _best(self, nodes: Sequence[Node]) -> Query:
        works = self._kind == "work"
        inside = Translator(self._schema, self._searcher, self._habits, DESCRIBED) if works else self
        should = [(Occur.Should, inside._node(one)) for one in nodes]
        return Query.boolean_query(should, minimum_number_should_match=least_of(len(nodes)))

    def _all(self, nodes: Sequence[Node]) -> Query:
        wanted = [one for one in nodes if not isinstance(one, Not)]
        must = [(Occur.Must, self._node(one)) for one in wanted]
        must_not = [(Occur.MustNot, self._node(one.node)) for one in nodes if isinstance(one, Not)]
        return Query.boolean_query([*(must or [(Occur.Must, self._silent("kind", self._kind))]), *must_not])

    def _word(self, text: str, field: str, prefix: bool) -> Query:
        name = FIELD_NAMES.get(field, field)
        if field in RAW_FIELDS:
            return self.exactly(name, text.lower())
        if prefix and (bare := "".join(folded(text))) and len(bare) > 1:
            return self._over(name, lambda at: self._beginning(at, bare, text))
        found = self._over(name, lambda at: self._tokens(at, text))
        return self._or_its_year(found, text) if not name and self._kind == "work" and YEAR.fullmatch(text) else found

    def _or_its_year(self, found: Query, year: str) -> Query:
        """A bare number that may be a year: "kingma 2014" means who wrote then, and whoever says both."""
        of_then = Query.const_score_query(Query.term_query(self._schema, "year", int(year)), OF_ITS_YEAR)
        return Query.boolean_query([(Occur.Should, found), (Occur.Should, of_then)])

    def _phrase(self, text: str, field: str) -> Query:
        name = FIELD_NAMES.get(field, field)
        if field in RAW_FIELDS:
            return self.exactly(name, text.lower())
        tokens = folded(text)
        return self._over(name, lambda at: self._side_by_side(as_printed(at) if at in PRINTED else at, at, tokens))

    def _side_by_side(self, field: str, name: str, tokens: list[str]) -> Query:
        if name in STEMMED - PRINTED:
            return self._tokens(name, " ".join(tokens))
        return self._sequence(field, tokens)

    def _over(self, name: str, make: Callable[[str], Query]) -> Query:
        """One field, or all of them."""
        if name:
            return make(name)
        boosted = [Query.boost_query(make(at), weight) for at, weight in self._weights.of.items()]
        if self._weights.tie is None:
            return Query.boolean_query([(Occur.Should, one) for one in boosted])
        return Query.disjunction_max_query(boosted, self._weights.tie)

    def _beginning(self, field: str, prefix: str, text: str) -> Query:
        """Words that begin like this; "modeling*" also means the word itself, which the index has cut to its stem."""
        known = self._searcher.terms_with_prefix(field, prefix, limit=MOST_FORMS)
        longer = Query.term_set_query(self._schema, field, [term for term, _ in known])
        return Query.boolean_query([(Occur.Should, longer), (Occur.Should, self._tokens(field, text))])

    def _tokens(self, field: str, text: str) -> Query:
        """A word may fall into several tokens ("near-duplicate"); they must stand side by side."""
        if field not in STEMMED:
            return self._sequence(field, folded(text))
        languages = self._habits.languages(self._searcher)
        ways = [tuple(tokens) for spelled in spellings(text.lower()) for tokens in forms(spelled, languages)]
        found = [self._sequence(field, list(tokens)) for tokens in dict.fromkeys(ways)]
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
        tokens = forms(" ".join(bare), ())
        if not tokens or len(tokens[0]) < 2:
            return None
        return Query.boost_query(Query.phrase_query(self._schema, "title", list(tokens[0]), slop=1), TITLE_BONUS)


def least_of(words: int) -> int:
    """How many words of a description must be there at the least."""
    return 1 if words < 4 else 2 if words < 12 else 3
