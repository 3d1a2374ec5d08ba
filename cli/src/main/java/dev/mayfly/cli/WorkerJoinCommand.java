package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.flow.Joining;
import dev.mayfly.cli.flow.OwnFolder;
import dev.mayfly.cli.flow.OwnMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly worker join}. */
@Command(
    name = "join",
    description = {
      "Makes this machine a worker for as long as the command runs.",
      "It joins, runs the agent, and joins again when the worker was given up meanwhile. Ctrl-C gives"
          + " everything back, and a second one does not wait for it."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly worker join --pool lab",
      "  mayfly worker join --pool lab --name desk-1 --dir /scratch/mayfly",
      "  mayfly worker join --pool lab --account desk@lab.iam.gserviceaccount.com"
    })
final class WorkerJoinCommand implements Callable<Integer> {
  private final Session session;
  @Mixin HelpOption help = new HelpOption();
  @Mixin OneCluster cluster = new OneCluster();

  @Option(
      names = "--pool",
      required = true,
      paramLabel = "POOL",
      description = "One with provisioning: static.")
  String pool = "";

  @Option(
      names = "--name",
      paramLabel = "N",
      description = "The worker's name; the host's unless told.")
  @Nullable String name;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where it works; a folder of this machine alone.")
  @Nullable Path dir;

  @Option(
      names = "--account",
      paramLabel = "A",
      description = "The service account it speaks as, on Google Cloud; no key file is needed.")
  @Nullable String account;

  @Option(
      names = "--address",
      paramLabel = "IP",
      description = "Where other machines of a gang reach this one; found by itself unless given.")
  @Nullable String address;

  WorkerJoinCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    var worker = name == null ? OwnMachine.name() : name;
    var folder = dir == null ? session.home().resolve("workers").resolve(worker) : dir;
    try (var held = OwnFolder.take(folder.toAbsolutePath())) {
      held.awaitNoAgent(session.waiting(), session.screen());
      return join(worker, folder.toAbsolutePath());
    }
  }

  private int join(String worker, Path folder) {
    var machine = OwnMachine.in(folder);
    var wish =
        new Joining.Wish(
            cluster.of(session),
            pool,
            worker,
            machine,
            Optional.of(identity()),
            Optional.ofNullable(address).or(() -> simulated(machine)));
    return new Joining(
            wish,
            session.env(),
            session.site(),
            session.token(),
            session.api(),
            session.topics(),
            session.waiting(),
            session.screen())
        .run();
  }

  /** On the laptop cloud several machines of one's own may be one machine. */
  private Optional<String> simulated(OwnMachine machine) {
    return session.site().cloud().isEmpty() ? Optional.of(machine.loopback()) : Optional.empty();
  }

  private String identity() {
    if (account != null) return account;
    if (session.site().cloud().isEmpty())
      throw new Refusal(
          Exit.INPUT,
          "--account is missing: the service account that this machine speaks as, one of people.static_workers");
    return "own-machine@" + session.site().project() + ".iam.gserviceaccount.com";
  }
}
