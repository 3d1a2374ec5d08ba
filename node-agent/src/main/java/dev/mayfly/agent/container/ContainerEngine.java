package dev.mayfly.agent.container;

import dev.mayfly.agent.os.Command;
import dev.mayfly.agent.os.Tool;
import dev.mayfly.core.model.ExactImage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pulls images and makes a task's command one that runs in a container. */
public final class ContainerEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerEngine.class);
  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,400}");
  private static final Duration REMOVAL = Duration.ofSeconds(30);

  private final Map<String, String> environment;
  private final Pulls pulls;
  private final List<String> shared;

  /**
   * @param environment of the engine's own program
   * @param login proves who we are to private registries
   * @param shared folders of the machine that every container sees, such as mounts
   * @param pause lets time pass between a pull that failed and the next
   */
  public ContainerEngine(
      Map<String, String> environment, RegistryLogin login, List<String> shared, Pause pause) {
    this.environment = Map.copyOf(environment);
    this.pulls = new Pulls(this.environment, login, pause);
    this.shared = List.copyOf(shared);
  }

  /** Lets time pass. */
  public interface Pause {
    void of(Duration time) throws InterruptedException;
  }

  /** What a container is to be. */
  public record Wanted(
      String image,
      String name,
      long cpuMillis,
      long memoryBytes,
      List<Integer> gpus,
      boolean tpu) {
    public Wanted {
      gpus = List.copyOf(gpus);
    }

    /** The same of that image. */
    public Wanted of(ExactImage exact) {
      return new Wanted(exact.name(), name, cpuMillis, memoryBytes, gpus, tpu);
    }
  }

  /** podman, else docker; empty where there is neither. */
  public Optional<String> program() {
    var tool = new Tool(environment);
    return List.of("podman", "docker").stream().filter(p -> tool.find(p).isPresent()).findFirst();
  }

  /** Why no container can be run of that image; empty if one can, as far as is known. */
  public Optional<String> refuse(String image) {
    if (!IMAGE.matcher(image).matches()) {
      return Optional.of("'" + image.replaceAll("\\p{Cntrl}", "?") + "' is no image's name");
    }
    return program().isPresent()
        ? Optional.empty()
        : Optional.of(
            "no container engine: neither podman nor docker is on this machine, and image "
                + image
                + " is asked for");
  }

  /**
   * Pulls the image; one that is there is not fetched again.
   *
   * @param logins of registries, by host, each a reference to a secret
   */
  public Pulled pull(String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    var refusal = refuse(image);
    if (refusal.isPresent()) return new Pulled.Failed(refusal.get());
    return pulls.pull(new Pulls.Wish(program().orElseThrow(), image, logins, limit));
  }

  /** The same for a job: if the image has a tag, all of the job's tasks here have what it named. */
  public Pulled pullFor(String job, String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    if (ExactImage.isExact(image) || refuse(image).isPresent()) return pull(image, logins, limit);
    return pulls.pullTag(job, new Pulls.Wish(program().orElseThrow(), image, logins, limit));
  }

  /**
   * The command that runs {@code command} in a container. Its folders are where they are outside,
   * and only the variables of {@code inside} are seen in there. It fetches nothing, for no login is
   * near it: the image was pulled before.
   */
  public Command in(Wanted wanted, Command command, Map<String, String> inside, String folder) {
    var variables = new HashMap<>(environment);
    variables.putAll(inside);
    // The client itself is found and works by these.
    List.of("PATH", "HOME").forEach(name -> keep(variables, name));
    var argv =
        new RunArguments(program().orElseThrow(), wanted, shared)
            .of(command, inside.keySet(), folder);
    return new Command(argv, variables, command.directory(), command.output());
  }

  private void keep(Map<String, String> variables, String name) {
    var value = environment.get(name);
    if (value != null) variables.put(name, value);
  }

  /** Ends the container with all that runs in it; one that is gone is no error. */
  public void remove(String name) {
    try {
      var argv = List.of(program().orElse("podman"), "rm", "--force", "--", name);
      var ran = new Tool(environment).run(REMOVAL, argv);
      LOG.debug("container removed name={} {}", name, ran);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
