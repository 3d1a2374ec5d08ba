package dev.mayfly.agent.container;

import dev.mayfly.agent.os.Command;
import dev.mayfly.agent.os.Tool;
import dev.mayfly.agent.os.Tool.Ran;
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
  private final RegistryLogin login;
  private final List<String> shared;

  /**
   * @param environment of the engine's own program
   * @param login proves who we are to private registries
   * @param shared folders of the machine that every container sees, such as mounts
   */
  public ContainerEngine(
      Map<String, String> environment, RegistryLogin login, List<String> shared) {
    this.environment = Map.copyOf(environment);
    this.login = login;
    this.shared = List.copyOf(shared);
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

  /** Pulls the image; why not, if it could not be. An image that is there is not fetched again. */
  public Optional<String> pull(String image, Duration limit) throws InterruptedException {
    var refusal = refuse(image);
    if (refusal.isPresent()) return refusal;
    var program = program().orElseThrow();
    var tool = new Tool(with(login.variables(image)));
    if (tool.run(limit, List.of(program, "image", "inspect", "--", image))
            instanceof Ran.Ended there
        && there.ok()) return Optional.empty();
    return switch (tool.run(limit, List.of(program, "pull", "--quiet", "--", image))) {
      case Ran.Missing m -> Optional.of("no container engine");
      case Ran.TimedOut t ->
          Optional.of("image " + image + " was not pulled within " + limit.toMinutes() + " min");
      case Ran.Ended e -> e.ok() ? Optional.empty() : Optional.of(cause(image, e.output()));
    };
  }

  private static String cause(String image, String said) {
    var what = "image " + image + ": ";
    if (said.contains("unauthorized") || said.contains("denied") || said.contains("403"))
      return what + "the registry does not let this machine read it (" + said + ")";
    if (said.contains("manifest unknown") || said.contains("not found"))
      return what + "there is no such image in the registry";
    return what + said;
  }

  /**
   * The command that runs {@code command} in a container. Its folders are where they are outside,
   * and only the variables of {@code inside} are seen in there.
   */
  public Command in(Wanted wanted, Command command, Map<String, String> inside, String folder) {
    var variables = with(login.variables(wanted.image()));
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

  private Map<String, String> with(Map<String, String> more) {
    var all = new HashMap<>(environment);
    all.putAll(more);
    return all;
  }
}
