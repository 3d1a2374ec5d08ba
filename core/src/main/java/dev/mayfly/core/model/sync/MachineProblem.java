package dev.mayfly.core.model.sync;

/**
 * What is wrong with a machine, by its agent or by the cloud.
 *
 * @param kind what it means for tasks
 * @param what the words of who reports it
 */
public record MachineProblem(Kind kind, String what) {
  /** What it means for tasks. */
  public enum Kind {
    /** Not ready for tasks yet; it becomes so by itself. */
    PREPARING("preparing: ", true),
    /** No task until it is fixed. */
    UNFIT("unfit: ", false),
    /** Tasks run without limits. */
    UNLIMITED("not enforced: ", true),
    /** Tasks run on less, or with more retries. */
    DEGRADED("degraded: ", true),
    /** No task starts until there is room on the disk again, which may be soon. */
    DISK_FULL("degraded: ", true),
    /** Anything else, such as a full disk: no tasks. */
    OTHER("", false);

    private final String words;
    private final boolean runsTasks;

    Kind(String words, boolean runsTasks) {
      this.words = words;
      this.runsTasks = runsTasks;
    }

    public MachineProblem of(String what) {
      return new MachineProblem(this, what);
    }
  }

  /** For people: it begins with its kind. */
  public String text() {
    return kind.words + what;
  }

  /** Whether the machine can run tasks, now or once it is prepared. */
  public boolean runsTasks() {
    return kind.runsTasks;
  }

  /** Whether the machine takes tasks at its reports now. */
  public boolean takesTasks() {
    return runsTasks() && kind != Kind.PREPARING && kind != Kind.DISK_FULL;
  }

  public boolean is(Kind other) {
    return kind == other;
  }
}
