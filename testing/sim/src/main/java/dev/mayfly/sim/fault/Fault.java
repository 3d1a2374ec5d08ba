package dev.mayfly.sim.fault;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The kinds of faults, with the probability of each at every opportunity.
 *
 * <p>A world draws some of these at its start; none strikes after the storm.
 */
public enum Fault {
  BUS_DUPLICATE(0.2),
  BUS_LATE(0.15),
  BUS_LOSE(0.15),
  NOTIFICATION_REFUSED(0.2),
  NOTIFICATION_REPLY_LOST(0.1),
  NOTIFICATION_DUPLICATE(0.2),
  NOTIFICATION_LATE(0.2),
  MESSAGE_DUPLICATE(0.5),
  MESSAGE_LATE(0.3),
  TICK_LOST(0.3),
  TICK_DOUBLE(0.2),

  LEDGER_UNAVAILABLE(0.01),
  LEDGER_OUTCOME_UNKNOWN(0.02),
  LEDGER_CONFLICT(0.05),
  LEDGER_WATCH_LATE(0.1),
  LEDGER_AWAY(1),

  OBJECTS_UNAVAILABLE(0.03),
  OBJECTS_REPLY_LOST(0.05),
  OBJECTS_AWAY(1),

  FLEET_UNAVAILABLE(0.05),
  ORDER_ERROR_BUT_MADE(0.1),
  ORDER_STOCKOUT(0.2),
  ORDER_STOCKOUT_LATER(0.15),
  ORDER_QUOTA(0.1),
  ORDER_NAME_TAKEN(0.05),
  CREATE_SLOW(0.15),
  BOOT_NEVER(0.08),
  DELETE_ERROR_BUT_DONE(0.2),
  DELETE_STAYS(0.2),
  DELETE_SLOW(0.2),
  LIST_PARTIAL(0.2),
  FOREIGN_MACHINES(1),
  ORPHAN_MACHINE(1),

  PREEMPTED_WITH_NOTICE(1),
  PREEMPTED_WITHOUT_NOTICE(1),
  PREEMPTED_ALL(1),
  STOPPED_MACHINE(1),
  DEAD_BUT_RUNNING(0.4),

  HOST_FROZEN(1),
  HOST_SUSPENDED(1),
  HOST_CUT_OFF(1),
  CLOCK_STEP(1),
  CLOCK_DRIFT(0.3),
  AGENT_RESTART(1),

  SYNC_REQUEST_LOST(0.03),
  SYNC_REPLY_LOST(0.05),
  SYNC_LATE(0.05),
  SYNC_DUPLICATE(0.03),

  CONTROL_AWAY(1),
  INSTANCE_KILLED(1),
  CRASH(0.004),
  INTERLEAVED(0.1),
  PAUSED_CALL(0.01),

  DEVICE_BUSY(0.1),
  HOST_OF_A_GANG_FAILS(0.2),

  TASK_FAILS(0.03),
  TASK_OUT_OF_MEMORY(0.01),
  TASK_HANGS(0.01),
  KILL_SLOW(0.2),
  TASK_LEAVES_NO_OUTPUT(0.05),

  /** The world has an audit log of machines; the event faults need it. */
  MACHINE_EVENTS(1),
  EVENT_LOST(0.2),
  EVENT_LATE(0.3),
  EVENT_DOUBLE(0.3),
  EVENT_OF_ANOTHER(1),

  /** One function instance stalls, with its open calls and new ones. */
  INSTANCE_STALLED(1),
  /** A machine's clock is corrected, and its agent restarts. */
  CLOCK_BACK_AND_RESTART(1),

  /** An edit by hand makes a document unreadable for a while. */
  DOCUMENT_UNREADABLE(1),
  /** For minutes the control plane's account is denied the ledger. */
  LEDGER_DENIED(1),
  /** For minutes the control plane and agents are denied the bucket. */
  OBJECTS_DENIED(1),

  /**
   * A document of the first of two clusters is unreadable until the other cluster has finished,
   * long after the storm.
   */
  UNREADABLE_FOR_LONG(1),

  /** Calls of one function instance overlap: each port call takes a while, in which others run. */
  CALLS_OVERLAP(1),
  /** A batch is applied a few seconds after its caller gave up. */
  LEDGER_COMMIT_LATE(0.01),
  /** Every other function instance has a version that cannot read some documents of newer ones. */
  OLD_INSTANCE(1),
  /** For minutes no attempt gets its folder on a machine. */
  DISK_BROKEN(1),
  /** A machine's disk is full for a while, and what its tasks write then is cut short. */
  DISK_FULL(1),
  /** The scheduler sends nothing for up to half an hour, then all missed ticks at once. */
  TICKS_AWAY(1),
  /** The cloud's API is unavailable for minutes. */
  FLEET_AWAY(1),
  /** The control plane, its ledger, the object store and the cloud's API are all away. */
  REGION_AWAY(1),
  /** A device of a machine is gone until the machine boots, minutes later. */
  DEVICE_LOST(1),
  /** A program that stays ends by itself between two tasks, and never reads the second. */
  RUNNER_ENDS(0.1);

  /** For how long others act amid one call at most ({@link #INTERLEAVED}). */
  public static final Duration AMID_CALL = Duration.ofSeconds(1);

  private static final Set<Fault> HINDERING =
      EnumSet.of(
          TICK_LOST,
          LEDGER_UNAVAILABLE,
          LEDGER_OUTCOME_UNKNOWN,
          LEDGER_CONFLICT,
          LEDGER_AWAY,
          FLEET_UNAVAILABLE,
          CREATE_SLOW,
          DELETE_ERROR_BUT_DONE,
          DELETE_STAYS,
          DELETE_SLOW,
          LIST_PARTIAL,
          CONTROL_AWAY,
          TICKS_AWAY,
          FLEET_AWAY,
          REGION_AWAY,
          INSTANCE_KILLED,
          CRASH,
          INTERLEAVED,
          PAUSED_CALL,
          INSTANCE_STALLED,
          DOCUMENT_UNREADABLE,
          LEDGER_DENIED,
          UNREADABLE_FOR_LONG,
          CALLS_OVERLAP,
          LEDGER_COMMIT_LATE,
          OLD_INSTANCE);

  private final double likely;

  Fault(double likely) {
    this.likely = likely;
  }

  /** Whether a cleanup run that it strikes may be incomplete. */
  boolean hindersSweeps() {
    return HINDERING.contains(this);
  }

  public double likely() {
    return likely;
  }
}
