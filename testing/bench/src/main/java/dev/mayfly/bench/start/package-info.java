/**
 * The latency of a function without instances: {@link dev.mayfly.bench.start.ColdStart} starts the
 * deployed archive as the platform does.
 */
@NullMarked
package dev.mayfly.bench.start;

import org.jspecify.annotations.NullMarked;
