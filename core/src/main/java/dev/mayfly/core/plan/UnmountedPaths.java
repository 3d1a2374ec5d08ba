package dev.mayfly.core.plan;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds paths in a job's command and environment that look like shared storage, and that no machine
 * of a pool has a file system for: a misspelt mount.
 *
 * <p><b>Must:</b> only warn, because a boot image may have the folder, and a path may be text.
 *
 * <p><b>Goals:</b> name each path once; say nothing of jobs with an image, which has folders of its
 * own, nor of static workers, whose file systems are not known.
 */
public final class UnmountedPaths {
  /** Where people mount file systems. */
  private static final Set<String> USUAL =
      Set.of("mnt", "data", "datasets", "nfs", "gcs", "scratch", "shared", "vol", "volumes");

  /** Where machines have folders of their own, beside a mount. */
  private static final Set<String> SYSTEM =
      Set.of(
          "bin", "dev", "etc", "home", "lib", "opt", "proc", "root", "run", "srv", "sys", "tmp",
          "usr", "var");

  private static final Pattern PATH =
      Pattern.compile(MountedPaths.BEGINNING + "/[\\w.+@-]+(?:/[\\w.+@-]+)*");

  private UnmountedPaths() {}

  /** A warning for each such path, with the job's field. */
  public static List<InputError> of(JobSpec job, ClusterSpec cluster) {
    if (job.in(cluster).run().image().isPresent()) return List.of();
    var pools =
        cluster.pools().stream()
            .filter(p -> p.provisioning() != Provisioning.STATIC && Feasibility.mayRun(job, p))
            .toList();
    var warnings = new ArrayList<InputError>();
    var known = paths(cluster);
    var named = new LinkedHashSet<String>();
    MountedPaths.texts(job)
        .forEach((field, text) ->
            PATH.matcher(text)
                .results()
                .map(found -> found.group())
                .filter(path -> isSuspect(path, known))
                .filter(path -> named.add(path))
                .forEach(path -> {
                  var lacking = pools.stream().filter(p -> !covers(cluster, p, path)).toList();
                  if (!lacking.isEmpty()) warnings.add(warning(field, path, lacking, known));
                }));
    return warnings;
  }

  private static List<String> paths(ClusterSpec cluster) {
    return Stream.concat(
            cluster.mounts().stream().map(Mount::path),
            cluster.storages().stream().map(StorageSpec::path))
        .distinct()
        .toList();
  }

  private static boolean isSuspect(String path, List<String> known) {
    // What is mounted somewhere is checked as storage, and refused.
    if (known.stream().anyMatch(mount -> isBelow(path, mount))) return false;
    var first = path.split("/")[1];
    if (SYSTEM.contains(first)) {
      var beside = known.stream().filter(mount -> isBelow(mount, "/" + first)).toList();
      return !suggestion(path, beside).isEmpty();
    }
    return USUAL.contains(first)
        || known.stream().anyMatch(mount -> isBelow(mount, "/" + first))
        || !suggestion(path, known).isEmpty();
  }

  private static boolean covers(ClusterSpec cluster, PoolSpec pool, String path) {
    return cluster.mountsOf(pool).stream().anyMatch(mount -> isBelow(path, mount.path()));
  }

  private static boolean isBelow(String path, String folder) {
    return (path + "/").startsWith(folder + "/");
  }

  /** A mount whose path is nearly the beginning of this one. */
  private static String suggestion(String path, List<String> known) {
    var parts = path.split("/");
    return known.stream()
        .map(mount -> {
          var depth = Math.min(mount.split("/").length, parts.length);
          var beginning = String.join("/", List.of(parts).subList(0, depth));
          return SpellingSuggestion.hint(beginning, List.of(mount));
        })
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static InputError warning(
      String field, String path, List<PoolSpec> lacking, List<String> known) {
    var suggestion = suggestion(path, known);
    return new InputError(
        field,
        "names %s, and the machines of %s mount nothing there%s"
            .formatted(
                path,
                lacking.stream().map(PoolSpec::name).collect(Collectors.joining(", ")),
                suggestion.isEmpty()
                    ? (known.isEmpty()
                            ? "; the cluster has no mounts"
                            : "; its mounts are " + String.join(", ", known))
                        + ", so it is only right if the boot image has that folder"
                    : suggestion));
  }
}
