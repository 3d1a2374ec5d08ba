package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.PullResult;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.job.PinnedImage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The container of one attempt, from pulling the image to its removal. */
record TaskContainer(
    ContainerEngine engine, Map<String, String> logins, ContainerEngine.ContainerSpec wanted) {
  /** The time limit of a pull for a single task. */
  static final Duration ALONE = Duration.ofMinutes(30);

  /** For a gang: a host that exceeds the preparation's time limit counts as a bad machine. */
  static final Duration TOGETHER = GangPhaseTimeouts.DEFAULT.prepare().minusMinutes(3);

  /** For a start after preparation, which has already pulled the image. */
  static final Duration PREPARED = GangPhaseTimeouts.DEFAULT.start().dividedBy(2);

  /**
   * Empty for a task that runs directly on the machine. Throws if the task needs a container and
   * none can run.
   *
   * @param owner names this agent among others on the same machine
   * @param isolated whether to isolate the container from the machine as far as its work allows
   * @param mps where NVIDIA's Multi-Process Service runs, if it does
   */
  static Optional<TaskContainer> of(
      Optional<ContainerEngine> engine,
      String owner,
      AttemptState attemptState,
      AgentEffect.Start start,
      boolean isolated,
      Optional<MpsFolders> mps)
      throws IOException {
    var image = start.jobInfo().spec().run().image();
    if (image.isEmpty()) return Optional.empty();
    if (engine.isEmpty()) throw new IOException("no container engine for image " + image.get());
    // Every machine with this boot image lacks it, so a retry cannot help.
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
            need.needsGpu() ? start.gpus() : List.of(),
            need.tpuChips() > 0,
            isolated ? Optional.of(isolation(start, mps)) : Optional.empty());
    var logins = start.jobInfo().spec().run().registries();
    var pipes =
        mps.filter(folders -> need.needsGpu()).stream()
            .flatMap(folders -> Stream.of(folders.pipe(), folders.log()))
            .map(folder -> new ContainerEngine.SharedFolder(folder, false))
            .toList();
    return Optional.of(new TaskContainer(engine.get(), logins, containerSpec.withFolders(pipes)));
  }

  /**
   * A gang's hosts reach each other, and a TPU its runtime, by the machine's network. There, a
   * firewall rule keeps the task's user from the metadata server, except the user that may reach
   * it. MPS shares memory with its clients.
   */
  private static ContainerEngine.ContainerIsolation isolation(
      AgentEffect.Start start, Optional<MpsFolders> mps) {
    var spec = start.jobInfo().spec();
    var taskRights = spec.run().rights();
    var together = spec.gang() > 1 || !start.peers().isEmpty();
    var host = together || spec.resources().tpuChips() > 0 || taskRights.metadata();
    var ipc = mps.isPresent() && spec.resources().needsGpu();
    return new ContainerEngine.ContainerIsolation(host, taskRights.root(), ipc);
  }

  /**
   * Pulls the image unless the machine has it; returns the container with the image that the tag
   * named.
   *
   * @param job all of its tasks get the same image
   * @param limit fails the pull
   * @param tags receives the image that a tag named
   */
  TaskContainer withPulledImage(String job, Duration limit, Consumer<PinnedImage> tags)
      throws IOException {
    try {
      return switch (engine.pullFor(job, wanted.image(), logins, limit)) {
        case PullResult.Present(Optional<PinnedImage> exact) -> {
          exact.ifPresent(tags);
          yield new TaskContainer(engine, logins, exact.map(wanted::withImage).orElse(wanted));
        }
        // Only the user can fix the image's name.
        case PullResult.Absent absent -> throw new FileNotFoundException(absent.why());
        case PullResult.Failed failed -> throw new IOException(failed.why());
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the attempt was ended while its image was pulled", e);
    }
  }

  /** The image, as exactly as it is known. */
  String image() {
    return wanted.image();
  }

  /** A container that also sees folders of the machine. */
  TaskContainer with(List<ContainerEngine.SharedFolder> folders) {
    var all = new ArrayList<>(wanted.folders());
    all.addAll(folders);
    return new TaskContainer(engine, logins, wanted.withFolders(all));
  }

  /** A container that sees a finished setup. */
  TaskContainer withSetup(Path folder) {
    return with(List.of(new ContainerEngine.SharedFolder(folder, true)));
  }

  /**
   * The container of a setup's command, which fills {@code folder}.
   *
   * @param uv a program of the machine that it finds in its place
   */
  TaskContainer forSetup(Path folder, Optional<Path> uv) {
    var folders = new ArrayList<>(wanted.folders());
    folders.add(new ContainerEngine.SharedFolder(folder, false));
    uv.map(Path::getParent)
        .ifPresent(tools -> folders.add(new ContainerEngine.SharedFolder(tools, true)));
    return new TaskContainer(
        engine, logins, wanted.withName(wanted.name() + "-setup").withFolders(folders));
  }

  ProcessCommand wrap(ProcessCommand processCommand, Map<String, String> inside, AttemptDir dir) {
    return engine.wrap(wanted, processCommand, inside, dir.folder().toString());
  }

  /**
   * Bounds from the engine, which limits the container and knows why it ended; limits on the
   * engine's client would have no effect. Some engines miss OOM kills (podman 4 with control groups
   * of version 1), so the kernel's count of OOM kills on the whole machine is used as well.
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
      public OptionalLong firstProcess() {
        return engine.firstProcess(wanted.name());
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
