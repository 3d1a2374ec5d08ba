package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.port.CloudMachine;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The labels of a machine in the cloud. Cleanup finds machines by the first three; the others are
 * for bills, which BigQuery sums by label. A repeat of an order has the same labels.
 */
public final class MachineLabels {
  private static final int LONGEST = 63;

  private MachineLabels() {}

  public static Map<String, String> of(Cluster cluster, PoolSpec pool, Worker worker) {
    var labels = new HashMap<String, String>();
    labels.put(CloudMachine.CLUSTER, cluster.uid());
    labels.put(CloudMachine.POOL, pool.name());
    labels.put(CloudMachine.WORKER, worker.name());
    worker.launchedFor().ifPresent(it -> labels.put(CloudMachine.JOB, value(it.job())));
    worker
        .launchedFor()
        .flatMap(LaunchedFor::owner)
        .or(() -> cluster.spec().owner())
        .ifPresent(owner -> labels.put(CloudMachine.OWNER, value(owner)));
    return labels;
  }

  /**
   * The text as a label's value: at most 63 lower-case letters, digits, {@code _} and {@code -}
   * (cloud.google.com/compute/docs/labeling-resources). An owner is often an e-mail address.
   */
  private static String value(String text) {
    var plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "-");
    return plain.substring(0, Math.min(LONGEST, plain.length()));
  }
}
