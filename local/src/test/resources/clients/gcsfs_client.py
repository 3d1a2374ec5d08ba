"""gcsfs as a task uses it, for example by pandas. Arguments: a bucket that is there, and a folder to write to."""

import os
import sys

import gcsfs

there, folder = sys.argv[1:]
fs = gcsfs.GCSFileSystem(project="demo", token="anon")


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, wanted {wanted!r}")


fs.pipe(f"{there}/fs/small ü.txt", b"hello")
check("cat", fs.cat(f"{there}/fs/small ü.txt"), b"hello")
local = os.path.join(folder, "local")
with open(local, "wb") as f:
    f.write(b"0123456789" * 100)
fs.put(local, f"{there}/fs/put")
check("size", fs.info(f"{there}/fs/put")["size"], 1000)
big = bytes(range(256)) * 30_000
with fs.open(f"{there}/fs/big", "wb", block_size=1 << 20) as f:
    f.write(big)
with fs.open(f"{there}/fs/big", "rb") as f:
    f.seek(1_000_000)
    check("seek", f.read(10), big[1_000_000:1_000_010])
fs.get(f"{there}/fs/put", local + ".back")
check("got", open(local + ".back", "rb").read(), b"0123456789" * 100)
check("ls", sorted(fs.ls(f"{there}/fs")), [f"{there}/fs/{n}" for n in ["big", "put", "small ü.txt"]])
check("glob", fs.glob(f"{there}/fs/p*"), [f"{there}/fs/put"])
check("find", len(fs.find(f"{there}/fs")), 3)
fs.cp(f"{there}/fs/put", f"{there}/fs/copy")
fs.mv(f"{there}/fs/copy", f"{there}/fs/moved")
check("moved", fs.exists(f"{there}/fs/copy"), False)
fs.rm(f"{there}/fs/moved")
fs.rm(f"{there}/fs", recursive=True)
fs.invalidate_cache()
check("gone", fs.exists(f"{there}/fs"), False)
