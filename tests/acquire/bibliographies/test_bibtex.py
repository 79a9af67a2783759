"""BibTeX parser, with valid and malformed entries."""

from __future__ import annotations

import time

import pytest

from openseer.acquire.bibliographies.bibtex import parse_authors, read
from openseer.acquire.bibliographies.decode_text import decode_text
from openseer.acquire.bibliographies.latex import latex_to_text, latex_to_url
from openseer.acquire.bibliographies.normalize_fields import MAX_RECORD
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord


def records(text: str) -> list[BibliographyRecord]:
    found = list(read(text))
    assert [one for one in found if isinstance(one, RejectedRecord)] == []
    return [one for one in found if isinstance(one, BibliographyRecord)]


def only(text: str) -> BibliographyRecord:
    (found,) = records(text)
    return found


def split(text: str) -> tuple[list[str], list[RejectedRecord]]:
    """The titles that went in, and the complaints."""
    found = list(read(text))
    titles = [one.title for one in found if isinstance(one, BibliographyRecord)]
    return titles, [one for one in found if isinstance(one, RejectedRecord)]


def test_an_entry_with_everything():
    found = only(r"""
        @Article{broder97,
          author    = "Andrei Z. Broder and Steven C. Glassman and {Digital Systems Research Center} and others",
          title     = {Syntactic Clustering of the {Web}},
          journal   = "Computer Networks {\&} {ISDN} Systems",
          year      = 1997, month = sep,
          volume    = {29}, number = {8--13}, pages = {1157--1166},
          doi       = {https://doi.org/10.1016/S0169-7552(97)00031-7},
          url       = {http://www.example.org/\~{}broder/a\_b.html},
          keywords  = {web, clustering; resemblance},
          publisher = {Elsevier}, abstract = {We have developed
            an efficient way.}
        }""")
    assert found == BibliographyRecord(
        title="Syntactic Clustering of the Web",
        authors=(("Broder", "Andrei Z."), ("Glassman", "Steven C."), ("Digital Systems Research Center", "")),
        year=1997,
        venue="Computer Networks & ISDN Systems",
        volume="29",
        issue="8–13",
        pages="1157-1166",
        doi="10.1016/S0169-7552(97)00031-7",
        url="http://www.example.org/~broder/a_b.html",
        abstract="We have developed an efficient way.",
        type="article",
        keywords=("web", "clustering", "resemblance"),
        publisher="Elsevier",
    )


@pytest.mark.parametrize(
    ("written", "pages"), [("12--34", "12-34"), ("12 - 34", "12 - 34"), ("12–34", "12-34"), ("e17", "e17")]
)
def test_pages(written, pages):
    assert only(f"@misc{{a, title = {{T}}, pages = {{{written}}}}}").pages == pages


def test_strings_are_put_in_and_joined():
    found = only("""
        @string{ACM = "Association for " # what}
        @STRING(what = {Machinery})
        @string{acm = {Association for } # WHAT}
        @book{b, title = "Proc. of " # acm # { and } # nowhere # 2, year = 1990 # {}}
    """)
    assert found.title == "Proc. of Association for Machinery and nowhere2"


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ludwig van Beethoven and Beethoven, Ludwig van", [("van Beethoven", "Ludwig"), ("Beethoven", "Ludwig van")]),
        ("van der Berg, Jan", [("van der Berg", "Jan")]),
        ("Ford, Jr., Henry AND Henry Ford Jr.", [("Ford", "Henry"), ("Ford", "Henry")]),
        ("{Barnes and Noble, Inc.} and Anders, Ada", [("Barnes and Noble, Inc.", ""), ("Anders", "Ada")]),
        (r"{\'E}mile {\"O}stg{\aa}rd", [("Östgård", "Émile")]),
        (r"Erd{\H o}s, Paul\nand R\'enyi, A.", [("Erdős", "Paul"), ("Rényi", "A.")]),
        ("Plato", [("Plato", "")]),
        ("Broder AZ and Land, Sandy", [("Broder", "AZ"), ("Land", "Sandy")]),
        ("A. Anderson and others", [("Anderson", "A.")]),
        ("and and", []),
        ("", []),
    ],
)
def test_names(written, names):
    assert list(parse_authors(written.replace(r"\n", "\n"))) == names


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"G\"odel, Esch\'{e}r, na{\"\i}ve na\"{\i}ve", "Gödel, Eschér, naïve naïve"),
        (r"\c{c}a {\v S}koda \aa ngstr\"om Stra{\ss}e \O{}re", "ça Škoda ångström Straße Øre"),
        (r"\.{I}stanbul, \k{a}, \L{}\'od\'z", "İstanbul, ą, Łódź"),
        (r"\emph{a \textbf{b}} \href{http://x.y}{c} \LaTeX{} d", "a b c LaTeX d"),
        (r"$O(n^2)$ of $\alpha$-H$_{2}$O, x_y and 5^2", "O(n2) of α-H2O, x_y and 5^2"),
        (r"``a''---b~c \& 10\% \$5 \#1", "“a”—b c & 10% $5 #1"),
        (r"don't, 'tis", "don't, 'tis"),
        ("\\", "\\"),
        (r"\'", "'"),
        ("plain", "plain"),
    ],
)
def test_latex(latex, text):
    assert latex_to_text(latex) == text


def test_addresses_keep_their_tildes_and_underlines():
    assert latex_to_url(r"10.1000/a{\_}b\%20c~d") == "10.1000/a_b%20c~d"


def test_a_child_inherits_missing_fields_from_a_parent_anywhere():
    child, parent = records("""
        @inproceedings{kid, title = {Small Paper}, author = {A. Bee}, crossref = {WEB99}, pages = {1--2}}
        @proceedings{web99, title = {Proc. Web}, year = 1999, editor = {C. Dee}, publisher = {P}, doi = {10.1000/x}}
    """)
    assert (child.venue, child.year, child.publisher, child.doi) == ("Proc. Web", 1999, "P", "")
    assert child.title == "Small Paper"
    assert parent.title == "Proc. Web"


def test_a_self_reference_or_unknown_parent_is_still_a_record():
    assert [one.title for one in records("@misc{a,title={A},crossref={a}} @misc{b,title={B},crossref={zzz}}")] == list(
        "AB"
    )


def test_comments_preambles_and_text_between_entries():
    found = records(r"""
        Exported by somebody <me@example.org>.
        @comment{jabref-meta: grouping:1 All\; @misc{old, title = {An old one}} }
        @preamble{ "\newcommand{\x}{y}" # {} }
        % @misc is what we use
        @misc{a, % the first
          title = {One}, % its title
        }
        @comment{ never closed
        @misc(b, title = "Two")
    """)
    assert [one.title for one in found] == ["One", "Two"]


def test_two_entries_of_one_key_are_two_records_and_the_first_of_two_fields_counts():
    assert [one.title for one in records("@misc{a, title={A}, title={C}} @misc{a, title={B}}")] == ["A", "B"]


def test_missing_commas_and_keys_are_tolerated():
    found = records(
        "@misc{a, title={A} year = 1999, } @misc{, title={B}, note=} @misc{,title={B}}".replace("note=}", "}")
    )
    assert [(one.title, one.year) for one in found] == [("A", 1999), ("B", None), ("B", None)]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("@article{x,\n title = {Not {closed},\n year = 1999\n}", "it is not closed"),
        ('@article{x,\n title = "Not closed,\n year = 1999\n}', "a brace closes inside the quotes of line 3"),
        ("@article{x,\n title = ,\n}", "a value is missing in line 3"),
        ("@article{x,\n {title} }", "a field was expected in line 3 at '{title} }'"),
        ("@article{x y z, title = {A}}", "it has no key, or no comma behind its key"),
        ("@article{x, year = 1999}", "it has neither a title nor a DOI nor an arXiv id"),
        ("@article{x, title = {---}}", "it has neither a title nor a DOI nor an arXiv id"),
        ('@article{x, title = "a, year = 1999', "a quote in line 2 is not closed"),
        ("@article{x, title = {a, year = 1999", "a brace in line 2 is not closed"),
        ('@article{x, title = "a } b"}', "a brace closes inside the quotes of line 2"),
        ("@article{x, title = {" + "{" * 300 + "}" * 300 + "}}", "more than 50 braces stand inside each other"),
        ("@article{x, title = {" + "a" * MAX_RECORD + "}}", "it is longer than 1,000,000 characters"),
        ("@article{x, title = " + "a#" * 2000 + "a}", "a value has more than 1000 pieces"),
    ],
)
def test_a_broken_entry_costs_only_itself(broken, why):
    titles, refused = split(
        "@misc{one, title={One}}\n" + broken + "\n@misc{two,\n title={Two}}\n\n@misc{three,title={Three}}"
    )
    assert titles == ["One", "Two", "Three"]
    assert [(one.line, one.why) for one in refused] == [(2, why)]
    assert refused[0].name in ("x", "@article")


def test_a_file_that_stops_in_the_middle():
    titles, refused = split("@misc{one, title={One}}\n@misc{two, title = {Tw")
    assert titles == ["One"]
    assert [(one.line, one.name) for one in refused] == [(2, "two")]


@pytest.mark.parametrize(
    ("fields", "arxiv"),
    [
        ("eprint = {2403.01234v2}, archivePrefix = {arXiv}", "2403.01234"),
        ("eprint = {cs/9901001}", "cs/9901001"),
        ("eprint = {12345}, eprinttype = {pubmed}", ""),
        ("journal = {arXiv preprint arXiv:2403.01234}", "2403.01234"),
        ("url = {https://arxiv.org/abs/2403.01234v1}", "2403.01234"),
        ("doi = {10.48550/arXiv.2403.01234}", "2403.01234"),
        ("url = {https://example.org/2403.01234}", ""),
    ],
)
def test_arxiv_ids(fields, arxiv):
    assert only(f"@misc{{a, title={{A}}, {fields}}}").arxiv == arxiv


@pytest.mark.parametrize(
    ("fields", "year"),
    [
        ("year = 1999", 1999),
        ("date = {2001-05-03}", 2001),
        ("year = {in press}", None),
        ("year = {9" + "9" * 9999 + "}", None),
    ],
)
def test_years(fields, year):
    assert only(f"@misc{{a, title={{A}}, {fields}}}").year == year


@pytest.mark.parametrize(
    "data",
    ["@misc{a, title={Größe – naïve}}".encode(code) for code in ("utf-8", "utf-8-sig", "cp1252", "utf-16")],
    ids=["utf-8", "bom", "windows", "utf-16"],
)
def test_encodings(data):
    assert only(decode_text(data)).title == "Größe – naïve"


def test_any_bytes_are_text():
    assert decode_text(bytes(range(256)).replace(b"\r", b"")) == bytes(range(256)).replace(b"\r", b"").decode("latin-1")
    assert decode_text(b"a\r\nb\rc") == "a\nb\nc"


@pytest.mark.parametrize(
    "text",
    [
        "@a{b,c={" * 30_000,
        '@a{b,c="' * 30_000,
        "\n@a{b,c={" * 30_000,
        "@" * 300_000,
        "@comment{" * 30_000,
        "{" * 1_000_000,
        "@a{b, title = {" + "\\'{ " * 200_000 + "}}",
        "@a{b, title = {" + "x " * 400_000 + "}}",
        "@a{b, author = {" + "a and " * 160_000 + "}}",
        "@string{a = {" + "a" * 1000 + "}}" + "@string{a = a # a}" * 100 + "@misc{a, title = a # a}",
    ],
    ids=range(10),
)
def test_hostile_files_end_soon(text):
    start = time.process_time()
    list(read(text))
    assert time.process_time() - start < 10
