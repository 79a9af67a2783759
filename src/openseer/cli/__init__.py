"""The command `openseer`: one module per command, loaded on first use. A command parses, calls, prints."""

from __future__ import annotations

import errno
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import click

from openseer.core.errors import BadRequest, BadSetting, OpenseerError
from openseer.core.telemetry.logs import log_to_file, log_to_stderr

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other

COMMANDS = {
    "demo": "Create a library of sample papers if there is none, then serve it.",
    "serve": "Serve the web site and the REST API.",
    "ingest": "Add files and folders to the library.",
    "documents": "List documents with their outcome and reason.",
    "accept": "Confirm that a doubtful document is a paper.",
    "drop": "Remove a doubtful document that is not a paper.",
    "import": "Import bibliographic records: BibTeX, RIS, CSL-JSON, tables.",
    "extract": "Extract metadata and text from files; stores nothing.",
    "parse-reference": "Parse reference strings.",
    "search": "Search the library.",
    "show": "Show one work.",
    "similar": "List works similar to a work, a file or a text.",
    "export": "Export works: BibTeX, RIS, CSL-JSON, XML, feeds.",
    "merge": "Merge two works.",
    "split": "Split a file off a work.",
    "delete": "Remove a document from the library.",
    "undo": "Undo a curation action.",
    "history": "List curation actions.",
    "author": "List the works of an author name.",
    "jobs": "List jobs; pause, resume, cancel or retry one.",
    "worker": "Process queued documents.",
    "stats": "Count documents, works and references.",
    "verify": "Check files, records and index for consistency.",
    "re-extract": "Extract documents again that an older extractor version processed.",
    "recluster": "Recluster descriptions that an older matcher version clustered.",
    "reindex": "Rebuild the search index.",
    "train-ranker": "Train the ranking on citing sentences and clicks.",
    "backup": "Back up the library into a directory, even while it is in use.",
    "restore": "Restore a library from a back-up.",
    "extractors": "List the extractors with version and share of the time.",
    "evaluate": "Evaluate accuracy against a gold standard.",
    "bench": "Run benchmarks and compare with published figures.",
    "doctor": "List optional parts of the installation and how to install them.",
    "config": "Print all settings with their values and origins.",
}
"""Command -> description in the help text."""

OLD_COMMANDS = {"acts": "history", "reread": "re-extract", "regroup": "recluster"}
"""Old names of commands -> new; no help text lists them."""


class LazyGroup(click.Group):
    """Group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = OLD_COMMANDS.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            near = get_close_matches(cmd_name, COMMANDS, 1)
            raise click.UsageError(
                f"No such command '{cmd_name}'." + (f" Did you mean '{near[0]}'?" if near else ""), ctx
            )
        command: click.Command = import_module(f"openseer.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="OPENSEER_DATA",
    default="openseer-data",
    show_default=True,
    help="Directory of the library.",
)
@click.option("--verbose", is_flag=True, help="Log to standard error, as JSON lines.")
@click.version_option(package_name="openseer")
@click.pass_context
def group(ctx: click.Context, data: Path, verbose: bool) -> None:
    """The scholarly search engine you run yourself."""
    ctx.obj = data
    log_to_file(data / "logs", ctx.invoked_subcommand or "openseer")
    if verbose:
        log_to_stderr()


def main(arguments: list[str] | None = None) -> None:
    """Run a command; our errors become one line and an exit code instead of a traceback."""
    try:
        group.main(args=arguments, prog_name="openseer", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("openseer: interrupted; run the same command again to continue.", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except OpenseerError as error:
        click.echo(f"openseer: {error} {error.hint}".rstrip(), err=True)
        sys.exit(2 if isinstance(error, BadRequest | BadSetting) else 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo("openseer: The output cannot be written: the disk is full.", err=True)
        sys.exit(1)
    except click.exceptions.Exit as exit_request:
        sys.exit(exit_request.exit_code)
