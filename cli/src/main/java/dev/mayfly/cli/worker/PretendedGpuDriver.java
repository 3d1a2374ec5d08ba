package dev.mayfly.cli.worker;

import dev.mayfly.cli.error.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program in the place of {@code nvidia-smi} that lists GPUs which are not there, for a machine
 * of one's own on the laptop cloud.
 */
final class PretendedGpuDriver {
  /** Columns that it does not know are answered as the real one does. */
  private static final String PROGRAM =
      """
      #!/bin/sh
      # Written by mayfly worker join --pretend-gpus.
      for word; do case $word in --query-gpu=*) columns=${word#*=} ;; esac; done
      i=0
      while [ $i -lt %d ]; do
        line=
        for column in $(echo "${columns:-index,uuid,name,memory.total}" | tr , ' '); do
          case $column in
            index) value=$i ;;
            uuid) value=GPU-%s-$i ;;
            name) value='pretended GPU' ;;
            memory.total) value=16384 ;;
            memory.used | utilization.gpu) value=0 ;;
            *) value='[N/A]' ;;
          esac
          line="$line, $value"
        done
        echo "${line#, }"
        i=$((i + 1))
      done
      """;

  private PretendedGpuDriver() {}

  /** Writes the program anew; returns its folder, which goes first on the agent's path. */
  static Path install(Path folder, String worker, int gpus) {
    try {
      var bin = Files.createDirectories(folder.resolve("driver"));
      var program = Files.writeString(bin.resolve("nvidia-smi"), PROGRAM.formatted(gpus, worker));
      if (!program.toFile().setExecutable(true)) throw new IOException(program + " stays a text");
      return bin;
    } catch (IOException e) {
      throw CommandException.input(
          "the folder " + folder + " cannot be used (" + e + "); choose another --dir", e);
    }
  }
}
