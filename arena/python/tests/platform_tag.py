"""Compares the platform in the name of a wheel with the requirements of its files.

Usage: `platform_tag.py WHEEL`. The name of a wheel contains manylinux_X_Y if the wheel runs with
version X.Y of the GNU C library or newer. All ELF files in the wheel are checked.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


def main() -> int:
    """Prints the requirements of each file; returns 1 if a file needs a newer C library."""
    wheel = Path(sys.argv[1])
    tag = re.search(r"manylinux_(\d+)_(\d+)_(\w+?)(?:\.|$)", wheel.stem)
    if not tag:
        print(f"{wheel.name}: the name does not contain manylinux_X_Y")
        return 1
    promised, required, files = (int(tag[1]), int(tag[2])), (0, 0), 0
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        for file in filter(Path.is_file, Path(folder).rglob("*")):
            if file.read_bytes()[:4] != b"\x7fELF":
                continue
            files += 1
            command = ["objdump", "-T", file]
            symbols = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            versions = re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)
            found = [(int(major), int(minor)) for major, minor in versions]
            required = max([required, *found])
            newest = max(found, default=(0, 0))
            print(f"{file.relative_to(folder)}: GLIBC {'.'.join(map(str, newest))}")
    print(
        f"{wheel.name} promises GLIBC {promised[0]}.{promised[1]}; "
        f"its {files} ELF files require {required[0]}.{required[1]}"
    )
    return 0 if files and required <= promised else 1


if __name__ == "__main__":
    sys.exit(main())
