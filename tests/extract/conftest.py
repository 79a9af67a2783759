"""PDFs for the tests of reading, made by Typst on the spot."""

import pytest
import typst


@pytest.fixture
def printed(tmp_path):
    """Typst source -> the path of its PDF."""

    def compile_to(source, name="paper"):
        file = tmp_path / f"{name}.typ"
        file.write_text(source, encoding="utf-8")
        pdf = tmp_path / f"{name}.pdf"
        pdf.write_bytes(typst.compile(file, ignore_system_fonts=True, format="pdf"))
        return pdf

    return compile_to
