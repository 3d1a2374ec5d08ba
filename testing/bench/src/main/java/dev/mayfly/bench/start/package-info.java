/**
 * How long a user waits for a function that has no instance: {@link
 * dev.mayfly.bench.start.ColdStart} starts the archive that is deployed, as the platform does.
 */
@NullMarked
package dev.mayfly.bench.start;

import org.jspecify.annotations.NullMarked;
