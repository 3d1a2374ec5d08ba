// Command client is cloud.google.com/go/storage as a task uses it. Arguments: a bucket that is there,
// and one to make.
package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"os"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"
)

func check(what string, err error) {
	if err != nil {
		log.Fatalf("%s: %v", what, err)
	}
}

func write(ctx context.Context, object *storage.ObjectHandle, content []byte, chunk int) {
	w := object.NewWriter(ctx)
	w.ChunkSize = chunk
	_, err := w.Write(content)
	check("write", err)
	check("close", w.Close())
}

func read(ctx context.Context, object *storage.ObjectHandle, wanted []byte) {
	r, err := object.NewReader(ctx)
	check("reader", err)
	found, err := io.ReadAll(r)
	check("read", err)
	if !bytes.Equal(found, wanted) {
		log.Fatalf("%s: read %d bytes, wanted %d", object.ObjectName(), len(found), len(wanted))
	}
}

func names(ctx context.Context, bucket *storage.BucketHandle, query *storage.Query) int {
	count := 0
	for it := bucket.Objects(ctx, query); ; count++ {
		if _, err := it.Next(); errors.Is(err, iterator.Done) {
			return count
		} else {
			check("list", err)
		}
	}
}

func main() {
	ctx := context.Background()
	client, err := storage.NewClient(ctx)
	check("client", err)
	bucket := client.Bucket(os.Args[1])

	write(ctx, bucket.Object("go/a b/ü.txt"), []byte("hello"), 0)
	read(ctx, bucket.Object("go/a b/ü.txt"), []byte("hello"))
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<20+3)
	write(ctx, bucket.Object("go/big"), big, 16<<20)
	read(ctx, bucket.Object("go/big"), big)
	part, err := bucket.Object("go/big").NewRangeReader(ctx, 10, 6)
	check("range", err)
	six, err := io.ReadAll(part)
	check("range", err)
	if string(six) != "abcdef" {
		log.Fatalf("range: %q", six)
	}
	if n := names(ctx, bucket, &storage.Query{Prefix: "go/"}); n != 2 {
		log.Fatalf("listed %d", n)
	}
	if n := names(ctx, bucket, &storage.Query{MatchGlob: "go/**/*.txt", Versions: true}); n != 1 {
		log.Fatalf("glob matched %d", n)
	}
	_, err = bucket.Object("go/none").NewReader(ctx)
	if !errors.Is(err, storage.ErrObjectNotExist) {
		log.Fatalf("a missing object: %v", err)
	}
	_, err = bucket.Object("go/copy").CopierFrom(bucket.Object("go/big")).Run(ctx)
	check("copy", err)
	_, err = bucket.Object("go/all").ComposerFrom(bucket.Object("go/big"), bucket.Object("go/copy")).Run(ctx)
	check("compose", err)
	_, err = bucket.Object("go/copy").Move(ctx, storage.MoveObjectDestination{Object: "go/moved"})
	check("move", err)
	for _, name := range []string{"go/a b/ü.txt", "go/big", "go/all", "go/moved"} {
		check("delete "+name, bucket.Object(name).Delete(ctx))
	}
	made := client.Bucket(os.Args[2])
	check("create", made.Create(ctx, "demo", nil))
	check("delete bucket", made.Delete(ctx))
}
