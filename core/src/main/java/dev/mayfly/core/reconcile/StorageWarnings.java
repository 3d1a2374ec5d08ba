package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.FullStorage;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import java.util.ArrayList;
import java.util.List;

/** Records that a file system became nearly full, once until it is relieved. */
record StorageWarnings(Context context) {
  /** True if the cluster was changed for it; another reconcile then continues. */
  boolean update(VersionedDocument<Cluster> storedCluster, List<Worker> workers) {
    var cluster = storedCluster.value();
    var warned = FullStorage.warned(cluster.fullStorage(), workers);
    if (warned.equals(cluster.fullStorage())) return false;
    var writes = new ArrayList<LedgerWrite>();
    writes.add(new LedgerWrite.Update(cluster.withFullStorage(warned), storedCluster.version()));
    for (var use : FullStorage.of(workers))
      if (!cluster.fullStorage().contains(use.label()))
        writes.add(
            new LedgerWrite.Put(
                context.event(
                    cluster.uid(),
                    "storage/" + use.label(),
                    "full",
                    FullStorage.text(use) + "; delete what nobody needs, or make it larger")));
    var committed = context.ledger().commit(writes);
    if (committed.done()) TriggerSender.send(context.bus(), new Trigger.Reconcile(cluster.uid()));
    return committed.done();
  }
}
