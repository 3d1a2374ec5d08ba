package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.wire.text.KebabCase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/** Reads what one entry of a Cluster's pools stands for: a pool for each type in its anyOf. */
final class PoolChoiceReader {
  private PoolChoiceReader() {}

  /** The entry's pools, those that are only for urgent work last. */
  static List<PoolSpec> pools(FieldReader entry) {
    if (entry.mapping().get("anyOf").isEmpty()) return new PoolReader(entry, entry, true).pools();
    check(entry);
    var pools = new ArrayList<PoolSpec>();
    var types = new HashSet<String>();
    for (var choice : entry.children("anyOf")) {
      var read = new PoolReader(entry, choice, pools.isEmpty()).pools();
      var type = read.getFirst().machineType();
      if (types.add(type)) pools.addAll(read);
      else choice.addProblem("machine", "'%s' is in anyOf already; write it once".formatted(type));
    }
    return Stream.of(false, true)
        .flatMap(last -> pools.stream().filter(pool -> PoolSpec.isFallback(pool.name()) == last))
        .toList();
  }

  private static void check(FieldReader entry) {
    for (var field : List.of("machine", "tpu"))
      if (entry.mapping().get(field).isPresent())
        entry.addProblem(field, "the types are in anyOf; write this one there, or leave anyOf out");
    if (entry.text("provisioning").filter(KebabCase.of(Provisioning.STATIC)::equals).isPresent())
      entry.addProblem("anyOf", "static workers are not bought; write machine: {type: own}");
  }
}
