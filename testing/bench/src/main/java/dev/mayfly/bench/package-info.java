/**
 * What Mayfly costs and how fast it is, printed by a command: {@code testing/bench/run} and {@code
 * testing/bench/cost}. Start at {@link dev.mayfly.bench.Main}; another measure is another {@link
 * dev.mayfly.bench.Benchmark} in its list.
 *
 * <p><b>Rule:</b> a figure is printed with how it was come by; nothing here is a test.
 */
@NullMarked
package dev.mayfly.bench;

import org.jspecify.annotations.NullMarked;
