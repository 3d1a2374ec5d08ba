package dev.mayfly.agent.container;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.machine.MachineHardware;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ProcessLimit;
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
 * @param accelerators the machine's TPU devices; empty on a simulated machine
 */
record RunArguments(
    String program,
    ContainerEngine.ContainerSpec wanted,
    List<String> shared,
    List<Path> accelerators) {

  /** Engines refuse less than 0.01 CPU or 6 MiB. */
  private static final long MIN_CPU_MILLIS = 10;

  private static final long MIN_MEMORY = 6L << 20;

  private static final List<String> ROOT_CAPS =
      List.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID", "KILL");

  /** Makes PyTorch and JAX use the TPU. */
  private static final Map<String, String> TPU =
      new TreeMap<>(Map.of("PJRT_DEVICE", "TPU", "JAX_PLATFORMS", "tpu,cpu"));

  private static final Path PROC = Path.of("/proc");

  /**
   * @param inside the variables that are visible inside; values come from the client's own
   *     environment where it may have them
   * @param folder the attempt's folder
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
    // Bind the subfolders, not their parent, whose other content is hidden from the task.
    AttemptDir.ROOMS.forEach(subfolder -> bind(argv, folder + "/" + subfolder));
    var notices = folder + "/" + AttemptDir.NOTICES;
    argv.add("--volume=" + notices + ":" + notices + ":ro");
    shared.forEach(path -> bind(argv, path));
    for (var lasting : wanted.folders())
      argv.add(
          "--volume=" + lasting.path() + ":" + lasting.path() + (lasting.readOnly() ? ":ro" : ""));
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
    argv.add("--pids-limit=" + ProcessLimit.ofMachine());
    if (wanted.cpuMillis() > 0)
      argv.add(
          String.format(
              Locale.ROOT, "--cpus=%.3f", Math.max(MIN_CPU_MILLIS, wanted.cpuMillis()) / 1000.0));
    if (wanted.memoryBytes() > 0)
      argv.add("--memory=" + Math.max(MIN_MEMORY, wanted.memoryBytes()));
  }

  /**
   * Without isolation, as on a laptop, the container shares the machine's network and IPC. With it,
   * the container has no capabilities; one that runs as root has those to manage its own files and
   * processes.
   */
  private void isolation(List<String> argv) {
    if (wanted.isolation().isEmpty()) {
      argv.addAll(List.of("--network=host", "--ipc=host"));
      return;
    }
    var containerIsolation = wanted.isolation().get();
    argv.add(containerIsolation.hostNetwork() ? "--network=host" : "--network=bridge");
    argv.add("--cap-drop=ALL");
    if (containerIsolation.root()) ROOT_CAPS.forEach(cap -> argv.add("--cap-add=" + cap));
    if (containerIsolation.hostIpc()) {
      // Engines refuse a size for shared memory that is the machine's.
      argv.add("--ipc=host");
      return;
    }
    // Data loaders share memory among processes; the default of 64 MiB is too little.
    argv.add("--shm-size=" + sharedMemory());
  }

  /** Shared memory counts towards the container's memory limit. */
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
      // The TPU runtime locks the memory that its chips read.
      argv.add("--ulimit=memlock=-1:-1");
      if (wanted.isolation().isPresent()) argv.add("--cap-add=SYS_RESOURCE");
      for (var device : accelerators) argv.add("--device=" + device);
      if (accelerators.isEmpty()) return;
      // Without these variables, a library that finds no TPU silently computes on CPUs.
      TPU.forEach((name, value) -> {
        if (!inside.containsKey(name)) argv.add("--env=" + name + "=" + value);
      });
    }
  }

  /** The owner of the folder, so that the agent can read and delete what the container writes. */
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
