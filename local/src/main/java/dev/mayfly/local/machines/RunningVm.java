package dev.mayfly.local.machines;

import dev.mayfly.local.os.ProcessSignal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A machine whose power is on. Its methods may be called from any thread, any number of times. */
public final class RunningVm {
  private static final int PATIENCE = 3_000;
  private static final int STOP_PATIENCE = 100;

  private final VmSpec spec;
  private final VmHandle trace;
  private final MetadataServer metadata;
  private final CompletableFuture<Void> off;

  RunningVm(VmSpec spec, VmHandle trace, MetadataServer metadata, CompletableFuture<Void> off) {
    this.spec = spec;
    this.trace = trace;
    this.metadata = metadata;
    this.off = off;
  }

  /** How to find it again. */
  public VmHandle handle() {
    return trace;
  }

  /** Calls back when the machine's first process has ended: by itself, or because it was killed. */
  public void whenOff(Runnable call) {
    var unused = off.thenRun(call);
  }

  /** Tells the machine that it is being preempted; repeating it changes nothing. */
  public void announcePreemption() {
    metadata.announcePreemption();
  }

  /** Stops every process where it stands; Compute goes on saying RUNNING. */
  public void freeze() {
    stopAll();
  }

  /** Lets every process go on. */
  public void thaw() {
    ProcessSignal.CONT.send(members());
  }

  /** Lets go of the machine, which runs on without its metadata server until it is found again. */
  public void detach() {
    metadata.close();
  }

  /** Cuts the power: when it returns no process is left, and the metadata server is gone. */
  public void cutPower() {
    metadata.close();
    for (var tries = 0; tries < PATIENCE; tries++) {
      // Stopped first, so that none forks while others are being killed.
      var members = stopAll();
      if (members.isEmpty()) {
        return;
      }
      var killed = ProcessTable.alive(members);
      ProcessSignal.KILL.send(members);
      awaitDeath(killed);
    }
    throw new IllegalStateException(
        "Machine " + spec.name() + " does not die; its processes are " + members());
  }

  /** The processes that it consists of now. */
  public Set<Long> members() {
    return ProcessTable.members(spec.marker(), ProcessTable.find(trace));
  }

  /** A process takes the signal when it next leaves the processor, and may fork until then. */
  private Set<Long> stopAll() {
    for (var tries = 0; tries < STOP_PATIENCE; tries++) {
      var moving = ProcessTable.moving(members());
      if (moving.isEmpty()) {
        break;
      }
      ProcessSignal.STOP.send(moving);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return members();
  }

  /** A process that is ending carries nothing any more, and may not be known by its marker. */
  private static void awaitDeath(List<ProcessTable.Entry> killed) {
    for (var tries = 0;
        tries < PATIENCE && killed.stream().anyMatch(ProcessTable::isAlive);
        tries++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
