package dev.mayfly.agent.boot;

/** One thing that tasks need of the machine. A repeat after success finds it done. */
interface PreparationStep {
  /** For people, such as {@code mount /data}. */
  String name();

  /** Does it, or throws with a cause that tells its reader what to mend. */
  void run() throws Failed, InterruptedException;

  /** It did not work. */
  final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    public Failed(String cause) {
      super(cause);
    }

    Failed(String cause, Exception from) {
      super(cause, from);
    }
  }
}
