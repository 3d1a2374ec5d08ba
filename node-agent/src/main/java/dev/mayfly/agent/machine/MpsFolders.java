package dev.mayfly.agent.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Where NVIDIA's Multi-Process Service has its pipes and logs: in the agent's folder, so that
 * several agents of one computer have a daemon each.
 */
public record MpsFolders(Path pipe, Path log) {
  /** Below the agent's folder. */
  public static MpsFolders in(Path root) {
    var folder = root.toAbsolutePath().resolve("mps");
    return new MpsFolders(folder.resolve("pipe"), folder.resolve("log"));
  }

  /** Makes them; what is there stays. Tasks of any user may reach the pipes by their names. */
  public void create() throws IOException {
    for (var folder : new Path[] {pipe.getParent(), pipe, log}) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
  }

  /** By these, programs find the daemon: docs.nvidia.com/deploy/mps, environment variables. */
  public Map<String, String> variables() {
    return Map.of(
        "CUDA_MPS_PIPE_DIRECTORY", pipe.toString(), "CUDA_MPS_LOG_DIRECTORY", log.toString());
  }

  /** The file in which the daemon keeps its process id. */
  public Path pidFile() {
    return pipe.resolve("nvidia-cuda-mps-control.pid");
  }
}
