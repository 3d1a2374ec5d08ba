package dev.mayfly.bench;

import java.util.List;
import java.util.function.Supplier;

/**
 * One benchmark.
 *
 * @param name its name on the command line
 * @param about the meaning of its lines and the method
 * @param lines measures, possibly for minutes, and returns the results
 */
record Benchmark(String name, String about, Supplier<List<String>> lines) {}
