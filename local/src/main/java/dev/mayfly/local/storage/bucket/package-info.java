/**
 * A folder as a bucket: an object's bytes are the file at its name, its generation is that file's
 * modification time in microseconds, and everything else about that generation is a sidecar file in
 * the folder .mayfly-meta.
 *
 * <p>Start at {@link dev.mayfly.local.storage.bucket.Bucket}.
 */
@NullMarked
package dev.mayfly.local.storage.bucket;

import org.jspecify.annotations.NullMarked;
