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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pulls images and makes a task's command one that runs in a container. */
public final class ContainerEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerEngine.class);
  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,400}");
  private static final Duration REMOVAL = Duration.ofSeconds(30);

  private static final Path DEVICES = Path.of("/dev");

  /** A thousand containers' names. */
  private static final int NAMES = 100_000;

  /** What {@code run} ends with when the engine itself or its runtime fails. */
  private static final Set<Integer> FAILED = Set.of(125, 126, 127);

  /** The beginning of the time at which a container was started that never was. */
  private static final String NEVER = "0001-01-01";

  private static final int REMOVALS = 3;
  private static final Pattern GONE =
      Pattern.compile("no such container", Pattern.CASE_INSENSITIVE);

  private final Map<String, String> environment;
  private final ImagePuller imagePuller;
  private final List<String> shared;
  private volatile CompletableFuture<Void> removed = CompletableFuture.completedFuture(null);

  /**
   * @param environment of the engine's own program
   * @param login proves who we are to private registries
   * @param shared folders of the machine that every container sees, such as mounts
   * @param sleeper lets time pass between a pull that failed and the next
   */
  public ContainerEngine(
      Map<String, String> environment, RegistryLogin login, List<String> shared, Sleeper sleeper) {
    this.environment = Map.copyOf(environment);
    this.imagePuller = new ImagePuller(this.environment, login, sleeper);
    this.shared = List.copyOf(shared);
  }

  /** Lets time pass. */
  public interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  /** What a container is to be. */
  public record ContainerSpec(
      String image,
      String name,
      long cpuMillis,
      long memoryBytes,
      List<Integer> gpus,
      boolean tpu,
      Optional<ContainerIsolation> isolation) {
    public ContainerSpec {
      gpus = List.copyOf(gpus);
    }

    /** On a machine where nothing keeps it from the host. */
    public ContainerSpec(
        String image,
        String name,
        long cpuMillis,
        long memoryBytes,
        List<Integer> gpus,
        boolean tpu) {
      this(image, name, cpuMillis, memoryBytes, gpus, tpu, Optional.empty());
    }

    /** The same of that image. */
    public ContainerSpec withImage(PinnedImage exact) {
      return new ContainerSpec(exact.name(), name, cpuMillis, memoryBytes, gpus, tpu, isolation);
    }
  }

  /**
   * What is between a container and the machine.
   *
   * @param hostNetwork whether it has the machine's network in the place of one of its own
   * @param root whether its user is root, with what an administrator of files and processes needs
   */
  public record ContainerIsolation(boolean hostNetwork, boolean root) {}

  /**
   * What the names of all containers of one agent begin with.
   *
   * @param owner its work directory
   */
  public static String prefix(String owner) {
    return "mayfly-" + Integer.toHexString(owner.hashCode()) + "-";
  }

  /** podman, else docker; empty where there is neither. */
  public Optional<String> program() {
    var programRunner = new ProgramRunner(environment);
    return List.of("podman", "docker").stream()
        .filter(p -> programRunner.find(p).isPresent())
        .findFirst();
  }

  /** Why no container can be run of that image; empty if one can, as far as is known. */
  public Optional<String> problem(String image) {
    if (!IMAGE.matcher(image).matches()) {
      return Optional.of("'" + image.replaceAll("\\p{Cntrl}", "?") + "' is no image's name");
    }
    return program().isPresent()
        ? Optional.empty()
        : Optional.of(
            "no container engine: neither podman nor docker is on this machine, and image "
                + image
                + " is asked for; name a boot image that has one (machine.image of the pool), pools"
                + " whose machines have one, or no image");
  }

  /**
   * Pulls the image; one that is there is not fetched again.
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

  /** The same for a job: if the image has a tag, all of the job's tasks here have what it named. */
  public PullResult pullFor(String job, String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    if (PinnedImage.isExact(image) || problem(image).isPresent()) return pull(image, logins, limit);
    removed.join();
    return imagePuller.pullTag(
        job, new ImagePuller.PullRequest(program().orElseThrow(), image, logins, limit));
  }

  /**
   * Whether a variable of that name would be read by the engine's own program: its value is an
   * argument that others on the machine may see, and so no secret.
   */
  public static boolean readsVariable(String variable) {
    return EngineVariables.contains(variable);
  }

  /**
   * The command that runs {@code command} in a container. Its folders are where they are outside,
   * and only the variables of {@code inside} are seen in there. It fetches nothing, for no login is
   * near it: the image was pulled before.
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
   * Whether the kernel ended the container, which has ended, for want of memory. The engine keeps
   * it until {@link #remove}.
   */
  public boolean ranOutOfMemory(String name) {
    var argv = List.of("inspect", "--format={{.State.OOMKilled}}", "--", name);
    return runEngine(argv) instanceof ProgramRunner.Result.Ended ended
        && ended.ok()
        && ended.output().strip().equals("true");
  }

  /**
   * Whether the engine itself failed before the container's first process began, which looks for
   * the command and ends with 127, or 1, where there is none. A command may end with the engine's
   * codes, too. The engine keeps a container that it made until {@link #remove}.
   */
  public boolean neverStarted(String name, int code) {
    if (!FAILED.contains(code)) return false;
    var argv = List.of("inspect", "--format={{.State.StartedAt}}", "--", name);
    return !(runEngine(argv) instanceof ProgramRunner.Result.Ended ended)
        || !ended.ok()
        || ended.output().startsWith(NEVER);
  }

  /**
   * Ends the container with all that runs in it; one that is gone is no error. podman may fail at
   * the first try, where what watched the container was killed with it, and does it at the next.
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
   * Removes the containers that an earlier agent left, whose names begin with {@code prefix}. Call
   * it before any pull: a pull waits for it, and so no new container is taken for an old one.
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
