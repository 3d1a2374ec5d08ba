package dev.mayfly.agent.container;

import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.core.model.job.PinnedImage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pulls images and wraps a task's command so that it runs in a container. */
public final class ContainerEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerEngine.class);
  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,400}");
  private static final Duration REMOVAL = Duration.ofSeconds(30);

  private static final Path DEVICES = Path.of("/dev");

  /** Output limit, enough for the names of a thousand containers. */
  private static final int NAMES = 100_000;

  /** Exit codes of {@code run} when the engine or its runtime fails. */
  private static final Set<Integer> FAILED = Set.of(125, 126, 127);

  /** How the start time of a container begins that has not been started. */
  private static final String NEVER = "0001-01-01";

  private static final int REMOVALS = 3;
  private static final Pattern GONE =
      Pattern.compile("no such container", Pattern.CASE_INSENSITIVE);

  private final Map<String, String> environment;
  private final ImagePuller imagePuller;
  private final List<String> shared;
  private volatile CompletableFuture<Void> removed = CompletableFuture.completedFuture(null);

  /**
   * @param environment of the engine's program
   * @param login authenticates to private registries
   * @param shared folders of the machine that every container sees, such as mounts
   * @param sleeper waits between a failed pull and the next
   */
  public ContainerEngine(
      Map<String, String> environment, RegistryLogin login, List<String> shared, Sleeper sleeper) {
    this.environment = Map.copyOf(environment);
    this.imagePuller = new ImagePuller(this.environment, login, sleeper);
    this.shared = List.copyOf(shared);
  }

  /** Waits. */
  public interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  /** A folder of the machine that a container sees, by the same path. */
  public record SharedFolder(Path path, boolean readOnly) {}

  /** The settings of one container. */
  public record ContainerSpec(
      String image,
      String name,
      long cpuMillis,
      long memoryBytes,
      List<Integer> gpus,
      boolean tpu,
      Optional<ContainerIsolation> isolation,
      List<SharedFolder> folders) {
    public ContainerSpec {
      gpus = List.copyOf(gpus);
      folders = List.copyOf(folders);
    }

    /** A container that sees its attempt's folders only. */
    public ContainerSpec(
        String image,
        String name,
        long cpuMillis,
        long memoryBytes,
        List<Integer> gpus,
        boolean tpu,
        Optional<ContainerIsolation> isolation) {
      this(image, name, cpuMillis, memoryBytes, gpus, tpu, isolation, List.of());
    }

    /** A copy with the pinned image. */
    public ContainerSpec withImage(PinnedImage exact) {
      return with(exact.name(), name, folders);
    }

    public ContainerSpec withName(String other) {
      return with(image, other, folders);
    }

    /** A copy that sees these folders of the machine. */
    public ContainerSpec withFolders(List<SharedFolder> others) {
      return with(image, name, others);
    }

    private ContainerSpec with(String image, String name, List<SharedFolder> folders) {
      return new ContainerSpec(image, name, cpuMillis, memoryBytes, gpus, tpu, isolation, folders);
    }
  }

  /**
   * Isolation of a container from the machine.
   *
   * @param hostNetwork whether it shares the machine's network
   * @param root whether it runs as root, with the capabilities to administer files and processes
   * @param hostIpc whether it shares memory with the machine's processes
   */
  public record ContainerIsolation(boolean hostNetwork, boolean root, boolean hostIpc) {}

  /**
   * The prefix of all container names of one agent.
   *
   * @param owner the agent's work directory
   */
  public static String prefix(String owner) {
    return "mayfly-" + Integer.toHexString(owner.hashCode()) + "-";
  }

  /** podman, else docker; empty if the machine has neither. */
  public Optional<String> program() {
    var programRunner = new ProgramRunner(environment);
    return List.of("podman", "docker").stream()
        .filter(p -> programRunner.find(p).isPresent())
        .findFirst();
  }

  /** Why the image cannot run here; empty if no problem is known. */
  public Optional<String> problem(String image) {
    if (!IMAGE.matcher(image).matches()) {
      return Optional.of("'" + image.replaceAll("\\p{Cntrl}", "?") + "' is not an image name");
    }
    return program().isPresent()
        ? Optional.empty()
        : Optional.of(
            "no container engine: this machine has neither podman nor docker, and image "
                + image
                + " is requested; name a boot image that has one (machine.image of the pool), pools"
                + " whose machines have one, or no image");
  }

  /**
   * Pulls the image unless the machine has it.
   *
   * @param logins of registries, by host, each a reference to a secret
   */
  public PullResult pull(String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    var refusal = problem(image);
    if (refusal.isPresent()) return new PullResult.Failed(refusal.get());
    removed.join();
    return imagePuller.pull(
        new ImagePuller.PullRequest(program().orElseThrow(), image, logins, limit));
  }

  /**
   * Pulls the image for a job. All tasks of the job on this machine use the digest that its tag
   * named first.
   */
  public PullResult pullFor(String job, String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    if (PinnedImage.isExact(image) || problem(image).isPresent()) return pull(image, logins, limit);
    removed.join();
    return imagePuller.pullTag(
        job, new ImagePuller.PullRequest(program().orElseThrow(), image, logins, limit));
  }

  /**
   * Whether the engine's program itself would read a variable of that name. Its value is then
   * passed as an argument, which other users of the machine may see, so it must not be a secret.
   */
  public static boolean readsVariable(String variable) {
    return EngineVariables.contains(variable);
  }

  /**
   * Wraps {@code processCommand} so that it runs in a container. Folders keep their paths, and only
   * the variables of {@code inside} are visible. It never pulls, because it has no login: the image
   * was pulled before.
   */
  public ProcessCommand wrap(
      ContainerSpec containerSpec,
      ProcessCommand processCommand,
      Map<String, String> inside,
      String folder) {
    var variables = new HashMap<>(environment);
    inside.forEach((name, value) -> {
      if (!EngineVariables.contains(name)) variables.put(name, value);
    });
    var accelerators = containerSpec.tpu() ? TpuDevices.in(DEVICES) : List.<Path>of();
    var argv =
        new RunArguments(program().orElseThrow(), containerSpec, shared, accelerators)
            .of(processCommand, inside, folder);
    return new ProcessCommand(argv, variables, processCommand.directory(), processCommand.output());
  }

  /**
   * Whether the kernel ended the container for lack of memory. Call it after the container has
   * ended and before {@link #remove}.
   */
  public boolean ranOutOfMemory(String name) {
    var argv = List.of("inspect", "--format={{.State.OOMKilled}}", "--", name);
    return runEngine(argv) instanceof ProgramRunner.Result.Ended ended
        && ended.ok()
        && ended.output().strip().equals("true");
  }

  /** The container's first process, as the machine numbers it; empty if none runs. */
  public OptionalLong firstProcess(String name) {
    var argv = List.of("inspect", "--format={{.State.Pid}}", "--", name);
    if (!(runEngine(argv) instanceof ProgramRunner.Result.Ended ended) || !ended.ok())
      return OptionalLong.empty();
    var pid = ended.output().strip();
    return pid.matches("[1-9][0-9]{0,9}")
        ? OptionalLong.of(Long.parseLong(pid))
        : OptionalLong.empty();
  }

  /**
   * Whether the engine failed before the container's first process started. That process looks for
   * the command, and exits with 127 or 1 if there is none. A command may exit with the engine's
   * codes as well. The engine keeps a created container until {@link #remove}.
   */
  public boolean neverStarted(String name, int code) {
    if (!FAILED.contains(code)) return false;
    var argv = List.of("inspect", "--format={{.State.StartedAt}}", "--", name);
    return !(runEngine(argv) instanceof ProgramRunner.Result.Ended ended)
        || !ended.ok()
        || ended.output().startsWith(NEVER);
  }

  /**
   * Kills and removes the container; a missing container is not an error. Retries, because podman
   * may fail once if the container's monitor was killed with it.
   */
  public void remove(String name) {
    for (var tries = 0; tries < REMOVALS; tries++) {
      var result = runEngine(List.of("rm", "--force", "--", name));
      if (result instanceof ProgramRunner.Result.Ended ended
          && (ended.ok() || GONE.matcher(ended.output()).find())) return;
      LOG.warn("container not removed name={} {}", name, result);
    }
  }

  /**
   * Removes containers of an earlier agent, whose names begin with {@code prefix}. Call it before
   * any pull: pulls wait for it, so that no new container is mistaken for an old one.
   */
  public void removeAll(String prefix, Executor threads) {
    removed = CompletableFuture.runAsync(() -> removeAll(prefix), threads);
  }

  void removeAll(String prefix) {
    if (program().isEmpty()) return;
    var list = List.of("ps", "--all", "--filter=name=" + prefix, "--format={{.Names}}");
    if (runEngine(list) instanceof ProgramRunner.Result.Ended ended && ended.ok()) {
      for (var name : ended.output().split("\\s+")) if (name.startsWith(prefix)) remove(name);
    }
  }

  private ProgramRunner.Result runEngine(List<String> arguments) {
    var argv = new ArrayList<>(List.of(program().orElse("podman")));
    argv.addAll(arguments);
    try {
      return new ProgramRunner(environment, NAMES).run(REMOVAL, argv);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ProgramRunner.Result.TimedOut();
    }
  }
}
