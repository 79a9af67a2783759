"""The command `openseer`: one file a command, loaded on first use. A command parses, calls, prints."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

import click

from openseer.core.errors import BadRequest, BadSetting, OpenseerError
from openseer.core.telemetry.logs import log_to_file, log_to_stderr

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: more threads only wait for each other

COMMANDS = {
    "demo": "Make a small sample library if there is none, then serve it.",
    "serve": "Serve the web site and the REST API.",
    "ingest": "Take files and folders into the library.",
    "import": "Take records without files into the library: BibTeX, RIS, CSL-JSON, tables.",
    "extract": "Read files and print what is in them; keeps nothing.",
    "parse-reference": "Take printed references apart.",
    "search": "Search the library.",
    "show": "Show one work.",
    "similar": "List works like one of the library, like a file or like a text.",
    "export": "Write works down for other programs: BibTeX, RIS, CSL-JSON, XML, feeds.",
    "merge": "Say that two works are one.",
    "split": "Say that a part of a work is none of it.",
    "delete": "Take a document out of the library.",
    "undo": "Take back what a person decided.",
    "history": "List curation actions.",
    "author": "List the works of a printed name.",
    "jobs": "List what was asked for; pause, resume, cancel, retry.",
    "worker": "Read what is due in the queue.",
    "stats": "Count what is in the library.",
    "verify": "Check files, records and index against each other.",
    "re-extract": "Extract documents again that an older extractor version read.",
    "recluster": "Cluster descriptions again that an older matcher version clustered.",
    "reindex": "Build the search index anew.",
    "train-ranker": "Learn from this library what makes a good answer.",
    "backup": "Copy the library into a directory, while it is in use.",
    "restore": "Make a library from a back-up.",
    "extractors": "List what reads a document, with version and share of the time.",
    "evaluate": "Measure the reading against gold.",
    "bench": "Measure how fast it is here, beside published figures.",
    "config": "Print the settings in force and where each came from.",
}

OLD_NAMES = {"acts": "history", "reread": "re-extract", "regroup": "recluster"}
"""Former names of commands: they still work, but no help text lists them."""


class LazyGroup(click.Group):
    """Lists commands from the table above and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = OLD_NAMES.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
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
    help="The directory of the library.",
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
    """Run a command; an error of ours becomes one line and an exit code, never a traceback."""
    try:
        group.main(args=arguments, prog_name="openseer", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("openseer: interrupted; the same command goes on where it stopped.", err=True)
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
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
