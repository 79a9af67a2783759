"""Opening a library."""

from __future__ import annotations

import stat

from openseer.storage.open import open_library


def test_a_new_library_is_readable_by_its_owner_only(tmp_path):
    """It has restricted papers and the words of searches; a directory that exists keeps its mode."""
    open_library(tmp_path / "parent" / "new", create=True).close()
    assert stat.S_IMODE((tmp_path / "parent" / "new").stat().st_mode) == 0o700
    (tmp_path / "old").mkdir(mode=0o755)
    open_library(tmp_path / "old", create=True).close()
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o755
