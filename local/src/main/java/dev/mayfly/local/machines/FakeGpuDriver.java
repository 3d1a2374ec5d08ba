package dev.mayfly.local.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;

/** A fake {@code nvidia-smi} that lists GPUs of a machine. */
final class FakeGpuDriver {
  private static final int MEMORY_MIB = 23_034;

  private FakeGpuDriver() {}

  /** The folder with the program, for the machine's path; empty for a machine without GPUs. */
  static Optional<Path> install(VmSpec spec, Path home) throws IOException {
    if (spec.gpus().isEmpty()) {
      return Optional.empty();
    }
    var lines = new ArrayList<String>();
    lines.add("#!/bin/sh");
    lines.add("cat <<'END'");
    for (var i = 0; i < spec.gpus().size(); i++) {
      var uuid = UUID.nameUUIDFromBytes((spec.id() + "/" + i).getBytes(UTF_8));
      lines.add("%d, GPU-%s, %s, %d".formatted(i, uuid, spec.gpus().get(i), MEMORY_MIB));
    }
    lines.add("END");
    var bin = Files.createDirectories(home.resolve(".driver"));
    var program = Files.write(bin.resolve("nvidia-smi"), lines);
    if (!program.toFile().setExecutable(true)) {
      throw new IOException(program + " cannot be made executable");
    }
    return Optional.of(bin);
  }
}
