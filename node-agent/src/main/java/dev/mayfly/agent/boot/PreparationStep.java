package dev.mayfly.agent.boot;

/** One requirement of tasks on the machine. Running a step again after success changes nothing. */
interface PreparationStep {
  /** A name for users, such as {@code mount /data}. */
  String name();

  /** Runs the step, or throws with a cause that says what to fix. */
  void run() throws Failed, InterruptedException;

  /** The step failed. */
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
