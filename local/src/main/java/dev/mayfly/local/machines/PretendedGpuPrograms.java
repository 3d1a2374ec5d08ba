package dev.mayfly.local.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Fake programs of NVIDIA's driver on a machine with GPUs: {@code nvidia-smi}, which shows their
 * use by the machine's tasks, and the control daemon of the Multi-Process Service.
 */
final class PretendedGpuPrograms {
  private static final List<String> PROGRAMS = List.of("nvidia-smi", "nvidia-cuda-mps-control");

  private PretendedGpuPrograms() {}

  /** The folder with the programs, for the machine's path; empty for a machine without GPUs. */
  static Optional<Path> install(VmSpec spec, Path home) throws IOException {
    if (spec.gpus().isEmpty()) {
      return Optional.empty();
    }
    var bin = Files.createDirectories(home.resolve(".driver"));
    var lines = new ArrayList<String>();
    for (var i = 0; i < spec.gpus().size(); i++) {
      var uuid = UUID.nameUUIDFromBytes((spec.id() + "/" + i).getBytes(UTF_8));
      var gpu = spec.gpus().get(i);
      lines.add("%d, GPU-%s, %s, %d".formatted(i, uuid, gpu.name(), gpu.memoryMib()));
    }
    Files.write(bin.resolve("gpus"), lines);
    for (var name : PROGRAMS) {
      var program = bin.resolve(name);
      try (var script = PretendedGpuPrograms.class.getResourceAsStream(name)) {
        Files.copy(requireNonNull(script, name), program, StandardCopyOption.REPLACE_EXISTING);
      }
      if (!program.toFile().setExecutable(true)) {
        throw new IOException(program + " cannot be made executable");
      }
    }
    return Optional.of(bin);
  }
}
