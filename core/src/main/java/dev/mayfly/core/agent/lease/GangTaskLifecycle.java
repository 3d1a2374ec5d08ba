package dev.mayfly.core.agent.lease;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.LocalGangState;
import dev.mayfly.core.agent.task.ResourceAllocator;
import dev.mayfly.core.agent.task.RunState;
import dev.mayfly.core.agent.task.TaskLifecycle;
import dev.mayfly.core.agent.task.TaskRun;
import dev.mayfly.core.lifecycle.GangMembership;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangEnvironment;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangReport.Trouble;
import java.util.Optional;

/**
 * This host's part in gangs: performs the phases of {@link GangMembership} with the same leases,
 * attempts and publications as for any task (decision 13).
 *
 * <p><b>Must:</b> start nothing that was not ordered, and report that nothing is left only when
 * nothing is.
 */
public final class GangTaskLifecycle {
  private final AgentContext agentContext;
  private final LeaseTable leaseTable;
  private final TaskLifecycle taskLifecycle;
  private final ResourceAllocator resourceAllocator;
  private final SyncTimer sync;

  public GangTaskLifecycle(
      AgentContext agentContext,
      LeaseTable leaseTable,
      TaskLifecycle taskLifecycle,
      ResourceAllocator resourceAllocator,
      SyncTimer sync) {
    this.agentContext = agentContext;
    this.leaseTable = leaseTable;
    this.taskLifecycle = taskLifecycle;
    this.resourceAllocator = resourceAllocator;
    this.sync = sync;
  }

  /** Called after each event: observes the gang leases and acts on them. */
  public void advance(boolean blocked) {
    for (var lease : leaseTable.all())
      lease
          .gang()
          .ifPresent(part -> {
            observe(lease, part);
            if (!lease.abandoned()) act(lease, part, blocked);
            if (part.takeNews()) sync.syncNow();
          });
  }

  private void observe(HeldLease lease, LocalGangState part) {
    var run = lease.onlyRun();
    if (run.isPresent() && run.get().state() instanceof RunState.Prepared prepared)
      part.prepared(prepared.contact());
    if (run.isPresent() && run.get().state() instanceof RunState.AwaitingGang gang)
      exited(run.get(), part, gang.ending());
    if (lease.isDone(lease.ref.start())) part.update(part.member().published());
    run.flatMap(r -> r.keptUntil).ifPresent(part::kept);
    lease.failure().flatMap(AttemptFailure::keptUntil).ifPresent(part::kept);
    lease.failure().ifPresent(f -> failed(part, f, lease.blamesMachine()));
    if (lease.ending() && part.member().stage().compareTo(GangMemberStage.RUNNING) < 0)
      part.update(
          part.member().failed(new Trouble(FailureCause.RETURNED, false, "the worker is to end")));
  }

  private void exited(TaskRun run, LocalGangState part, RunState.Ending end) {
    var member = part.member().exited(end.process().exitCode(), agentContext.now().wall());
    if (!end.succeeded()) member = member.failed(trouble(run, part, end));
    part.update(member);
  }

  /** Who took the port between its check and the start is nobody that the user knows. */
  private static Trouble trouble(TaskRun run, LocalGangState part, RunState.Ending end) {
    var lost = GangEnvironment.lostPort(part.order(), isSlice(run), end.text());
    return lost
        ? new Trouble(
            FailureCause.INFRASTRUCTURE,
            false,
            "another program took the gang's port: " + end.text())
        : new Trouble(end.cause(), false, text(end));
  }

  private static boolean isSlice(TaskRun run) {
    return run.jobInfo.spec().gang() <= 1;
  }

  private static String text(RunState.Ending end) {
    var ended = "the task ended with " + end.process().exitCode();
    return end.text().isBlank() ? ended : ended + ": " + end.text();
  }

  private static void failed(LocalGangState part, AttemptFailure attemptFailure, boolean machine) {
    part.update(
        part.member()
            .failed(
                new Trouble(
                    attemptFailure.cause(),
                    machine,
                    attemptFailure.evidence(),
                    attemptFailure.lasting())));
  }

  private void act(HeldLease lease, LocalGangState part, boolean blocked) {
    switch (part.member().busy()) {
      case PREPARE -> {
        if (!blocked) prepare(lease, part);
      }
      case START -> lease.onlyRun().ifPresent(run -> start(run, part));
      case PUBLISH -> lease.onlyRun().ifPresent(this::publish);
      case KILL -> kill(lease, part);
      case NONE -> {}
    }
  }

  /**
   * Requires the task list, the survey and free resources, then prepares everything that a start
   * needs.
   */
  private void prepare(HeldLease lease, LocalGangState part) {
    if (lease.onlyRun().isPresent()) return;
    if (lease.jobInfo().isEmpty()) leaseTable.jobInfo(lease.ref.job()).ifPresent(lease::jobInfo);
    if (lease.jobInfo().isEmpty()) return;
    var jobInfo = lease.jobInfo().get();
    if (!lease.surveyed()) {
      leaseTable.opening().proceed(lease);
      return;
    }
    if (part.order().rank() == 0 && lease.isDone(lease.ref.start())) {
      part.update(part.member().alreadyPublished());
      return;
    }
    var item = leaseTable.items().item(jobInfo, lease.ref.start());
    var gpus = resourceAllocator.fit(jobInfo.spec().resources());
    if (item.isPresent() && gpus.isPresent())
      taskLifecycle.prepare(lease, jobInfo, item.get(), gpus.get(), part.order());
    else if (item.isEmpty())
      part.update(
          part.member()
              .failed(
                  new Trouble(
                      FailureCause.INFRASTRUCTURE,
                      false,
                      "the task list has no line for this task")));
  }

  private void start(TaskRun run, LocalGangState part) {
    if (!(run.state() instanceof RunState.Prepared)) return;
    var mode = run.jobInfo.spec().run().taskEnvironment().gangMode();
    var gpus = (int) (run.jobInfo.spec().resources().gpuMillis() / 1000);
    taskLifecycle.start(run, GangEnvironment.of(part.order(), isSlice(run), mode, gpus));
    part.update(part.member().started());
  }

  private void publish(TaskRun run) {
    if (run.state() instanceof RunState.AwaitingGang) taskLifecycle.publisher().begin(run);
  }

  private void kill(HeldLease lease, LocalGangState part) {
    var run = lease.onlyRun();
    if (run.isEmpty()) {
      part.update(part.member().killed());
      return;
    }
    if (run.get().state() instanceof RunState.Killing) return;
    taskLifecycle.kill(run.get(), Optional.empty(), "its gang is ended", grace(run.get()));
    if (lease.onlyRun().isEmpty()) part.update(part.member().killed());
  }

  private static Grace grace(TaskRun run) {
    return Grace.of(run.jobInfo.spec().run().grace());
  }
}
