package dev.mayfly.agent.container;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.machine.MachineHardware;
import dev.mayfly.agent.process.ProcessCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The arguments of {@code podman run} or {@code docker run}.
 *
 * @param shared folders of the machine that every container sees
 * @param accelerators the machine's devices of a TPU; none on a simulated machine
 */
record RunArguments(
    String program,
    ContainerEngine.ContainerSpec wanted,
    List<String> shared,
    List<Path> accelerators) {

  /** Engines refuse less than a hundredth of a CPU, and less than 6 MiB. */
  private static final long LEAST_MILLIS = 10;

  private static final long LEAST_MEMORY = 6L << 20;

  private static final List<String> ROOTS =
      List.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID", "KILL");

  /** Which device PyTorch and JAX are to use. */
  private static final Map<String, String> TPU =
      new TreeMap<>(Map.of("PJRT_DEVICE", "TPU", "JAX_PLATFORMS", "tpu,cpu"));

  private static final Path PROC = Path.of("/proc");

  /**
   * @param inside the variables that are seen inside; their values come from the client's own
   *     environment, where it may have them
   * @param folder the attempt's own
   */
  List<String> of(ProcessCommand processCommand, Map<String, String> inside, String folder) {
    var argv =
        new ArrayList<>(
            List.of(
                program,
                "run",
                "--init",
                "--pull=never",
                "--name",
                wanted.name(),
                "--security-opt=no-new-privileges",
                "--entrypoint="));
    argv.add("--workdir=" + processCommand.directory());
    owner(folder + "/work").ifPresent(user -> argv.add("--user=" + user));
    // Not the folder that they are in: what is there is no business of the task's.
    AttemptDir.ROOMS.forEach(room -> bind(argv, folder + "/" + room));
    var notices = folder + "/" + AttemptDir.NOTICES;
    argv.add("--volume=" + notices + ":" + notices + ":ro");
    shared.forEach(path -> bind(argv, path));
    new TreeMap<>(inside)
        .forEach((name, value) ->
            argv.add("--env=" + name + (EngineVariables.contains(name) ? "=" + value : "")));
    limits(argv);
    isolation(argv);
    devices(argv, inside);
    argv.add(wanted.image());
    argv.addAll(processCommand.argv());
    return argv;
  }

  private static void bind(List<String> argv, String path) {
    argv.add("--volume=" + path + ":" + path);
  }

  private void limits(List<String> argv) {
    if (wanted.cpuMillis() > 0)
      argv.add(
          String.format(
              Locale.ROOT, "--cpus=%.3f", Math.max(LEAST_MILLIS, wanted.cpuMillis()) / 1000.0));
    if (wanted.memoryBytes() > 0)
      argv.add("--memory=" + Math.max(LEAST_MEMORY, wanted.memoryBytes()));
  }

  /**
   * Without walls, as on a laptop, it shares the machine's network and memory. With them it has no
   * capability; one that runs as root has those by which it manages its own files and processes.
   */
  private void isolation(List<String> argv) {
    if (wanted.isolation().isEmpty()) {
      argv.addAll(List.of("--network=host", "--ipc=host"));
      return;
    }
    var containerIsolation = wanted.isolation().get();
    argv.add(containerIsolation.hostNetwork() ? "--network=host" : "--network=bridge");
    argv.add("--cap-drop=ALL");
    if (containerIsolation.root()) ROOTS.forEach(capability -> argv.add("--cap-add=" + capability));
    // Data loaders share memory among processes; 64 MiB, the usual, is little.
    argv.add("--shm-size=" + sharedMemory());
  }

  /** What it uses of it counts as its memory. */
  private long sharedMemory() {
    var most = wanted.memoryBytes() > 0 ? wanted.memoryBytes() : MachineHardware.memory(PROC) / 2;
    return Math.max(most, 64L << 20);
  }

  private void devices(List<String> argv, Map<String, String> inside) {
    if (!wanted.gpus().isEmpty()) {
      var list = String.join(",", wanted.gpus().stream().map(Object::toString).toList());
      if (program.equals("docker")) argv.add("--gpus=\"device=" + list + "\"");
      else wanted.gpus().forEach(gpu -> argv.add("--device=nvidia.com/gpu=" + gpu));
    }
    if (wanted.tpu()) {
      // The runtime locks the memory that its chips read.
      argv.add("--ulimit=memlock=-1:-1");
      if (wanted.isolation().isPresent()) argv.add("--cap-add=SYS_RESOURCE");
      for (var device : accelerators) argv.add("--device=" + device);
      if (accelerators.isEmpty()) return;
      // Otherwise a library that finds no TPU goes on, slowly, on the processors.
      TPU.forEach((name, value) -> {
        if (!inside.containsKey(name)) argv.add("--env=" + name + "=" + value);
      });
    }
  }

  /** What it writes shall be the agent's, which reads and deletes it. */
  private static Optional<String> owner(String folder) {
    try {
      var file = Path.of(folder);
      return Optional.of(
          Files.getAttribute(file, "unix:uid") + ":" + Files.getAttribute(file, "unix:gid"));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }
}
