package dev.mayfly.wire.document;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Rights;
import dev.mayfly.core.model.Rollout;
import dev.mayfly.core.port.Url;
import dev.mayfly.wire.source.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** A Cluster document as a command. */
final class ClusterForm {
  private final Form form;

  ClusterForm(Form form) {
    this.form = form;
  }

  Command command() {
    var pools = pools();
    return new Command.ApplyCluster(
        new ClusterSpec(
            form.name("name"),
            bucket(),
            form.env("env"),
            pools,
            form.text("owner"),
            form.secrets("secrets"),
            form.text("image"),
            new RegistriesForm(form).logins(),
            new MountsForm(form).mounts(),
            rollout(),
            allows(),
            outputPrefixes(),
            new BudgetForm(form, pools).budget()),
        formerly());
  }

  private Optional<String> formerly() {
    var formerly = form.text("formerly");
    if (formerly.filter(form.name("name")::equals).isPresent())
      form.complain("formerly", "it is the name that it has now; leave it away");
    return formerly;
  }

  private Rights allows() {
    var allowed = form.texts("allow");
    return new Rights(allowed.contains("root"), allowed.contains("metadata"));
  }

  private Rollout rollout() {
    var rollout = form.inner("rollout");
    var usual = Rollout.DEFAULT;
    return new Rollout(
        rollout.duration("within", usual.within(), Duration.ofSeconds(1), Duration.ofDays(30)),
        Math.clamp(rollout.whole("percent", usual.percent()), 1, 100));
  }

  private String bucket() {
    return form.read("bucket", ClusterForm::place).orElse("");
  }

  /** Without slashes at its end. */
  private static String place(String text) {
    var end = text.length();
    while (end > 0 && text.charAt(end - 1) == '/') end--;
    var url = Url.of(text.substring(0, end));
    return url.name().isEmpty() ? url.root() : url.toString();
  }

  private List<String> outputPrefixes() {
    var places = new ArrayList<String>();
    var rows = form.texts("outputPrefixes");
    for (var i = 0; i < rows.size(); i++)
      try {
        places.add(place(rows.get(i)));
      } catch (IllegalArgumentException noPlace) {
        form.complain("outputPrefixes[" + i + "]", String.valueOf(noPlace.getMessage()));
      }
    return places;
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
      pools.addAll(new PoolForm(pool).pools());
    }
    return pools;
  }
}
