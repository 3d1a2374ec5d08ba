package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskPrivileges;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
            new MountsReader(fieldReader).mounts(),
            rollout(),
            allows(),
            outputPrefixes(),
            new BudgetReader(fieldReader, pools).budget()),
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
    var rows = fieldReader.list("pools");
    for (var i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof SyntaxNode.Mapping mapping)) continue;
      var pool = new FieldReader(mapping, "pools[" + i + "]", fieldReader.problems());
      if (!names.add(pool.name("name")) && !pool.name("name").isEmpty())
        pool.addProblem(
            "name", "'" + pool.name("name") + "' is another pool's name too; choose another one");
      pools.addAll(new PoolReader(pool).pools());
    }
    return pools;
  }
}
