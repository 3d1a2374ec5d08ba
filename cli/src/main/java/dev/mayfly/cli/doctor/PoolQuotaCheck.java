package dev.mayfly.cli.doctor;

import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.catalog.MachineKind;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How many workers of a pool fit into what is left of the quotas. TPUs have quotas of their own,
 * which are named where Compute Engine makes them, and machines of one's own have none.
 *
 * @param quotas by region and metric; {@link QuotaCheck#PROJECT} for those of the whole project
 */
record PoolQuotaCheck(Map<String, Map<String, Quota>> quotas, String project) {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** The workers that fit, and the quota that keeps out the next one. */
  private record Room(int workers, String tightest) {
    Room least(Room other) {
      return other.workers < workers ? other : this;
    }
  }

  /** Empty for a pool without a quota that could be compared. */
  Optional<CheckResult> check(PoolSpec pool) {
    if (pool.provisioning() == Provisioning.STATIC || pool.machine().tpu().isPresent())
      return Optional.empty();
    var about = "pool " + pool.name();
    var room = room(pool);
    if (room.workers() >= pool.max() && MachineKind.of(pool) == MachineKind.TPU_VM)
      return chips(pool, about);
    if (room.workers() == NO_LIMIT) return Optional.empty();
    if (room.workers() >= pool.max())
      return Optional.of(CheckResult.ok(about, "the quotas allow its " + pool.max() + " workers"));
    var text = "the quotas allow %d of %d workers: %s";
    var told = text.formatted(room.workers(), pool.max(), room.tightest());
    return Optional.of(
        room.workers() == 0
            ? CheckResult.wrong(about, told, Quota.page(project))
            : CheckResult.note(about, told, Quota.page(project)));
  }

  /** They are counted by generation, in a list that a region's quotas are not. */
  private Optional<CheckResult> chips(PoolSpec pool, String about) {
    var taken = TpuMachine.quotas(pool.machineType(), pool.provisioning());
    if (taken.isEmpty()) return Optional.empty();
    return Optional.of(
        CheckResult.note(
            about,
            "the chips of %s take Compute Engine's quota %s, which is apart from Cloud TPU's and is not read here"
                .formatted(pool.machineType(), String.join(", then ", taken)),
            "gcloud beta quotas info describe %s --service=compute.googleapis.com --project=%s"
                .formatted(taken.getFirst(), project)));
  }

  private Room room(PoolSpec pool) {
    var regions =
        pool.zones().stream()
            .map(StorageLocation::region)
            .distinct()
            .filter(quotas::containsKey)
            .toList();
    var all = new Room(regions.isEmpty() ? NO_LIMIT : 0, "");
    for (var region : regions) {
      var here = least(quotas.getOrDefault(region, Map.of()), needs(pool, region));
      var sum = (long) all.workers() + here.workers();
      all = new Room((int) Math.min(NO_LIMIT, sum), here.tightest());
    }
    return all.least(least(quotas.getOrDefault(QuotaCheck.PROJECT, Map.of()), everywhere(pool)));
  }

  private static Room least(Map<String, Quota> have, Map<String, Double> needs) {
    var least = new Room(NO_LIMIT, "");
    for (var need : needs.entrySet()) {
      var quota = have.get(need.getKey());
      if (quota == null || need.getValue() <= 0) continue;
      var workers = (int) Math.min(NO_LIMIT, quota.free() / need.getValue());
      var why = "%s, and one takes %.0f".formatted(quota.text(), Math.ceil(need.getValue()));
      least = least.least(new Room(workers, why));
    }
    return least;
  }

  /** What one worker takes of a region's quotas. */
  private Map<String, Double> needs(PoolSpec pool, String region) {
    var have = quotas.getOrDefault(region, Map.of());
    var needs = new LinkedHashMap<String, Double>();
    cpus(pool).ifPresent(cpus -> needs.put(cpuMetric(pool, have), cpus));
    gpuMetric(pool, have).ifPresent(metric -> needs.put(metric, gpus(pool)));
    BootDisk.of(pool)
        .ifPresent(disk ->
            disk.type()
                .flatMap(PoolQuotaCheck::diskMetric)
                .ifPresent(metric -> needs.put(metric, (double) disk.sizeGb())));
    return needs;
  }

  private static Map<String, Double> everywhere(PoolSpec pool) {
    var needs = new LinkedHashMap<String, Double>();
    cpus(pool).ifPresent(cpus -> needs.put("CPUS_ALL_REGIONS", cpus));
    needs.put("GPUS_ALL_REGIONS", gpus(pool));
    return needs;
  }

  /** Those of machines with TPUs come with the chips. */
  private static Optional<Double> cpus(PoolSpec pool) {
    return MachineTypes.shape(pool.machineType())
        .filter(shape -> shape.tpuChips() == 0)
        .map(shape -> Math.ceil(shape.cpuMillis() / 1000.0));
  }

  private static double gpus(PoolSpec pool) {
    return pool.machine()
        .gpu()
        .map(gpu -> (double) gpu.count())
        .or(() -> MachineTypes.predefined(pool.machineType()).map(it -> (double) it.gpus()))
        .orElse(0.0);
  }

  /** Spot machines take a quota of their own where the project has one, and else the usual. */
  private static String cpuMetric(PoolSpec pool, Map<String, Quota> have) {
    var family = CatalogEntry.familyOf(pool.machineType()).toUpperCase(Locale.ROOT) + "_CPUS";
    if (spot(pool) && some(have, "PREEMPTIBLE_CPUS")) return "PREEMPTIBLE_CPUS";
    if (have.containsKey(family)) return family;
    // Newer families are counted one by one, in a list that this is not.
    return family.matches("(E2|N1)_CPUS") ? "CPUS" : family;
  }

  private static Optional<String> gpuMetric(PoolSpec pool, Map<String, Quota> have) {
    var model =
        pool.machine()
            .gpu()
            .map(gpu -> gpu.type())
            .or(() -> MachineTypes.predefined(pool.machineType()).flatMap(CatalogEntry::gpuModel));
    if (model.isEmpty()) return Optional.empty();
    var word = model.get().replaceFirst("^nvidia-(tesla-)?", "").replace('-', '_');
    var exact = "NVIDIA_" + word.toUpperCase(Locale.ROOT) + "_GPUS";
    var metric = have.containsKey(exact) ? exact : exact.replaceFirst("_\\d+GB_GPUS$", "_GPUS");
    var preemptible = "PREEMPTIBLE_" + metric;
    return Optional.of(spot(pool) && some(have, preemptible) ? preemptible : metric);
  }

  private static Optional<String> diskMetric(String type) {
    return switch (type) {
      case "pd-standard" -> Optional.of("DISKS_TOTAL_GB");
      case "pd-balanced", "pd-ssd" -> Optional.of("SSD_TOTAL_GB");
      case "hyperdisk-balanced" -> Optional.of("HDB_TOTAL_GB");
      default -> Optional.empty();
    };
  }

  private static boolean spot(PoolSpec pool) {
    return pool.provisioning() == Provisioning.SPOT
        || pool.provisioning() == Provisioning.FLEX_START;
  }

  private static boolean some(Map<String, Quota> have, String metric) {
    return Optional.ofNullable(have.get(metric)).filter(Quota::some).isPresent();
  }
}
