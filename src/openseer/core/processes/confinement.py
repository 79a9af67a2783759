"""Confinement of a process that parses foreign files (Landlock): it writes to a scratch folder, connects to nothing."""

from __future__ import annotations

import ctypes
import os
import resource
import struct

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of the system calls, on all architectures."""
CREATE_RULESET_VERSION = 1
PR_SET_NO_NEW_PRIVS = 38
EXECUTE, WRITE_FILE, READ = 1 << 0, 1 << 1, 1 << 2 | 1 << 3
MAKE_DEVICE = 1 << 6 | 1 << 11
FILE_RIGHTS_BY_ABI = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14))
"""ABI of the kernel -> rights on files that it adds: of the first all, then refer and truncate."""
PATH_BENEATH = 1
TCP_ABI, BIND_AND_CONNECT = 4, 0b11
SCOPE_ABI, SOCKETS_AND_SIGNALS = 6, 0b11
MAX_FILE_BYTES = 64 << 20
"""Of a file that a worker writes, unless its limits say otherwise."""


def is_supported() -> bool:
    """True if the kernel has Landlock."""
    system = ctypes.CDLL(None, use_errno=True)
    return bool(system.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), CREATE_RULESET_VERSION) >= 1)


def confine(*folders: str, max_file_bytes: int = MAX_FILE_BYTES) -> bool:
    """Deny this process and its children every write to files outside these folders, TCP and signals to others; open
    files stay open.

    False if the kernel cannot do it: then only the size of files is limited."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, max_file_bytes))
    system = ctypes.CDLL(None, use_errno=True)
    abi = system.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), CREATE_RULESET_VERSION)
    if abi < 1 or system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    ruleset = _ruleset(abi)
    descriptor = system.syscall(CREATE_RULESET, ruleset, ctypes.c_size_t(len(ruleset)), 0)
    if descriptor < 0:
        return False
    try:
        _allow(system, descriptor, os.devnull, WRITE_FILE)
        for folder in filter(None, folders):
            _allow(system, descriptor, folder, _file_rights(abi) & ~(EXECUTE | READ | MAKE_DEVICE))
        return bool(system.syscall(RESTRICT_SELF, descriptor, 0) == 0)
    finally:
        os.close(descriptor)


def _allow(system: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Add a rule: these rights on a file, or on all beneath a folder."""
    target = os.open(path, os.O_PATH)
    try:
        system.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, target), 0)
    finally:
        os.close(target)


def _file_rights(abi: int) -> int:
    """All rights on files that the kernel knows."""
    files = 0
    for since, rights in FILE_RIGHTS_BY_ABI:
        files |= rights if abi >= since else 0
    return files


def _ruleset(abi: int) -> bytes:
    """A ruleset: what it names is denied but for the rules added to it."""
    fields = [_file_rights(abi) & ~(EXECUTE | READ)]
    if abi >= TCP_ABI:
        fields.append(BIND_AND_CONNECT)
    if abi >= SCOPE_ABI:
        fields.append(SOCKETS_AND_SIGNALS)
    return struct.pack(f"={len(fields)}Q", *fields)
