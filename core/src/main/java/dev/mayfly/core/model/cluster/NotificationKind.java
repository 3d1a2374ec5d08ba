package dev.mayfly.core.model.cluster;

import java.util.Locale;

/** What a notification tells of. */
public enum NotificationKind {
  /** A job succeeded, failed or was stopped; also one that no machine could ever run. */
  JOB_ENDED,
  /** A reserved machine, a manual slice, or one of its hosts, is lost; Mayfly asks for it again. */
  RESERVATION_LOST,
  /** A machine can run no task, or fell silent although the cloud did not take it. */
  NODE_BAD,
  /** No task of a job has succeeded, and several failed alike. */
  CRASH_LOOP,
  /** A running job has cost most of its {@code maxUsd}, or a cluster of its month. */
  SPENDING,
  /** A running job has used most of its {@code maxRunTime}. */
  RUN_TIME,
  /** Machines cost money while no job has run or waited for long. */
  FORGOTTEN;

  /** As in messages: {@code job-ended}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
