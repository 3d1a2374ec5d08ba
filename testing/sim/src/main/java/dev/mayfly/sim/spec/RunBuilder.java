package dev.mayfly.sim.spec;

import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command without code of its own, in no container, unless more is said. */
public final class RunBuilder {
  private static final Duration CUT_OFF = Duration.ofMinutes(15);

  private List<String> command;
  private Optional<String> code = Optional.empty();
  private Map<String, String> env = Map.of();
  private Duration timeout = Duration.ofHours(1);
  private Duration grace = Duration.ofSeconds(5);
  private Duration cutOff = CUT_OFF;
  private Map<String, String> secrets = Map.of();
  private Optional<String> image = Optional.empty();
  private Map<String, String> registries = Map.of();
  private TaskRights rights = TaskRights.NONE;
  private Optional<TaskEnvironment> environment = Optional.empty();

  private RunBuilder(List<String> command) {
    this.command = command;
  }

  public static RunBuilder of(String... command) {
    return new RunBuilder(List.of(command));
  }

  /** A copy. */
  public static RunBuilder like(JobSpec.Run other) {
    var copy = new RunBuilder(other.command());
    copy.code = other.code();
    copy.env = other.env();
    copy.timeout = other.timeout();
    copy.grace = other.grace();
    copy.cutOff = other.cutOff();
    copy.secrets = other.secrets();
    copy.image = other.image();
    copy.registries = other.registries();
    copy.rights = other.rights();
    copy.environment = other.environment();
    return copy;
  }

  public RunBuilder command(List<String> it) {
    command = it;
    return this;
  }

  public RunBuilder code(Optional<String> it) {
    code = it;
    return this;
  }

  public RunBuilder timeout(Duration it) {
    timeout = it;
    return this;
  }

  public RunBuilder grace(Duration it) {
    grace = it;
    return this;
  }

  public RunBuilder image(Optional<String> it) {
    image = it;
    return this;
  }

  public RunBuilder registries(Map<String, String> it) {
    registries = it;
    return this;
  }

  public JobSpec.Run build() {
    return new JobSpec.Run(
        command,
        code,
        env,
        timeout,
        grace,
        cutOff,
        secrets,
        image,
        registries,
        rights,
        environment);
  }
}
