package dev.mayfly.core.plan;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which of a cluster's file systems are nearly full, by what its workers report. One that is shared
 * is reported by many: the newest report counts.
 */
public final class FullStorage {
  /** From so many percent on it is warned of. */
  private static final int FULL = 90;

  /** Below so many percent it may be warned of again. */
  private static final int RELIEVED = 85;

  private FullStorage() {}

  /** Those that are nearly full, by name. */
  public static List<MountUse> of(Collection<Worker> workers) {
    return newest(workers).values().stream().filter(use -> use.percent() >= FULL).toList();
  }

  /** How full each is, by name; without those of workers that are gone. */
  public static Map<String, MountUse> newest(Collection<Worker> workers) {
    var uses = new TreeMap<String, MountUse>();
    var times = new TreeMap<String, Instant>();
    for (var worker : workers)
      if (worker.state().live()) worker.mounts().ifPresent(measured -> add(measured, uses, times));
    return uses;
  }

  private static void add(
      MeasuredMounts measured, Map<String, MountUse> uses, Map<String, Instant> times) {
    for (var use : measured.uses()) {
      var known = times.get(use.label());
      if (known != null && !measured.at().isAfter(known)) continue;
      uses.put(use.label(), use);
      times.put(use.label(), measured.at());
    }
  }

  /**
   * The names to remember as warned of: what became full, without what is relieved. What no worker
   * reports stays.
   */
  public static List<String> warned(List<String> before, Collection<Worker> workers) {
    var warned = new TreeMap<String, Boolean>();
    before.forEach(name -> warned.put(name, true));
    newest(workers)
        .forEach((name, use) -> {
          if (use.percent() >= FULL) warned.put(name, true);
          else if (use.percent() < RELIEVED) warned.remove(name);
        });
    return List.copyOf(warned.keySet());
  }

  /** For example {@code data (/mnt/data) is 93 % full: 71.7 GiB of 1024 GiB are free}. */
  public static String text(MountUse use) {
    var name = use.storage().map(n -> n + " (" + use.path() + ")").orElse(use.path());
    return "storage %s is %d %% full: %s GiB of %s GiB are free"
        .formatted(name, use.percent(), gib(use.freeBytes()), gib(use.totalBytes()));
  }

  private static String gib(long bytes) {
    return HumanAmounts.number(Math.round(bytes / 107374182.4) / 10.0);
  }
}
