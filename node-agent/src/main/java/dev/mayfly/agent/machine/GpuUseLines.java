package dev.mayfly.agent.machine;

import dev.mayfly.core.model.sync.GpuUse;
import java.util.List;
import java.util.Optional;

/** Reads what the driver says of the use of GPUs. */
final class GpuUseLines {
  private static final int FIELDS = 4;
  private static final long MIB = 1L << 20;

  private GpuUseLines() {}

  /**
   * Parses {@code index, percent, MiB used, MiB} lines. A field that is no number, such as {@code
   * [N/A]} of a device that is cut into parts, is empty; a line without any number, and one that is
   * no such line, is skipped.
   */
  static List<GpuUse> parse(String text) {
    return text.lines()
        .map(line -> line.strip().split("\\s*,\\s*"))
        .filter(fields -> fields.length == FIELDS && fields[0].matches("\\d{1,4}"))
        .map(GpuUseLines::use)
        .filter(use ->
            use.use().isPresent() || use.memoryUsed().isPresent() || use.memory().isPresent())
        .toList();
  }

  private static GpuUse use(String[] fields) {
    return new GpuUse(
        Integer.parseInt(fields[0]),
        number(fields[1]).filter(percent -> percent <= 100).map(Long::intValue),
        number(fields[2]).map(mib -> mib * MIB),
        number(fields[3]).filter(mib -> mib > 0).map(mib -> mib * MIB));
  }

  private static Optional<Long> number(String field) {
    return field.matches("\\d{1,9}") ? Optional.of(Long.valueOf(field)) : Optional.empty();
  }
}
