package dev.mayfly.core.query;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.state.worker.SliceHosts;
import java.util.List;

/**
 * What tasks use of a cluster's ready workers. A slice counts with all of its hosts, on each of
 * which its task runs. A lease counts with the tasks that fit beside the others: more may be
 * granted, and wait on the worker.
 */
record ResourceUse(Resources used, Resources total) {
  static ResourceUse of(List<Worker> workers) {
    var used = Resources.ZERO;
    var total = Resources.ZERO;
    for (var worker : workers) {
      if (!(worker.state() instanceof WorkerState.Ready)) continue;
      var hosts = SliceHosts.count(worker);
      total = total.plus(worker.total().times(hosts));
      used = used.plus(used(worker).times(hosts));
    }
    return new ResourceUse(used, total);
  }

  /** Of each of its hosts. */
  private static Resources used(Worker worker) {
    var used = Resources.ZERO;
    var free = FreeResources.of(worker.total());
    for (var held : worker.held()) {
      var running = Math.min(held.atOnce(), free.slots(held.need()));
      used = used.plus(free.taken(held.need()).times(running));
      free = free.without(held.need(), running);
    }
    return used;
  }
}
