package dev.mayfly.wire.document;

import dev.mayfly.core.error.Problem;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.MachineTypes;
import dev.mayfly.core.port.Url;
import dev.mayfly.wire.source.Node;
import dev.mayfly.wire.text.Amounts;
import dev.mayfly.wire.text.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** A Cluster document as a command. */
final class ClusterForm {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Form form;

  ClusterForm(Form form) {
    this.form = form;
  }

  Command command() {
    return new Command.ApplyCluster(
        new ClusterSpec(form.name("name"), bucket(), form.env("env"), pools(), form.text("owner")));
  }

  private String bucket() {
    var url =
        form.read("bucket", text -> Url.of(text.endsWith("/") ? text.replaceAll("/+$", "") : text));
    return url.map(u -> u.name().isEmpty() ? u.root() : u.toString()).orElse("");
  }

  private List<PoolSpec> pools() {
    var pools = new ArrayList<PoolSpec>();
    var names = new HashSet<String>();
    var rows = form.row("pools");
    for (var i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof Node.Table table)) continue;
      var pool = new Form(table, "pools[" + i + "]", form.problems());
      if (!names.add(pool.name("name")) && !pool.name("name").isEmpty())
        pool.complain(
            "name", "'" + pool.name("name") + "' is another pool's name too; choose another one");
      pools.add(pool(pool));
    }
    return pools;
  }

  private PoolSpec pool(Form pool) {
    var workers = pool.inner("workers");
    var min = (int) workers.whole("min", 0);
    var max = (int) workers.whole("max", min);
    if (max < min)
      workers.complain("min", min + " is more than max, " + max + "; raise max or lower min");
    return new PoolSpec(
        pool.name("name"),
        pool.inner("machine").name("type"),
        visible(pool),
        pool.texts("zones"),
        provisioning(pool),
        Math.max(0, Math.min(min, max)),
        Math.max(0, max),
        workers.duration("idleAfter", Duration.ofMinutes(10), SECOND, Duration.ofDays(30)),
        pool.duration("life", Duration.ofHours(24), SECOND, Duration.ofDays(120)));
  }

  private static Provisioning provisioning(Form pool) {
    return pool.text("provisioning")
        .filter(Words.of(Provisioning.ON_DEMAND)::equals)
        .map(w -> Provisioning.ON_DEMAND)
        .orElse(Provisioning.SPOT);
  }

  /** All of the machine, unless told; never more. */
  private static Resources visible(Form pool) {
    var type = pool.inner("machine").name("type");
    var told = pool.inner("visible");
    var shape = MachineTypes.shape(type);
    var visible = Amounted.read(told, shape.orElse(Resources.ZERO));
    if (shape.isEmpty()
        && !type.isEmpty()
        && (visible.cpuMillis() == 0 || visible.memoryBytes() == 0))
      pool.problems().add(new Problem(pool.inner("machine").at("type"), unknown(type)));
    shape.ifPresent(s -> checkFits(told, type, visible, s));
    return visible;
  }

  private static String unknown(String type) {
    return "'"
        + type
        + "' is not known; check its name, or say what it has: visible: {cpu: 4, memory: 16Gi}";
  }

  private static void checkFits(Form told, String type, Resources visible, Resources shape) {
    if (visible.cpuMillis() > shape.cpuMillis())
      told.complain(
          "cpu",
          tooMuch(
              Amounts.fromMillis(visible.cpuMillis()),
              type,
              Amounts.fromMillis(shape.cpuMillis())));
    if (visible.memoryBytes() > shape.memoryBytes())
      told.complain(
          "memory",
          tooMuch(
              Amounts.fromBytes(visible.memoryBytes()),
              type,
              Amounts.fromBytes(shape.memoryBytes())));
  }

  private static String tooMuch(Object told, String type, Object has) {
    return told + " is more than " + type + " has, " + has + "; write less, or leave it out";
  }
}
