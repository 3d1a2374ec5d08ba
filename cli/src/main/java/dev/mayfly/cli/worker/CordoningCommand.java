package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** A command that begins or ends a cordon. */
abstract class CordoningCommand extends ClusterCommand {
  @Parameters(
      paramLabel = "NAME",
      description = "A worker that mayfly workers lists, or a pool of the cluster.")
  String name = "";

  private final boolean begins;

  CordoningCommand(CliContext cliContext, boolean begins) {
    super(cliContext);
    this.begins = begins;
  }

  /** What the document has beside the cluster and the name. */
  abstract Map<String, Object> fields();

  @Override
  public Integer call() {
    var of = cluster.ofWorkerOrPool(name);
    var fields = new HashMap<String, Object>(fields());
    fields.put("cluster", of);
    fields.put("name", name);
    var kind = begins ? "Cordon" : "Uncordon";
    var workers =
        cliContext.publishRecorded(
            UserDocuments.of(kind, fields),
            (begins ? "cordon of " : "uncordon of ") + name,
            of,
            "worker/" + name,
            () -> workers(of));
    show(workers, () -> lines(workers));
    return 0;
  }

  private List<WorkerStatus> workers(String of) {
    return cliContext.api().workers(of, false).stream()
        .filter(w -> w.name().equals(name) || w.pool().equals(name))
        .toList();
  }

  private void lines(List<WorkerStatus> workers) {
    if (workers.stream().noneMatch(w -> w.name().equals(name)))
      cliContext
          .screen()
          .line(
              begins
                  ? "pool %s is cordoned: no more machines are ordered, and its workers take nothing new"
                      .formatted(name)
                  : "pool %s is not cordoned any more".formatted(name));
    for (var worker : workers)
      cliContext
          .screen()
          .line(
              "worker %s is %s%s"
                  .formatted(
                      worker.name(),
                      worker.state(),
                      worker.reason().map(r -> ": " + r).orElse("")));
  }
}
