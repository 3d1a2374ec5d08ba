/**
 * Cloud Storage's JSON interface over plain folders.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.storage.StorageSurface} for what it serves, and
 * {@link dev.mayfly.local.cloud.storage.Bucket} for how it is kept: an object's bytes are the file
 * at its name, its generation is that file's modification time in microseconds, and everything else
 * about that generation is a sidecar in the folder {@code .mayfly-meta}. So there is nothing to
 * keep in step: a file without a matching sidecar is simply an object that a person put there.
 */
@NullMarked
package dev.mayfly.local.cloud.storage;

import org.jspecify.annotations.NullMarked;
