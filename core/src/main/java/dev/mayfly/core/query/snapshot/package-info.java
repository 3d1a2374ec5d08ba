/**
 * A cluster as it is stored, read once for one answer. Start with {@link
 * dev.mayfly.core.query.snapshot.SnapshotReader}.
 */
@NullMarked
package dev.mayfly.core.query.snapshot;

import org.jspecify.annotations.NullMarked;
