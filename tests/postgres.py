"""A real PostgreSQL server for tests: in a temporary directory, on a socket of its own, gone when they end."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

OWNER = "openseer"
SETTINGS = ("listen_addresses=", "shared_buffers=32MB", "max_connections=60", "log_min_messages=fatal")
PATIENCE = 60.0


def binaries() -> Path:
    """The folder of the newest server on this machine."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += Path("/usr/lib/postgresql").glob("*/bin")
    folders = [folder for folder in folders if (folder / "initdb").exists()]
    if not folders:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql to test its keeper of the records")
    return max(folders, key=_version)


def _version(folder: Path) -> int:
    said = subprocess.run([folder / "initdb", "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"\d+", said)[0])


class Server:
    """One server. It refuses to run as root, so root lends it to a user who may do nothing else."""

    def __init__(self, durable: bool = False) -> None:
        """`durable` writes to the disk before it answers, as real ones do; tests need not wait for that."""
        self._settings = (*SETTINGS, f"fsync={'on' if durable else 'off'}")
        self._bin = binaries()
        self._folder = Path(tempfile.mkdtemp(prefix="openseer-pg-"))
        self._as: dict[str, Any] = {"cwd": self._folder}
        if os.geteuid() == 0:
            known = {one.pw_name: one for one in pwd.getpwall()}
            user = known.get("postgres") or known["nobody"]
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self._folder, user.pw_uid, user.pw_gid)
        self.sorts_as_people_do = _version(self._bin) >= 15  # so that what is compared by bytes must say so itself
        people = ["--locale-provider=icu", "--icu-locale=en"] if self.sorts_as_people_do else []
        options = ["-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8", *people]
        self._run("initdb", "-D", str(self._folder / "data"), *options)
        self._process: subprocess.Popen[Any] | None = None
        self._made = 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [part for setting in self._settings for part in ("-c", setting)]
        command = [str(self._bin / "postgres"), "-D", str(self._folder / "data"), "-k", str(self._folder), *options]
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **self._as)
        self._process = process
        until = time.monotonic() + PATIENCE
        while self._ask("pg_isready", "-q").returncode:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self._folder / "log").read_text())
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop it at once, whoever is connected."""
        if self._process:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        """Stop it for good."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def fresh(self) -> str:
        """The address of a database that nothing was written to."""
        self._made += 1
        name = f"library{self._made}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.address(name)

    def copy(self, database: str, elsewhere: str) -> None:
        """Back a database up and restore it into an empty one, as the manual says."""
        dump = str(self._folder / "records.dump")
        for command in (("pg_dump", "--format", "custom", "--file", dump), ("pg_restore", "--exit-on-error", dump)):
            name = database if command[0] == "pg_dump" else elsewhere
            done = self._ask(*command, "--dbname", name)
            if done.returncode:
                raise RuntimeError(done.stderr)

    def address(self, database: str, user: str = OWNER) -> str:
        """Where a database is found; `user` may be `name:password`."""
        return f"postgresql://{user}@/{database}?host={self._folder}"

    def sql(self, statement: str, database: str = "postgres") -> None:
        """Have its owner do something."""
        done = self._ask("psql", "-q", "-d", database, "-c", statement)
        if done.returncode:
            raise RuntimeError(done.stderr)

    def _ask(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self._bin / program), "-h", str(self._folder), "-U", OWNER, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **self._as)
        if done.returncode:
            raise RuntimeError(done.stderr)
