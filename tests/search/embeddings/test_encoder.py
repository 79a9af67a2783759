"""Vectors of texts: the word pieces, the graph's weights, and what happens where no model was installed."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from openseer.search.embeddings.convert_minilm import GRAPH, VOCABULARY, WIDTH, load_tensors
from openseer.search.embeddings.encoder import MODEL_FOLDER, OnnxEncoder, embedded_text, load_encoder, quantised
from openseer.search.embeddings.wordpiece import WordPieces

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "crawl", "##ing", "the", "web", ".", "uber", "引"]


def told(text, most=256):
    return [PIECES[number] for number in WordPieces(PIECES).numbers(text, most)]


def test_words_fall_into_the_longest_pieces_known():
    assert told("Crawling the WEB.") == ["[CLS]", "crawl", "##ing", "the", "web", ".", "[SEP]"]
    assert told("Über 引引 crawlers") == ["[CLS]", "uber", "引", "引", "[UNK]", "[SEP]"]
    assert told("") == ["[CLS]", "[SEP]"]
    assert told("x" * 200) == ["[CLS]", "[UNK]", "[SEP]"]


def test_long_texts_are_cut_and_still_end():
    assert told("the web " * 50, most=5) == ["[CLS]", "the", "web", "the", "[SEP]"]


def test_weights_are_read_where_the_head_says(tmp_path):
    values = np.arange(6, dtype="<f4")
    head = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "numbers": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
            "table": {"dtype": "F32", "shape": [2, 3], "data_offsets": [8, 32]},
        }
    ).encode()
    file = tmp_path / "model.safetensors"
    file.write_bytes(struct.pack("<Q", len(head)) + head + bytes(8) + values.tobytes())
    found = load_tensors(file)
    assert list(found) == ["table"]
    assert found["table"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_small_vectors_keep_their_direction():
    vectors = np.random.default_rng(1).normal(size=(5, WIDTH)).astype(np.float32)
    kept = quantised(vectors).astype(np.float64)
    cosines = (kept * vectors).sum(axis=1) / np.linalg.norm(kept, axis=1) / np.linalg.norm(vectors, axis=1)
    assert cosines.min() > 0.999
    assert not quantised(np.zeros((1, WIDTH), dtype=np.float32)).any()


class Options:
    intra_op_num_threads = inter_op_num_threads = log_severity_level = 0


class Session:
    """Stands in for the graph: every text points where its second word piece says."""

    def __init__(self, path, options, providers):
        assert options.intra_op_num_threads == 1

    def run(self, outputs, inputs):
        answer = np.zeros((1, WIDTH), dtype=np.float32)
        answer[0, inputs["numbers"][0, 1]] = 1
        return [answer]


class Runtime:
    SessionOptions, InferenceSession = Options, Session


def test_texts_and_questions_go_the_same_way(tmp_path):
    (tmp_path / VOCABULARY).write_text("\n".join(PIECES), encoding="utf-8")
    model = OnnxEncoder(tmp_path, Runtime)
    rows = model.texts([embedded_text("Crawling", "of pages"), embedded_text("The web", "")])
    assert rows.dtype == np.int8
    assert rows.argmax(axis=1).tolist() == [PIECES.index("crawl"), PIECES.index("the")]
    assert (model.query("crawling") == rows[0]).all()


def test_without_a_model_or_its_runtime_words_alone_answer(tmp_path, monkeypatch):
    assert load_encoder(tmp_path / "nothing") is None
    (tmp_path / GRAPH).write_bytes(b"")
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    assert load_encoder(tmp_path) is None


@pytest.mark.skipif(not Path(MODEL_FOLDER, GRAPH).exists(), reason="no model of meaning: make meaning")
def test_the_real_model_knows_what_is_alike():
    model = load_encoder()
    assert model is not None
    rows = model.texts(["web crawling strategies", "how do robots find new pages on the internet", "protein folding"])
    likeness = rows.astype(np.float64) @ rows[0].astype(np.float64)
    assert likeness[0] > likeness[1] > likeness[2]
