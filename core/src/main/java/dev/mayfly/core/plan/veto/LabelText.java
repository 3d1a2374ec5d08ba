package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.cluster.PoolSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Labels in sentences for people. */
public final class LabelText {
  private LabelText() {}

  /** Labels as people write them: {@code disk: ssd, team: nlp}. */
  public static String of(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(e -> e.getKey() + ": " + e.getValue())
            .collect(Collectors.joining(", "));
  }

  /** Why no pool has the labels that a job asks for. */
  static String unmatched(Map<String, String> wanted, String cluster, List<PoolSpec> pools) {
    return "asks for %s, and no pool of cluster %s that it may use has that: %s; %s, or ask for others"
        .formatted(
            of(wanted),
            cluster,
            pools.stream()
                .map(p ->
                    p.name() + (p.labels().isEmpty() ? " has no labels" : " has " + of(p.labels())))
                .collect(Collectors.joining("; ")),
            RemedyText.of(new Remedy.AddLabels(wanted)));
  }
}
