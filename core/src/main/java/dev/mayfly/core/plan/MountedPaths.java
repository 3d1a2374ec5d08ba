package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.veto.InfeasibleReason;
import dev.mayfly.core.plan.veto.InfeasibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Checks that each pool that may run a job mounts the storage that its command and environment
 * name, by path or by variable. What a program in the job's code opens is not seen.
 *
 * <p><b>Must:</b> refuse nothing that can work. So only storage counts that the cluster defines and
 * a pool leaves out; a path counts only where it begins a word, and not for a job with an image,
 * which may have the folder itself; {@code ${MAYFLY_MOUNT_DATA:-…}} has another choice. {@link
 * UnmountedPaths} warns of paths that nothing has.
 */
final class MountedPaths {
  /** What stands before a path that is not one of this machine, or not all of one. */
  static final String BEGINNING = "(?<![\\w.$})/~:@*-])(?<![\\w})][\"'])";

  private static final String END = "(?![\\w.-])";

  private MountedPaths() {}

  /** Empty if no pool that may run the job lacks what it names. */
  static Optional<InfeasibleReason> check(JobSpec job, ClusterSpec cluster) {
    if (cluster.storages().isEmpty()) return Optional.empty();
    var pools = cluster.pools().stream().filter(p -> Feasibility.mayRun(job, p)).toList();
    for (var text : texts(job).entrySet())
      for (var storage : cluster.storages()) {
        var named = named(text.getValue(), storage, job.in(cluster).run().image().isEmpty());
        var lacking =
            pools.stream().filter(p -> !has(cluster, p, storage)).map(PoolSpec::name).toList();
        if (named.isEmpty() || lacking.isEmpty()) continue;
        var having = new ArrayList<>(pools.stream().map(PoolSpec::name).toList());
        having.removeAll(lacking);
        return Optional.of(
            InfeasibleText.notMounted(
                text.getKey(), named.get(), storage, lacking, having, cluster));
      }
    return Optional.empty();
  }

  /** By field: the command's words, and each variable. */
  static Map<String, String> texts(JobSpec job) {
    var texts = new LinkedHashMap<String, String>();
    texts.put("command", String.join("\n", job.run().command()));
    new TreeMap<>(job.run().env()).forEach((name, value) -> texts.put("env." + name, value));
    return texts;
  }

  /** The path or variable in the text. */
  private static Optional<String> named(String text, StorageSpec storage, boolean paths) {
    var variable = storage.mount().variable().orElseThrow();
    if (Pattern.compile("\\$(" + variable + "\\b|\\{" + variable + "})").matcher(text).find())
      return Optional.of("$" + variable);
    if (!paths) return Optional.empty();
    var path = Pattern.quote(storage.path());
    return Pattern.compile(BEGINNING + path + END).matcher(text).find()
        ? Optional.of(storage.path())
        : Optional.empty();
  }

  /** Whether its machines have the storage, or another file system around its path. */
  private static boolean has(ClusterSpec cluster, PoolSpec pool, StorageSpec storage) {
    return cluster.mountsOf(pool).stream()
        .map(Mount::path)
        .anyMatch(path -> (storage.path() + "/").startsWith(path + "/"));
  }
}
