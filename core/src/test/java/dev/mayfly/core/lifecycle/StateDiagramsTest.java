package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.worker.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Draws the state diagrams of workers, shards and gangs from their tables. {@code
 * -Dmayfly.docs=write} rewrites the file.
 */
class StateDiagramsTest {
  private static final Path FILE = Path.of("..", "docs", "states.md");

  @Test
  void theDiagramInTheDocumentationIsTheTable() throws IOException {
    var drawn = draw() + ShardStateDiagram.draw() + GangStateDiagram.draw();
    if ("write".equals(System.getProperty("mayfly.docs"))) Files.writeString(FILE, drawn);

    assertThat(Files.readString(FILE))
        .as(
            "docs/states.md is stale: ./build -pl core test -Dtest=StateDiagramsTest -Dmayfly.docs=write")
        .isEqualTo(drawn);
  }

  private static String draw() {
    var text = new StringBuilder();
    text.append("# States\n\n## Worker\n\n");
    text.append(
        "Drawn from `WorkerLifecycle` by `StateDiagramsTest`; events that change nothing are left out.\n\n");
    text.append("```mermaid\nstateDiagram-v2\n  [*] --> Launching\n");
    for (var state : WorkerSamples.STATES) {
      var edges = new LinkedHashMap<String, TreeSet<String>>();
      for (var event : WorkerSamples.EVENTS) {
        var next = WorkerLifecycle.on(state, event);
        if (next.changed() && next.next().getClass() != state.getClass())
          edges.computeIfAbsent(name(next.next()), _ -> new TreeSet<>()).add(name(event));
      }
      edges.forEach((to, by) ->
          text.append("  %s --> %s: %s%n".formatted(name(state), to, String.join(", ", by))));
    }
    text.append(
        "  Gone --> [*]\n```\n\n"
            + "Effects that a stored state still owes, repeated by every pass:\n\n");
    text.append("| state | owes |\n|---|---|\n");
    for (var state : WorkerSamples.STATES)
      text.append("| %s | %s |%n".formatted(name(state), owed(state)));
    return text.toString();
  }

  private static String owed(WorkerState state) {
    var all = WorkerLifecycle.owed(state).stream().map(Object::toString).toList();
    return all.isEmpty() ? "nothing" : String.join(", ", all).replace("[]", "");
  }

  private static String name(Object o) {
    return o.getClass().getSimpleName();
  }
}
