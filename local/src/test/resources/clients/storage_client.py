"""google-cloud-storage as a task uses it. Arguments: a bucket that is there, and one to make."""

import io
import sys

from google.cloud import storage
from google.auth.credentials import AnonymousCredentials

there, new = sys.argv[1:]
client = storage.Client(project="demo", credentials=AnonymousCredentials())
bucket = client.bucket(there)


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, wanted {wanted!r}")


small = bucket.blob("py/small ü.txt")
small.metadata = {"k": "v"}
small.upload_from_string("hello", content_type="text/plain")
check("read", bucket.blob("py/small ü.txt").download_as_text(), "hello")
small.reload()
check("metadata", small.metadata, {"k": "v"})

big = bytes(range(256)) * 40_000
bucket.blob("py/big").upload_from_file(io.BytesIO(big), size=len(big))
check("big", bucket.blob("py/big").download_as_bytes(), big)
check("range", bucket.blob("py/big").download_as_bytes(start=10, end=19), big[10:20])
with bucket.blob("py/stream").open("wb", chunk_size=1 << 20) as out:
    for _ in range(3):
        out.write(big[: 1 << 20])
bucket.blob("py/stream").reload()
check("streamed", bucket.get_blob("py/stream").size, 3 << 20)

packed = bucket.blob("py/packed.txt")
packed.content_encoding = "gzip"
import gzip

packed.upload_from_string(gzip.compress(b"text"), content_type="text/plain")
check("unpacked", bucket.blob("py/packed.txt").download_as_bytes(), b"text")
raw = bucket.blob("py/packed.txt").download_as_bytes(raw_download=True)
check("packed", gzip.decompress(raw), b"text")

bucket.copy_blob(small, bucket, "py/copy")
bucket.rename_blob(bucket.blob("py/copy"), "py/renamed")
check("names", [b.name for b in client.list_blobs(there, prefix="py/r")], ["py/renamed"])
check("glob", [b.name for b in client.list_blobs(there, match_glob="py/*.txt")], ["py/packed.txt", "py/small ü.txt"])
pages = client.list_blobs(there, prefix="", delimiter="/")
list(pages)
check("folders", "py/" in pages.prefixes, True)

with client.batch():
    for name in ["py/big", "py/stream"]:
        bucket.blob(name).patch()
    bucket.blob("py/renamed").delete()
check("batch", bucket.get_blob("py/renamed"), None)

made = client.create_bucket(new)
made.labels = {"team": "lab"}
made.patch()
check("labels", client.get_bucket(new).labels, {"team": "lab"})
for i in range(3):
    made.blob(f"x/{i}").upload_from_string(str(i))
made.delete(force=True)
check("bucket", client.lookup_bucket(new), None)
try:
    client.create_bucket(there)
    sys.exit("a bucket was made twice")
except Exception as e:
    check("twice", getattr(e, "code", None), 409)
