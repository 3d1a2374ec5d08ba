package dev.mayfly.bench;

import java.util.List;
import java.util.function.Supplier;

/**
 * One thing that is measured.
 *
 * @param name what it is asked for by
 * @param about what its lines say, and how they are come by
 * @param lines measures, which may take minutes, and tells
 */
record Benchmark(String name, String about, Supplier<List<String>> lines) {}
