"""`openseer train-ranker`: train the ranking on citing sentences and clicks."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from openseer.cli.output import plural, print_json, stderr
from openseer.operate.train_ranker import KINDS, Learned, learn
from openseer.search.embeddings.encoder import load_encoder
from openseer.storage.open import open_library

RANKING_LABELS = {"words": "By words", "meaning": "By words and embeddings"}


@click.command("train-ranker")
@click.option("--dry-run", is_flag=True, help="Measure only; store nothing.")
@click.option("--reset", is_flag=True, help="Restore the default weights.")
@click.option("--forget-clicks", is_flag=True, help="Empty the click log.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(data: Path, dry_run: bool, reset: bool, forget_clicks: bool, as_json: bool) -> None:
    """Train the ranking on the library's citing sentences and on clicks.

    A third of the queries is held out; new weights are stored only if they improve the results of these.
    """
    with open_library(data) as library, closing(library.open_click_log()) as clicks:
        if reset:
            library.ranker_weights.unlink(missing_ok=True)
            stderr.print("the default weights are in use")
        if forget_clicks:
            clicks.clear()
            stderr.print("the click log is empty")
        if reset or forget_clicks:
            return
        model = load_encoder() if library.settings.index.embeddings else None
        with stderr.status("training"):
            found = learn(library, clicks, model, keep=not dry_run)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for one in found:
        _print_result(one, dry_run)


def _print_result(one: Learned, dry_run: bool) -> None:
    click.echo(f"{RANKING_LABELS[one.way]}, on held-out queries (MRR, nDCG@10 in per cent):")
    for kind, before in one.before.items():
        after = one.after[kind]
        click.echo(
            f"  {KINDS[kind]:<18} {plural(before.questions, 'question'):>15}"
            f"   before {before.mrr:5.1f} {before.ndcg:5.1f}   after {after.mrr:5.1f} {after.ndcg:5.1f}"
        )
    if not one.better:
        click.echo("  no improvement: the weights are unchanged")
    else:
        click.echo("  improved" + ("; not stored (--dry-run)" if dry_run else "; stored in ranker.json"))
