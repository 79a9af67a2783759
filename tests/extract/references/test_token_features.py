"""Token features of references."""

import pytest

from openseer.extract.references.token_features import (
    SEGMENT_TEMPLATES,
    WORD_TEMPLATES,
    feature_names,
    keys_of,
    shape_of,
    tokens_of,
)


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        *zip(
            ["Smith", "USA", "J", "a", "of", "McKay", "iPod", "1997", "2501", "7", ",", "学", "の", "연구"],
            ["Xx", "XX", "X", "x", "xx", "XxX", "cc", "year", "d4", "d1", ",", "han", "kana", "ko2"],
            strict=True,
        )
    ],
)
def test_shapes(word, shape):
    assert shape_of(word) == shape


def test_characters_of_scripts_without_spaces_stand_alone():
    assert [token.text for token in tokens_of("学报の2018年 연구 ab12")] == [
        *"学报の",
        "2018",
        "年",
        "연구",
        "ab",
        "12",
    ]


def _stretches(text):
    keys = keys_of(text, tokens_of(text))
    words, at = keys.words[2:-2], 0
    for length in keys.lengths:
        yield words[at : at + length]
        at += length


def test_initials_and_numbers_do_not_cut_a_stretch():
    assert list(_stretches("J. Smith. On 3.5 things, London")) == [
        ["J", ".", "Smith"],
        [".", "On", "3", ".", "5", "things"],
        [",", "London"],
    ]


@pytest.mark.parametrize(
    "text", ["A", "Smith, J. (1999). On things. J. Things 7(2): 1-9.", "....", "王明. 论文[J]. 学报, 2001."]
)
def test_every_word_has_a_key_for_every_slot(text):
    tokens = tokens_of(text)
    keys = keys_of(text, tokens)
    assert sum(keys.lengths) == len(tokens)
    assert all(len(stretch) == len(SEGMENT_TEMPLATES) for stretch in keys.segments)
    assert [len(list(column)) for column in keys.single] == [len(tokens)] * len(WORD_TEMPLATES)


def test_features_cover_neighbours_and_preceding_tokens():
    text = "Smith 1999. In Things"
    rows = feature_names(keys_of(text, tokens_of(text)))
    last = rows[-1]
    assert {"0:w=things", "-1:w=in", "-1:k=in", "-2:w=.", "w-=in|things", "y=1|Xx", "i=1"} <= set(last)
    assert "y=0|Xx" in rows[0]
    assert not any(clue.startswith("1:p=") for clue in rows[0])
