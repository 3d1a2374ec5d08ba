package dev.mayfly.fuzz;

import java.util.ArrayList;
import java.util.List;

/** All entry points. */
final class EntryPoints {
  private EntryPoints() {}

  /** In an order that never changes within a build: an input's first byte may name one. */
  static List<EntryPoint> all() {
    var all = new ArrayList<>(Decoders.all());
    all.addAll(Patterns.all());
    all.add(new Archives());
    all.addAll(Events.all());
    all.addAll(HttpCalls.all());
    return List.copyOf(all);
  }

  /** An entry point that is a function. */
  record Named(String name, List<byte[]> seeds, Reader reader) implements EntryPoint {
    interface Reader {
      boolean accepts(byte[] input) throws Exception;
    }

    @Override
    public boolean accepts(byte[] input) throws Exception {
      return reader.accepts(input);
    }
  }
}
