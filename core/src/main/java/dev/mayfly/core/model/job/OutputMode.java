package dev.mayfly.core.model.job;

/** How a task's output gets into the store. */
public enum OutputMode {
  /** The agent uploads what the task leaves at {outputFile}. */
  UPLOADED,
  /** The task writes {output} itself. */
  WRITTEN,
  /** No output: {output} only names the sentinel's place. */
  NONE
}
