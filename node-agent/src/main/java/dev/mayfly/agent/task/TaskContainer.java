package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.PullResult;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.job.PinnedImage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The container of one attempt, from its image to its removal. */
record TaskContainer(
    ContainerEngine engine, Map<String, String> logins, ContainerEngine.ContainerSpec wanted) {
  /** For how long an image may be pulled for a task that runs for itself. */
  static final Duration ALONE = Duration.ofMinutes(30);

  /** For a gang: whoever is late with its preparation is taken for a bad machine. */
  static final Duration TOGETHER = GangPhaseTimeouts.DEFAULT.prepare().minusMinutes(3);

  /** For a start that was prepared, and so has it here. */
  static final Duration PREPARED = GangPhaseTimeouts.DEFAULT.start().dividedBy(2);

  /**
   * Empty for a task that runs on the machine itself. Throws with the reason where a container is
   * asked for and none can be run.
   *
   * @param owner names this agent among others of the same machine
   * @param apart whether it is to be kept from the machine as far as its work allows
   */
  static Optional<TaskContainer> of(
      Optional<ContainerEngine> engine,
      String owner,
      AttemptState attemptState,
      AgentEffect.Start start,
      boolean apart)
      throws IOException {
    var image = start.jobInfo().spec().run().image();
    if (image.isEmpty()) return Optional.empty();
    if (engine.isEmpty()) throw new IOException("no container engine for image " + image.get());
    // Every machine with this boot image lacks it: another try would find nothing else.
    var refusal = engine.get().problem(image.get());
    if (refusal.isPresent()) throw new FileNotFoundException(refusal.get());
    var need = start.jobInfo().spec().resources();
    var name = ContainerEngine.prefix(owner) + attemptState.id();
    var containerSpec =
        new ContainerEngine.ContainerSpec(
            image.get(),
            name.replaceAll("[^A-Za-z0-9_.-]", "-"),
            need.cpuMillis(),
            need.memoryBytes(),
            need.gpuMillis() > 0 ? start.gpus() : List.of(),
            need.tpuChips() > 0,
            apart ? Optional.of(isolation(start)) : Optional.empty());
    var logins = start.jobInfo().spec().run().registries();
    return Optional.of(new TaskContainer(engine.get(), logins, containerSpec));
  }

  /**
   * A gang's hosts reach each other, and a TPU its runtime, by the host's network. There the guard
   * keeps the task's user from the metadata server, and lets that one through who may reach it.
   */
  private static ContainerEngine.ContainerIsolation isolation(AgentEffect.Start start) {
    var spec = start.jobInfo().spec();
    var taskPrivileges = spec.run().rights();
    var together = spec.gang() > 1 || !start.peers().isEmpty();
    var host = together || spec.resources().tpuChips() > 0 || taskPrivileges.metadata();
    return new ContainerEngine.ContainerIsolation(host, taskPrivileges.root());
  }

  /**
   * Brings the image here; most often it is here already. The container of what its tag named.
   *
   * @param job whose tasks all have the same
   * @param limit after which it has failed
   * @param tags hears what the tag of an image named
   */
  TaskContainer withPulledImage(String job, Duration limit, Consumer<PinnedImage> tags)
      throws IOException {
    try {
      return switch (engine.pullFor(job, wanted.image(), logins, limit)) {
        case PullResult.Present(Optional<PinnedImage> exact) -> {
          exact.ifPresent(tags);
          yield new TaskContainer(engine, logins, exact.map(wanted::withImage).orElse(wanted));
        }
        // Whoever wrote the name has to mend it.
        case PullResult.Absent absent -> throw new FileNotFoundException(absent.why());
        case PullResult.Failed failed -> throw new IOException(failed.why());
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the attempt was ended while its image was pulled", e);
    }
  }

  ProcessCommand wrap(ProcessCommand processCommand, Map<String, String> inside, AttemptDir dir) {
    return engine.wrap(wanted, processCommand, inside, dir.folder().toString());
  }

  /**
   * The engine bounds a container and knows why it ended: to bound its client, or to ask what
   * became of that, would say nothing. Some engines miss a kill for want of memory (podman 4 with
   * control groups of version 1): then the kernel's own count tells, of whatever it ended
   * meanwhile.
   *
   * @param counted since the container was started
   */
  ResourceLimits.Bounds bounds(ResourceLimits.Bounds counted) {
    return new ResourceLimits.Bounds() {
      @Override
      public Optional<Path> entrance() {
        return Optional.empty();
      }

      @Override
      public boolean ranOutOfMemory() {
        return engine.ranOutOfMemory(wanted.name()) || counted.ranOutOfMemory();
      }

      @Override
      public boolean neverBegan(int code) {
        return engine.neverStarted(wanted.name(), code);
      }

      @Override
      public void kill() {
        engine.remove(wanted.name());
      }

      @Override
      public void close() {
        engine.remove(wanted.name());
      }
    };
  }
}
