"""`openseer train-ranker`"""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.output import errors, plural, print_json
from openseer.operate.train_ranker import KINDS, Learned, learn
from openseer.search.embeddings.encoder import load_encoder
from openseer.storage.open import open_library

WAYS = {"words": "By words", "meaning": "By words and meaning"}


@click.command("train-ranker")
@click.option("--dry-run", is_flag=True, help="Measure only; keep nothing.")
@click.option("--reset", is_flag=True, help="Go back to the weights that come with the program.")
@click.option("--forget-clicks", is_flag=True, help="Empty the click log.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, dry_run: bool, reset: bool, forget_clicks: bool, as_json: bool) -> None:
    """Learn what makes a good answer here: from the library's citing sentences and from what readers opened.

    A third of the questions is held out; new weights are kept only if these come out better.
    """
    with open_library(data) as library, closing(library.open_click_log()) as clicks:
        if reset:
            library.ranker_weights.unlink(missing_ok=True)
            errors.print("the weights that come with the program are used")
        if forget_clicks:
            clicks.clear()
            errors.print("the click log is empty")
        if reset or forget_clicks:
            return
        model = load_encoder() if library.settings.index.embeddings else None
        with errors.status("asking and fitting"):
            found = learn(library, clicks, model, keep=not dry_run)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for one in found:
        _show(one, dry_run)


def _show(one: Learned, dry_run: bool) -> None:
    click.echo(f"{WAYS[one.way]}, on questions that were held out (MRR, nDCG@10 in per cent):")
    for kind, before in one.before.items():
        after = one.after[kind]
        click.echo(
            f"  {KINDS[kind]:<18} {plural(before.questions, 'question'):>15}"
            f"   before {before.mrr:5.1f} {before.ndcg:5.1f}   after {after.mrr:5.1f} {after.ndcg:5.1f}"
        )
    if not one.better:
        click.echo("  not better: the weights stay as they are")
    else:
        click.echo("  better" + (", but nothing is kept (--dry-run)" if dry_run else ": kept in ranker.json"))
