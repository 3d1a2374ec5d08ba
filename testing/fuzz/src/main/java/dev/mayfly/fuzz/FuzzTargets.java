package dev.mayfly.fuzz;

import java.util.ArrayList;
import java.util.List;

/** All fuzz targets. */
final class FuzzTargets {
  private FuzzTargets() {}

  /** In a fixed order within a build, because an input's first byte may choose one. */
  static List<FuzzTarget> all() {
    var all = new ArrayList<>(DecoderTargets.all());
    all.addAll(PatternTargets.all());
    all.add(new BundleTarget());
    all.add(new TerminalTarget());
    all.add(new RepositoryTarget());
    all.add(new TaskFileTarget());
    all.add(new LedgerTarget());
    all.addAll(EventTargets.all());
    all.addAll(HttpTargets.all());
    return List.copyOf(all);
  }

  /** A fuzz target given by a function. */
  record NamedTarget(String name, List<byte[]> seeds, Reader reader) implements FuzzTarget {
    interface Reader {
      boolean accepts(byte[] input) throws Exception;
    }

    @Override
    public boolean accepts(byte[] input) throws Exception {
      return reader.accepts(input);
    }
  }
}
