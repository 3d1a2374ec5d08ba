package dev.mayfly.core.agent;

import dev.mayfly.core.gang.GangEnvironment;
import dev.mayfly.core.gang.Membership;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.HostReport.Trouble;
import java.time.Duration;
import java.util.Optional;

/**
 * This host's part in gangs: the phases of {@link Membership}, done with the same leases, attempts
 * and publications as any task (decision 13).
 *
 * <p><b>Must:</b> begin nothing that was not ordered, and say that nothing is left only when
 * nothing is.
 */
final class GangWork {
  private final Moment moment;
  private final LeaseBook book;
  private final Tasks tasks;
  private final Capacity capacity;
  private final SyncTimer sync;

  GangWork(Moment moment, LeaseBook book, Tasks tasks, Capacity capacity, SyncTimer sync) {
    this.moment = moment;
    this.book = book;
    this.tasks = tasks;
    this.capacity = capacity;
    this.sync = sync;
  }

  /** After each event: what happened to the leases of gangs, and what is to be done next. */
  void look(boolean closed) {
    for (var lease : book.all())
      lease
          .gang()
          .ifPresent(part -> {
            happened(lease, part);
            if (!lease.gone()) act(lease, part, closed);
            if (part.takeNews()) sync.now();
          });
  }

  private void happened(HeldLease lease, GangPart part) {
    var run = lease.onlyRun();
    if (run.isPresent() && run.get().state() instanceof RunState.Prepared)
      part.become(part.member().prepared());
    if (run.isPresent() && run.get().state() instanceof RunState.Awaiting end) exited(part, end);
    if (lease.isDone(lease.ref.start())) part.become(part.member().published());
    lease.failure().ifPresent(f -> failed(part, f));
    if (lease.ending() && part.member().stage().compareTo(GangStage.RUNNING) < 0)
      part.become(
          part.member().troubled(new Trouble(Cause.RETURNED, false, "the worker is to end")));
  }

  private void exited(GangPart part, RunState.Awaiting end) {
    var member = part.member().exited(end.exitCode(), moment.now().wall());
    if (end.exitCode() != 0) member = member.troubled(new Trouble(end.cause(), false, text(end)));
    part.become(member);
  }

  private static String text(RunState.Awaiting end) {
    var ended = "the task ended with " + end.exitCode();
    return end.text().isBlank() ? ended : ended + ": " + end.text();
  }

  private static void failed(GangPart part, Failure failure) {
    part.become(
        part.member()
            .troubled(
                new Trouble(
                    failure.cause(), failure.exitCode() == Tasks.UNFIT, failure.evidence())));
  }

  private void act(HeldLease lease, GangPart part, boolean closed) {
    switch (part.member().busy()) {
      case PREPARE -> {
        if (!closed) prepare(lease, part);
      }
      case START -> lease.onlyRun().ifPresent(run -> start(run, part));
      case PUBLISH -> lease.onlyRun().ifPresent(this::publish);
      case KILL -> kill(lease, part);
      case NONE -> {}
    }
  }

  /** The list, what is done already, room, and then everything that a start needs. */
  private void prepare(HeldLease lease, GangPart part) {
    if (lease.onlyRun().isPresent()) return;
    if (lease.sheet().isEmpty()) book.sheet(lease.ref.job()).ifPresent(lease::sheet);
    if (lease.sheet().isEmpty()) return;
    var sheet = lease.sheet().get();
    if (!lease.surveyed()) {
      book.opening().proceed(lease);
      return;
    }
    if (part.order().rank() == 0 && lease.isDone(lease.ref.start())) {
      part.become(part.member().found());
      return;
    }
    var item = book.items().item(sheet, lease.ref.start());
    var gpus = capacity.fit(sheet.spec().resources());
    if (item.isPresent() && gpus.isPresent()) tasks.prepare(lease, sheet, item.get(), gpus.get());
    else if (item.isEmpty())
      part.become(
          part.member()
              .troubled(
                  new Trouble(
                      Cause.INFRASTRUCTURE, false, "the task list has no line for this task")));
  }

  private void start(TaskRun run, GangPart part) {
    if (!(run.state() instanceof RunState.Prepared)) return;
    var slice = run.sheet.spec().gang() <= 1;
    tasks.start(run, GangEnvironment.of(part.order(), slice));
    part.become(part.member().began());
  }

  private void publish(TaskRun run) {
    if (run.state() instanceof RunState.Awaiting) tasks.publisher().begin(run);
  }

  private void kill(HeldLease lease, GangPart part) {
    var run = lease.onlyRun();
    if (run.isEmpty()) {
      part.become(part.member().killed());
      return;
    }
    if (run.get().state() instanceof RunState.Killing) return;
    tasks.kill(run.get(), Optional.empty(), "its gang is ended", grace(run.get()));
    if (lease.onlyRun().isEmpty()) part.become(part.member().killed());
  }

  private static Duration grace(TaskRun run) {
    return run.sheet.spec().run().grace();
  }
}
