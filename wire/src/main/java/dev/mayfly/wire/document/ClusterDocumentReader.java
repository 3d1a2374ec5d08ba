package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskPrivileges;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a Cluster document as a command. */
final class ClusterDocumentReader {
  private final FieldReader fieldReader;

  ClusterDocumentReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  UserCommand command() {
    var pools = pools();
    return new UserCommand.ApplyCluster(
        new ClusterSpec(
            fieldReader.name("name"),
            bucket(),
            fieldReader.env("env"),
            pools,
            fieldReader.text("owner"),
            fieldReader.secrets("secrets"),
            fieldReader.text("image"),
            fieldReader.registries("registries"),
            mounts(),
            rollout(),
            allows(),
            outputPrefixes(),
            budget(pools)),
        formerly());
  }

  private Optional<String> formerly() {
    var formerly = fieldReader.text("formerly");
    if (formerly.filter(fieldReader.name("name")::equals).isPresent())
      fieldReader.addProblem("formerly", "it is the present name; leave it out");
    return formerly;
  }

  private TaskPrivileges allows() {
    var allowed = fieldReader.texts("allow");
    return new TaskPrivileges(allowed.contains("root"), allowed.contains("metadata"));
  }

  private RolloutSpec rollout() {
    var rollout = fieldReader.child("rollout");
    var usual = RolloutSpec.DEFAULT;
    return new RolloutSpec(
        rollout.duration("within", usual.within(), Duration.ofSeconds(1), Duration.ofDays(30)),
        Math.clamp(rollout.integer("percent", usual.percent()), 1, 100));
  }

  private String bucket() {
    return fieldReader.read("bucket", ClusterDocumentReader::place).orElse("");
  }

  /** Removes trailing slashes. */
  private static String place(String text) {
    var end = text.length();
    while (end > 0 && text.charAt(end - 1) == '/') end--;
    var objectUrl = ObjectUrl.of(text.substring(0, end));
    return objectUrl.name().isEmpty() ? objectUrl.root() : objectUrl.toString();
  }

  private List<String> outputPrefixes() {
    var places = new ArrayList<String>();
    var rows = fieldReader.texts("outputPrefixes");
    for (var i = 0; i < rows.size(); i++)
      try {
        places.add(place(rows.get(i)));
      } catch (IllegalArgumentException noPlace) {
        fieldReader.addProblem("outputPrefixes[" + i + "]", String.valueOf(noPlace.getMessage()));
      }
    return places;
  }

  private List<PoolSpec> pools() {
    var pools = new ArrayList<PoolSpec>();
    var names = new HashSet<String>();
    for (var pool : fieldReader.children("pools")) {
      if (!names.add(pool.name("name")) && !pool.name("name").isEmpty())
        pool.addProblem(
            "name", "'" + pool.name("name") + "' is another pool's name too; choose another one");
      pools.addAll(new PoolReader(pool).pools());
    }
    return pools;
  }

  /** The file systems of the cluster's machines. */
  private List<Mount> mounts() {
    var mounts = new ArrayList<Mount>();
    var paths = new HashSet<String>();
    for (var mount : fieldReader.children("mounts")) {
      if (!paths.add(mount.name("path")))
        mount.addProblem("path", "'" + mount.name("path") + "' is also another mount's");
      mount(mount).ifPresent(mounts::add);
    }
    return mounts;
  }

  /** Empty after a reported problem. */
  private static Optional<Mount> mount(FieldReader mount) {
    var nfs = mount.text("nfs");
    var bucket = mount.text("bucket");
    if (nfs.isPresent() == bucket.isPresent())
      mount.addProblem("nfs", "write either nfs: host:/path or bucket: name");
    var source = nfs.or(() -> bucket).orElse("");
    var path = mount.name("path");
    if (!Mount.isWord(source) || !Mount.isWord(path)) return Optional.empty();
    var kind = nfs.isPresent() ? Mount.Kind.NFS : Mount.Kind.GCS;
    return Optional.of(new Mount(kind, source, path, mount.flag("readOnly")));
  }

  /** The budget, with a price for each machine type. */
  private Optional<HourlyBudget> budget(List<PoolSpec> pools) {
    if (fieldReader.mapping().get("budget").isEmpty()) return Optional.empty();
    var inner = fieldReader.child("budget");
    var budget = new HourlyBudget(inner.number("usdPerHour", 0), prices(inner.child("prices")));
    var unpriced = new LinkedHashSet<String>();
    for (var pool : pools)
      if (budget.price(pool.machineType(), pool.provisioning()).isEmpty())
        unpriced.add(pool.machineType());
    for (var missing : unpriced)
      inner.addProblem(
          "prices",
          "has no price for %s; write what one costs an hour, for example {%s: 1.25}"
              .formatted(missing, missing));
    return Optional.of(budget);
  }

  private static Map<String, Double> prices(FieldReader prices) {
    var usd = new LinkedHashMap<String, Double>();
    prices
        .mapping()
        .fields()
        .forEach((type, price) -> {
          if (price instanceof SyntaxNode.Literal(BigDecimal number, _, _))
            usd.put(type, number.doubleValue());
        });
    return usd;
  }
}
