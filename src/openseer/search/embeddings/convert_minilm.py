"""Converts MiniLM to a quantised ONNX graph, once at set-up.

python -m openseer.search.embeddings.convert_minilm WEIGHTS_DIR OUT_DIR
"""

from __future__ import annotations

import json
import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

GRAPH, VOCABULARY = "minilm.onnx", "vocab.txt"
LAYERS, HEADS, WIDTH = 6, 12, 384
OPSET = 17
Tensors = dict[str, NDArray[np.float32]]


def load_tensors(file: Path) -> Tensors:
    """Float tensors of a safetensors file (a JSON header with offsets, then the data)."""
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    return {
        name: np.frombuffer(data, "<f4", int(np.prod(entry["shape"])), 8 + length + entry["data_offsets"][0]).reshape(
            entry["shape"]
        )
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


class GraphBuilder:
    """Builder of an ONNX graph; each node is named by its number."""

    def __init__(self) -> None:
        # onnx is installed for set-up only
        from onnx import helper, numpy_helper

        self._helper, self._numpy = helper, numpy_helper
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def constant(self, name: str, value: NDArray[Any]) -> str:
        self.constants.setdefault(name, self._numpy.from_array(np.ascontiguousarray(value), name))
        return name

    def number(self, name: str, value: float) -> str:
        return self.constant(name, np.array([value], dtype=np.float32))

    def add(self, operator: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        """Add a node and return its output, or the tuple of its outputs."""
        names = [f"n{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(self._helper.make_node(operator, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else tuple(names)

    def product(self, rows: str, name: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        """rows x weight + bias in int8, one scale per column.

        Weights are scaled to 100, not 127: older processors add two products in 16 bits, which would overflow."""
        scale = np.maximum(np.abs(weight).max(axis=0), 1e-12) / 100
        whole = np.rint(weight / scale).astype(np.int8)
        numbers, step, zero = self.add("DynamicQuantizeLinear", rows, outputs=3)
        summed = self.add("MatMulInteger", numbers, self.constant(f"{name}.w", whole), zero)
        steps = self.add("Mul", step, self.constant(f"{name}.s", scale.astype(np.float32)))
        real = self.add("Mul", self.add("Cast", summed, to=1), steps)
        return str(self.add("Add", real, self.constant(f"{name}.b", bias)))

    def layer_norm(self, rows: str, name: str, weights: Tensors) -> str:
        scale = self.constant(f"{name}.scale", weights[f"{name}.weight"])
        shift = self.constant(f"{name}.shift", weights[f"{name}.bias"])
        return str(self.add("LayerNormalization", rows, scale, shift, axis=-1, epsilon=1e-12))

    def model(self) -> Any:
        """The ONNX model: ids of word pieces in, one unit vector per text out."""
        helper = self._helper
        inputs = [helper.make_tensor_value_info("numbers", 7, ["texts", "pieces"])]
        out = [helper.make_tensor_value_info(self.nodes[-1].output[0], 1, ["texts", WIDTH])]
        graph = helper.make_graph(self.nodes, "minilm", inputs, out, list(self.constants.values()))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def graph_of(weights: Tensors) -> Any:
    """Encoder layers, mean pooling over the pieces of each text, normalisation to unit length."""
    graph = GraphBuilder()
    rows = _embedded(graph, weights)
    for number in range(LAYERS):
        rows = _layer(graph, f"encoder.layer.{number}", weights, rows)
    summed = graph.add("ReduceSum", rows, graph.constant("axis1", np.array([1])), keepdims=0)
    graph.add("LpNormalization", summed, axis=-1, p=2)
    return graph.model()


def _embedded(graph: GraphBuilder, weights: Tensors) -> str:
    """Word embeddings (int8, one scale per word) plus position embeddings."""
    words = weights["embeddings.word_embeddings.weight"]
    scale = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-12) / 127
    whole = graph.constant("words", np.rint(words / scale).astype(np.int8))
    gathered = graph.add("Cast", graph.add("Gather", whole, "numbers"), to=1)
    steps = graph.add("Gather", graph.constant("words.s", scale.astype(np.float32)), "numbers")
    table = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    zero, one = graph.constant("start", np.array([0])), graph.constant("axis1", np.array([1]))
    length = graph.add("Slice", graph.add("Shape", "numbers"), one, graph.constant("two", np.array([2])), zero)
    positions = graph.add("Slice", graph.constant("places", table), zero, length, zero)
    return graph.layer_norm(
        graph.add("Add", graph.add("Mul", gathered, steps), positions), "embeddings.LayerNorm", weights
    )


def _layer(graph: GraphBuilder, name: str, weights: Tensors, rows: str) -> str:
    attended = _attention(graph, name, weights, rows)
    first = graph.layer_norm(graph.add("Add", attended, rows), f"{name}.attention.output.LayerNorm", weights)
    up = graph.product(first, f"{name}.up", *_dense(weights, f"{name}.intermediate.dense"))
    erf = graph.add("Erf", graph.add("Div", up, graph.number("root2", 2**0.5)))
    half = graph.add("Mul", up, graph.add("Add", erf, graph.number("one", 1.0)))
    gelu = graph.add("Mul", half, graph.number("half", 0.5))
    down = graph.product(gelu, f"{name}.down", *_dense(weights, f"{name}.output.dense"))
    return graph.layer_norm(graph.add("Add", down, first), f"{name}.output.LayerNorm", weights)


def _attention(graph: GraphBuilder, name: str, weights: Tensors, rows: str) -> str:
    """Self-attention with 12 heads; queries, keys and values by one product."""
    parts = [_dense(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    combined = np.concatenate([weight for weight, _ in parts], axis=1), np.concatenate([bias for _, bias in parts])
    split = graph.add("Split", graph.product(rows, f"{name}.qkv", *combined), axis=2, outputs=3)
    shape = graph.constant("heads", np.array([0, 0, HEADS, WIDTH // HEADS]))
    heads = [graph.add("Reshape", part, shape) for part in split]
    query, value = (graph.add("Transpose", part, perm=[0, 2, 1, 3]) for part in (heads[0], heads[2]))
    key = graph.add("Transpose", heads[1], perm=[0, 2, 3, 1])
    root = graph.number("root", (WIDTH // HEADS) ** 0.5)
    attention = graph.add("Softmax", graph.add("Div", graph.add("MatMul", query, key), root), axis=-1)
    attended = graph.add("MatMul", attention, value)
    joined = graph.add("Transpose", attended, perm=[0, 2, 1, 3])
    flat = graph.add("Reshape", joined, graph.constant("flat", np.array([0, 0, WIDTH])))
    return graph.product(flat, f"{name}.out", *_dense(weights, f"{name}.attention.output.dense"))


def _dense(weights: Tensors, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


def packaged_files(folder: Path) -> Iterator[Path]:
    """Paths of the packaged weights and of the vocabulary."""
    for name in ("model.safetensors", VOCABULARY):
        yield next(folder.rglob(name))


def convert(folder: Path, out: Path) -> None:
    """Write graph and vocabulary; the graph is written last and atomically, so a killed set-up leaves none."""
    weights, vocabulary = packaged_files(folder)
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(vocabulary, out / VOCABULARY)
    unfinished = out / f"{GRAPH}.new"
    unfinished.write_bytes(graph_of(load_tensors(weights)).SerializeToString())
    unfinished.replace(out / GRAPH)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
