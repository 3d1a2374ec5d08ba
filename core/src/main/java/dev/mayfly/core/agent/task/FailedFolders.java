package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.sync.SyncOrders;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Folders of failed attempts of jobs that say {@code keepFailed}. Only the control plane knows
 * whether a failure was a task's last: a folder stays until orders neither name its lease nor it.
 */
public final class FailedFolders {
  /** More would fill the disk, if many tasks of a long lease fail. */
  static final int MOST = 3;

  private final AgentContext agentContext;
  private final Map<TaskAttempt, FailedFolder> folders = new LinkedHashMap<>();

  FailedFolders(AgentContext agentContext) {
    this.agentContext = agentContext;
  }

  /** An attempt has failed: its folder may be asked for. */
  void failed(TaskRun run, FailureCause cause) {
    var wanted = run.jobInfo.spec().run().taskEnvironment().keepFailed().isPresent();
    if (!wanted || !cause.showsOnMachine() || folders.size() >= MOST) return;
    run.folder.ifPresent(path -> folders.put(run.taskAttempt, folder(run.taskAttempt, path)));
  }

  private static FailedFolder folder(TaskAttempt of, String path) {
    return new FailedFolder(of.lease().job(), of.index(), of.name(), path);
  }

  /** A host of a gang is told to end what it has: its own command may have failed before. */
  void exited(TaskRun run) {
    if (run.state() instanceof RunState.AwaitingGang awaiting && !awaiting.ending().succeeded())
      failed(run, awaiting.ending().cause());
  }

  /** Deletes the folder of an attempt that has ended, unless it may be asked for. */
  void ended(TaskAttempt attempt) {
    if (!folders.containsKey(attempt)) delete(attempt);
  }

  /** All of them, for the next report. */
  public Optional<List<FailedFolder>> all() {
    return folders.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(folders.values()));
  }

  /** Deletes those that nobody wants. */
  public void ordered(SyncOrders orders) {
    if (orders.folders().isEmpty()) return;
    var named = orders.folders().get();
    var open = new HashSet<LeaseRef>();
    orders.leases().forEach(lease -> open.add(lease.ref()));
    orders.gang().forEach(order -> open.add(order.lease()));
    var over =
        folders.entrySet().stream()
            .filter(held -> !open.contains(held.getKey().lease()))
            .filter(held -> !named.contains(held.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    for (var attempt : over) {
      folders.remove(attempt);
      delete(attempt);
    }
  }

  private void delete(TaskAttempt attempt) {
    agentContext.emit(new AgentEffect.DeleteWorkDir(attempt));
  }
}
