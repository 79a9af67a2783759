"""The two parts that need a compiler; everything else stands in pyproject.toml. Where there is none, pip goes on."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "openseer.extract.pdf._runs",
            ["src/openseer/extract/pdf/_native/runs.c", "src/openseer/extract/pdf/_native/path.c"],
            libraries=["m"],
            optional=True,  # native.py: without it pages are read by Python alone
            py_limited_api=True,  # it uses nothing of Python at all, so any version may load it
        ),
        Extension(
            "openseer.core.ml._forest",
            ["src/openseer/core/ml/_native/forest.c"],
            optional=True,  # tree_ensemble.py: without it numpy walks the trees
            py_limited_api=True,
        ),
    ]
)
