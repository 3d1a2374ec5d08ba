package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.Pulled;
import dev.mayfly.agent.os.AttemptDir;
import dev.mayfly.agent.os.Command;
import dev.mayfly.agent.os.Limits;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.model.ExactImage;
import dev.mayfly.core.model.GangTimes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The container of one attempt, from its image to its removal. */
record Container(
    ContainerEngine engine, Map<String, String> logins, ContainerEngine.Wanted wanted) {
  /** For how long an image may be pulled for a task that runs for itself. */
  static final Duration ALONE = Duration.ofMinutes(30);

  /** For a gang: whoever is late with its preparation is taken for a bad machine. */
  static final Duration TOGETHER = GangTimes.DEFAULT.prepare().minusMinutes(3);

  /** For a start that was prepared, and so has it here. */
  static final Duration PREPARED = GangTimes.DEFAULT.start().dividedBy(2);

  /**
   * Empty for a task that runs on the machine itself. Throws with the reason where a container is
   * asked for and none can be run.
   *
   * @param owner names this agent among others of the same machine
   * @param apart whether it is to be kept from the machine as far as its work allows
   */
  static Optional<Container> of(
      Optional<ContainerEngine> engine,
      String owner,
      Task task,
      AgentEffect.Start start,
      boolean apart)
      throws IOException {
    var image = start.sheet().spec().run().image();
    if (image.isEmpty()) return Optional.empty();
    if (engine.isEmpty()) throw new IOException("no container engine for image " + image.get());
    // Every machine with this boot image lacks it: another try would find nothing else.
    var refusal = engine.get().refuse(image.get());
    if (refusal.isPresent()) throw new FileNotFoundException(refusal.get());
    var need = start.sheet().spec().resources();
    var name = ContainerEngine.prefix(owner) + task.id();
    var wanted =
        new ContainerEngine.Wanted(
            image.get(),
            name.replaceAll("[^A-Za-z0-9_.-]", "-"),
            need.cpuMillis(),
            need.memoryBytes(),
            need.gpuMillis() > 0 ? start.gpus() : List.of(),
            need.tpuChips() > 0,
            apart ? Optional.of(walls(start)) : Optional.empty());
    var logins = start.sheet().spec().run().registries();
    return Optional.of(new Container(engine.get(), logins, wanted));
  }

  /**
   * A gang's hosts reach each other, and a TPU its runtime, by the host's network. There the guard
   * keeps the task's user from the metadata server, and lets that one through who may reach it.
   */
  private static ContainerEngine.Walls walls(AgentEffect.Start start) {
    var spec = start.sheet().spec();
    var rights = spec.run().rights();
    var together = spec.gang() > 1 || !start.peers().isEmpty();
    var host = together || spec.resources().tpuChips() > 0 || rights.metadata();
    return new ContainerEngine.Walls(host, rights.root());
  }

  /**
   * Brings the image here; most often it is here already. The container of what its tag named.
   *
   * @param job whose tasks all have the same
   * @param limit after which it has failed
   * @param tags hears what the tag of an image named
   */
  Container pulled(String job, Duration limit, Consumer<ExactImage> tags) throws IOException {
    try {
      return switch (engine.pullFor(job, wanted.image(), logins, limit)) {
        case Pulled.Here(Optional<ExactImage> exact) -> {
          exact.ifPresent(tags);
          yield new Container(engine, logins, exact.map(wanted::of).orElse(wanted));
        }
        // Whoever wrote the name has to mend it.
        case Pulled.Absent absent -> throw new FileNotFoundException(absent.why());
        case Pulled.Failed failed -> throw new IOException(failed.why());
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the attempt was ended while its image was pulled", e);
    }
  }

  Command around(Command command, Map<String, String> inside, AttemptDir dir) {
    return engine.in(wanted, command, inside, dir.folder().toString());
  }

  /**
   * The engine bounds a container and knows why it ended: to bound its client, or to ask what
   * became of that, would say nothing. Some engines miss a kill for want of memory (podman 4 with
   * control groups of version 1): then the kernel's own count tells, of whatever it ended
   * meanwhile.
   *
   * @param counted since the container was started
   */
  Limits.Bounds bounds(Limits.Bounds counted) {
    return new Limits.Bounds() {
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
