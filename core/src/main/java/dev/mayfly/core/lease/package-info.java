/**
 * Shards, and who may run them.
 *
 * <p>Start with {@link dev.mayfly.core.lease.Shards}, which has every change of a shard, then
 * {@link dev.mayfly.core.lease.Market}, which decides who gets what, and {@link
 * dev.mayfly.core.lease.Silence}, which decides who is lost.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.lease;

import org.jspecify.annotations.NullMarked;
