package dev.mayfly.core.state.job;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.sync.JobInfo;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Builds what an agent must know of a job. The hash covers all content, including what comes from
 * the cluster: after a change of the cluster, an agent takes the new info, and tasks that start
 * from then on follow it.
 */
final class JobInfoBuilder {
  private JobInfoBuilder() {}

  static JobInfo of(Job job, ClusterSpec cluster) {
    return new JobInfo(
        job.uid(),
        hash(job, cluster),
        job.effectiveSpec(cluster),
        cluster.bucket(),
        cluster.env(),
        job.tasks().count(),
        job.tasks().items(),
        Optional.of(job.since()));
  }

  /**
   * The job's own hash covers its spec and its tasks, which never change once they run; the digest
   * of its image's tag is known only then.
   */
  private static String hash(Job job, ClusterSpec cluster) {
    var text = new StringBuilder();
    add(text, job.hash());
    add(text, job.since().toString());
    add(text, cluster.bucket());
    add(text, cluster.image().orElse(""));
    add(text, job.effectiveSpec(cluster).run().image().orElse(""));
    add(text, job.effectiveSpec(cluster).run().rights().toString());
    add(text, cluster.env());
    add(text, cluster.secrets());
    add(text, cluster.registries());
    add(text, cluster.mirrors());
    return Sha256.of(text.toString());
  }

  private static void add(StringBuilder text, Map<String, String> some) {
    text.append(some.size()).append(';');
    new TreeMap<>(some)
        .forEach((name, value) -> {
          add(text, name);
          add(text, value);
        });
  }

  /** Prefixed by its length, so that different contents never give the same text. */
  private static void add(StringBuilder text, String value) {
    text.append(value.length()).append(':').append(value);
  }
}
