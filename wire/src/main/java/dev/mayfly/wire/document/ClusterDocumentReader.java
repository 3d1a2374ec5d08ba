package dev.mayfly.wire.document;

import dev.mayfly.core.catalog.MountClients;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.cluster.ImageMirrors;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskRights;
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
    var storageReader = new StorageReader(fieldReader);
    var mounts = storageReader.mounts();
    var storage = storageReader.storage();
    storageReader.checkPools(storage);
    var spec =
        new ClusterSpec(
            fieldReader.name("name"),
            bucket(),
            fieldReader.env("env"),
            pools,
            fieldReader.text("owner"),
            fieldReader.secrets("secrets"),
            fieldReader.text("image"),
            fieldReader.registries("registries"),
            mounts,
            rollout(),
            allows(),
            outputPrefixes(),
            budget(pools),
            new SetupReader(fieldReader).setup(),
            Optional.of(storage),
            limits(),
            mirrors(),
            new NotificationReader(fieldReader).notifications(),
            unusedAfter());
    checkMounts(spec);
    return new UserCommand.ApplyCluster(spec, formerly(), fieldReader.flag("confirm"));
  }

  /** Reports pools whose machines could not mount what is defined, and so would run no task. */
  private void checkMounts(ClusterSpec spec) {
    for (var pool : fieldReader.children("pools"))
      spec.pools().stream()
          .filter(read -> read.family().equals(pool.name("name")))
          .flatMap(read -> MountClients.whyUnmounted(spec, read).stream())
          .findFirst()
          .ifPresent(why -> pool.child("machine").addProblem("image", why));
  }

  private Optional<String> formerly() {
    var formerly = fieldReader.text("formerly");
    if (formerly.filter(fieldReader.name("name")::equals).isPresent())
      fieldReader.addProblem("formerly", "it is the present name; leave it out");
    return formerly;
  }

  private TaskRights allows() {
    var allowed = fieldReader.texts("allow");
    return new TaskRights(
        allowed.contains("root"), allowed.contains("metadata"), allowed.contains("submitter"));
  }

  /** Mirrors need an image whose folder they hold. */
  private Map<String, String> mirrors() {
    var mirrors = fieldReader.child("mirrors").scalars();
    var image = fieldReader.text("image");
    if (!mirrors.isEmpty() && image.map(ImageMirrors::folder).orElse("").isEmpty())
      fieldReader.addProblem(
          "mirrors",
          image
              .map(name ->
                  "'%s' names no registry; write image: REGISTRY/FOLDER/%s".formatted(name, name))
              .orElse("are of the cluster's image; write it in image"));
    return mirrors;
  }

  /** Zero is never. */
  private Optional<Duration> unusedAfter() {
    if (fieldReader.text("unusedAfter").filter("never"::equals).isPresent())
      return Optional.of(Duration.ZERO);
    var usual = ClusterSpec.UNUSED_AFTER;
    var told =
        fieldReader.duration("unusedAfter", usual, Duration.ofHours(1), Duration.ofDays(365));
    return fieldReader.mapping().get("unusedAfter").map(_ -> told);
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
      pools.addAll(PoolReader.all(pool));
    }
    return pools;
  }

  /** The budget; by the hour, it has a price for each machine type. */
  private Optional<Budget> budget(List<PoolSpec> pools) {
    if (fieldReader.mapping().get("budget").isEmpty()) return Optional.empty();
    var inner = fieldReader.child("budget");
    var budget =
        new Budget(
            given(inner, "usdPerHour").map(field -> inner.number(field, 0)),
            prices(inner.child("prices")),
            given(inner, "usdPerMonth").map(field -> inner.number(field, 0)));
    if (budget.usdPerHour().isEmpty()) return Optional.of(budget);
    var unpriced = new LinkedHashSet<String>();
    for (var pool : pools)
      if (!pool.machineType().isEmpty()
          && budget.price(pool.machineType(), pool.provisioning()).isEmpty())
        unpriced.add(pool.machineType());
    for (var missing : unpriced)
      inner.addProblem(
          "prices",
          "has no price for %s; write what one costs an hour, for example {%s: 1.25}"
              .formatted(missing, missing));
    return Optional.of(budget);
  }

  private Optional<ClusterLimits> limits() {
    var fields = fieldReader.mapping();
    if (fields.get("limits").isEmpty() && fields.get("fairShare").isEmpty())
      return Optional.empty();
    var inner = fieldReader.child("limits");
    var owners = inner.child("owners");
    var most = new LinkedHashMap<String, Long>();
    var weights = new LinkedHashMap<String, Double>();
    owners
        .mapping()
        .fields()
        .forEach((owner, says) -> {
          if (says instanceof SyntaxNode.Literal) most.put(owner, owners.integer(owner, 0));
          var it = owners.child(owner);
          given(it, "concurrency").ifPresent(field -> most.put(owner, it.integer(field, 0)));
          given(it, "weight").ifPresent(field -> weights.put(owner, it.number(field, 1)));
        });
    return Optional.of(
        new ClusterLimits(
                given(inner, "ownerConcurrency").map(field -> inner.integer(field, 0)),
                most,
                given(inner, "confirmTasks").map(field -> inner.integer(field, 0)),
                given(inner, "confirmUsdPerHour").map(field -> inner.number(field, 0)),
                AdmissionReader.maxRunTime(inner))
            .sharing(new FairShareSpec(positive(weights), halfLife())));
  }

  private Optional<Duration> halfLife() {
    var inner = fieldReader.child("fairShare");
    var day = Duration.ofDays(1);
    var told = inner.duration("halfLife", day, Duration.ofMinutes(10), Duration.ofDays(365));
    return inner.mapping().get("halfLife").map(_ -> told).filter(Duration::isPositive);
  }

  /** What is not is refused by the schema. */
  private static Map<String, Double> positive(Map<String, Double> weights) {
    weights.values().removeIf(weight -> !(weight > 0));
    return weights;
  }

  private static Optional<String> given(FieldReader reader, String field) {
    return reader.mapping().get(field).map(_ -> field);
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
