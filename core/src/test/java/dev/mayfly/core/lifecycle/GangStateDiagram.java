package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.worker.HostId;
import java.util.LinkedHashMap;
import java.util.TreeSet;

/** Draws a run's phases from the table itself, for {@code docs/states.md}. */
public final class GangStateDiagram {
  private GangStateDiagram() {}

  public static String draw() {
    var text = new StringBuilder("\n## Gang run\n\n");
    text.append(
        "Drawn from `GangLifecycle` in the same way, for a gang of two hosts. A host that misses a deadline, or whose device is bad, is given up besides.\n\n");
    text.append("```mermaid\nstateDiagram-v2\n  [*] --> Prepare\n");
    for (var run : GangSamples.phases()) {
      var edges = new LinkedHashMap<String, TreeSet<String>>();
      for (var near : almost(run))
        for (var event : GangSamples.events()) {
          var next = GangSamples.TABLE.on(near, event);
          if (next.phase().getClass() != run.phase().getClass())
            edges.computeIfAbsent(name(next.phase()), _ -> new TreeSet<>()).add(name(event));
        }
      edges.forEach((to, by) ->
          text.append("  %s --> %s: %s%n".formatted(name(run.phase()), to, String.join(", ", by))));
    }
    text.append("  Done --> [*]\n  Cleared --> Prepare: the next run\n```\n\n");
    text.append("| phase | order to rank 0 | order to the others |\n|---|---|---|\n");
    for (var run : GangSamples.phases())
      text.append(
          "| %s | %s | %s |%n"
              .formatted(
                  name(run.phase()), order(run, GangSamples.ZERO), order(run, GangSamples.ONE)));
    return text.toString();
  }

  /** The run, and the run after the report of only one host. */
  private static Iterable<GangRun> almost(GangRun run) {
    var runs = new java.util.ArrayList<GangRun>();
    runs.add(run);
    for (var event : GangSamples.events()) {
      var next = GangSamples.TABLE.on(run, event);
      if (next.phase().getClass() == run.phase().getClass()) runs.add(next);
    }
    return runs;
  }

  private static String order(GangRun run, HostId host) {
    return run.order(host).map(o -> o.step().name()).orElse("nothing");
  }

  private static String name(Object o) {
    return o.getClass().getSimpleName();
  }
}
