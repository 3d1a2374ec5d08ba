package dev.mayfly.core.model.sync;

/**
 * What an agent reports of its machine, as {@link SyncReport} spells it in one text.
 *
 * @param what in the agent's words, without the kind
 */
public record MachineProblem(Kind kind, String what) {
  /** What it means for tasks. */
  public enum Kind {
    /** Not ready for tasks yet; it becomes so by itself. */
    PREPARING(SyncReport.PREPARING, true),
    /** No task until it is fixed. */
    UNFIT(SyncReport.UNFIT, false),
    /** Tasks run without limits. */
    UNLIMITED(SyncReport.UNLIMITED, true),
    /** Tasks run on less, or with more retries. */
    DEGRADED(SyncReport.DEGRADED, true),
    /** Anything else, such as a full disk: no tasks. */
    OTHER("", false);

    private final String prefix;
    private final boolean runsTasks;

    Kind(String prefix, boolean runsTasks) {
      this.prefix = prefix;
      this.runsTasks = runsTasks;
    }
  }

  public static MachineProblem of(String text) {
    for (var kind : Kind.values())
      if (text.startsWith(kind.prefix))
        return new MachineProblem(kind, text.substring(kind.prefix.length()));
    return new MachineProblem(Kind.OTHER, text);
  }

  /** Whether the machine can run tasks, now or once it is prepared. */
  public boolean runsTasks() {
    return kind.runsTasks;
  }

  public boolean is(Kind other) {
    return kind == other;
  }
}
