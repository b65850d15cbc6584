"""Compares the platform that a wheel names with what its files want: `platform_tag.py WHEEL`.

A wheel for manylinux_X_Y promises to run where the GNU C library is X.Y or newer. Every file in it counts that is code.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


def main() -> int:
    wheel = Path(sys.argv[1])
    tag = re.search(r"manylinux_(\d+)_(\d+)_(\w+?)(?:\.|$)", wheel.stem)
    if not tag:
        print(f"{wheel.name}: its name has no manylinux_X_Y")
        return 1
    promised, wanted, code = (int(tag[1]), int(tag[2])), (0, 0), 0
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        for file in filter(Path.is_file, Path(folder).rglob("*")):
            if file.read_bytes()[:4] != b"\x7fELF":
                continue
            code += 1
            symbols = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
            found = [(int(x), int(y)) for x, y in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)]
            wanted = max([wanted, *found])
            print(f"{file.relative_to(folder)}: GLIBC {'.'.join(map(str, max(found, default=(0, 0))))}")
    print(f"{wheel.name} promises {promised[0]}.{promised[1]}, its {code} files of code want {wanted[0]}.{wanted[1]}")
    return 0 if code and wanted <= promised else 1


if __name__ == "__main__":
    sys.exit(main())
