package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Topic;
import java.util.List;

/** The topics of a deployment, and which of them carries which of Mayfly's own messages. */
public final class Topics {
  public static final String JOBS = Topic.JOBS.id();
  public static final String CLUSTERS = Topic.CLUSTERS.id();
  public static final String TICKS = "mayfly-ticks";
  public static final String VM_EVENTS = "mayfly-vm-events";

  public static final List<String> ALL = List.of(JOBS, CLUSTERS, TICKS, VM_EVENTS);

  /** The attribute that tells Mayfly's own messages from those of users. */
  public static final String HINT = "mayfly-hint";

  private Topics() {}

  /** The topic whose function acts on the hint. */
  public static String of(Hint hint) {
    return switch (hint) {
      case Hint.Expand e -> JOBS;
      case Hint.Audit a -> JOBS;
      case Hint.Look l -> TICKS;
      case Hint.Tick t -> TICKS;
      case Hint.Sweep s -> TICKS;
    };
  }
}
