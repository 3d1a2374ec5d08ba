/**
 * Costs and speed of Mayfly, printed by {@code testing/bench/run} and {@code testing/bench/cost}.
 * Start with {@link dev.mayfly.bench.Main}, which lists every {@link dev.mayfly.bench.Benchmark}.
 *
 * <p><b>Rule:</b> a figure is printed with its method; nothing here is a test.
 */
@NullMarked
package dev.mayfly.bench;

import org.jspecify.annotations.NullMarked;
