package dev.mayfly.local.machines;

import dev.mayfly.local.os.ProcessSignal;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A machine whose power is on. Thread-safe; every method may be repeated. */
public final class RunningVm {
  private static final int MAX_CHECKS = 3_000;
  private static final int MAX_STOP_CHECKS = 100;

  private final VmSpec spec;
  private final VmHandle trace;
  private final MetadataServer metadata;
  private final CompletableFuture<Void> off;
  private final Path folder;

  /**
   * @param folder of the machine
   */
  RunningVm(
      VmSpec spec,
      VmHandle trace,
      MetadataServer metadata,
      CompletableFuture<Void> off,
      Path folder) {
    this.spec = spec;
    this.trace = trace;
    this.metadata = metadata;
    this.off = off;
    this.folder = folder;
  }

  /** The handle by which to find the machine again. */
  public VmHandle handle() {
    return trace;
  }

  /** Calls back when the machine's first process has ended, by itself or killed. */
  public void whenOff(Runnable call) {
    var unused = off.thenRun(call);
  }

  /** Gives the machine its preemption notice; idempotent. */
  public void announcePreemption() {
    metadata.announcePreemption();
  }

  /** Suspends every process; Compute still reports RUNNING. */
  public void freeze() {
    stopAll();
  }

  /** Resumes every process. */
  public void thaw() {
    ProcessSignal.CONT.send(members());
  }

  /** Releases the machine, which continues without its metadata server until it is found again. */
  public void detach() {
    metadata.close();
  }

  /** Cuts the power: afterwards no process, no bucket and no metadata server is left. */
  public void cutPower() {
    metadata.close();
    for (var tries = 0; tries < MAX_CHECKS; tries++) {
      // Stopped first, so that none forks during the kill.
      var members = stopAll();
      if (members.isEmpty()) {
        BucketMounts.release(folder);
        return;
      }
      var killed = ProcessTable.alive(members);
      ProcessSignal.KILL.send(members);
      awaitDeath(killed);
    }
    throw new IllegalStateException(
        "Machine " + spec.name() + " does not end; its processes are " + members());
  }

  /** The machine's current processes. */
  public Set<Long> members() {
    return ProcessTable.members(spec.marker(), ProcessTable.find(trace));
  }

  /**
   * Repeats the signal: a process receives it only when it next leaves the processor, and may fork
   * until then.
   */
  private Set<Long> stopAll() {
    for (var tries = 0; tries < MAX_STOP_CHECKS; tries++) {
      var moving = ProcessTable.moving(members());
      if (moving.isEmpty()) {
        break;
      }
      ProcessSignal.STOP.send(moving);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return members();
  }

  /** Waits by process id, because an ending process no longer has its marker. */
  private static void awaitDeath(List<ProcessTable.Entry> killed) {
    for (var tries = 0;
        tries < MAX_CHECKS && killed.stream().anyMatch(ProcessTable::isAlive);
        tries++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
