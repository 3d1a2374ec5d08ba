package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly worker join}: makes this machine a static worker. */
@Command(
    name = "join",
    description = {
      "Makes this machine a worker while the command runs.",
      "It joins, runs the agent, and joins again if the worker was lost meanwhile. Ctrl-C returns"
          + " all tasks first; a second Ctrl-C ends at once."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly worker join --pool lab",
      "  mayfly worker join --pool lab --name desk-1 --dir /scratch/mayfly",
      "  mayfly worker join --pool lab --label disk=ssd --label room=2.14",
      "  mayfly worker join --pool lab --pretend-gpus 2",
      "  mayfly worker join --pool lab --account desk@lab.iam.gserviceaccount.com"
    })
public final class WorkerJoinCommand extends CliCommand {
  @Mixin final ClusterOption cluster;

  @Option(
      names = "--pool",
      required = true,
      paramLabel = "POOL",
      description = "A pool with provisioning: static.")
  String pool = "";

  @Option(
      names = "--name",
      paramLabel = "N",
      description = "Name of the worker (default: the host's name).")
  @Nullable String name;

  @Option(names = "--dir", paramLabel = "DIR", description = "Work folder, local to this machine.")
  @Nullable Path dir;

  @Option(
      names = "--account",
      paramLabel = "A",
      description = "The service account of the agent, on Google Cloud; needs no key file.")
  @Nullable String account;

  @Option(
      names = "--address",
      paramLabel = "IP",
      description = "Address for other machines of a gang (default: detected).")
  @Nullable String address;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "A label of this machine, which jobs may ask for; repeatable.")
  List<String> labels = new ArrayList<>();

  @Option(
      names = "--pretend-gpus",
      paramLabel = "N",
      description = "On the laptop cloud: pretends that this machine has N GPUs.")
  int pretendedGpus;

  public WorkerJoinCommand(CliContext cliContext) {
    super(cliContext);
    cluster = new ClusterOption(cliContext);
  }

  @Override
  public Integer call() throws IOException {
    var worker = name == null ? StaticWorkerMachine.name() : name;
    var folder = dir == null ? cliContext.home().resolve("workers").resolve(worker) : dir;
    try (var held = StaticWorkerFolder.acquire(folder.toAbsolutePath())) {
      held.awaitNoAgent(cliContext.poller(), cliContext.screen());
      return join(worker, folder.toAbsolutePath());
    }
  }

  private int join(String worker, Path folder) {
    checkPretendedGpus();
    var machine = StaticWorkerMachine.ofFolder(folder);
    var joinRequest =
        new WorkerJoin.JoinRequest(
            cluster.name(),
            pool,
            worker,
            machine,
            Optional.of(identity()),
            Optional.ofNullable(address).or(() -> simulated(machine)),
            DocumentFile.variables(labels, "--label "),
            pretendedGpus == 0
                ? Optional.empty()
                : Optional.of(PretendedGpuDriver.install(folder, worker, pretendedGpus)));
    return new WorkerJoin(joinRequest, cliContext).run();
  }

  /** Work that was paid for must not find a device that is not there. */
  private void checkPretendedGpus() {
    if (pretendedGpus < 0 || pretendedGpus > 16)
      throw CommandException.input(
          "--pretend-gpus: %d is not between 0 and 16".formatted(pretendedGpus));
    if (pretendedGpus > 0 && cliContext.endpoints().cloud().isEmpty())
      throw CommandException.input(
          "--pretend-gpus is for the laptop cloud alone, and this is %s; leave it out, and the"
                  .formatted(cliContext.endpoints().project())
              + " machine's own nvidia-smi is asked");
  }

  /** On the laptop cloud, several static workers may share one machine. */
  private Optional<String> simulated(StaticWorkerMachine machine) {
    return cliContext.endpoints().cloud().isEmpty()
        ? Optional.empty()
        : Optional.of(machine.loopback());
  }

  private String identity() {
    if (account != null) return account;
    if (cliContext.endpoints().cloud().isEmpty())
      throw CommandException.input(
          "--account is missing: the service account of this machine's agent, one of"
              + " people.static_workers");
    return "own-machine@" + cliContext.endpoints().project() + ".iam.gserviceaccount.com";
  }
}
