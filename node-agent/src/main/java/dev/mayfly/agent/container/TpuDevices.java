package dev.mayfly.agent.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a machine's TPU, as engines are given them: {@code accel0} and so on up to v4, the
 * folder {@code vfio} as a whole from v5e on, since what is in it differs from kernel to kernel.
 */
final class TpuDevices {
  private TpuDevices() {}

  /**
   * Empty where there is no TPU.
   *
   * @param dev {@code /dev}
   */
  static List<Path> in(Path dev) {
    var found = new ArrayList<Path>();
    try (var files = Files.newDirectoryStream(dev, "accel*")) {
      files.forEach(found::add);
    } catch (IOException e) {
      return List.of();
    }
    var vfio = dev.resolve("vfio");
    if (Files.isDirectory(vfio)) found.add(vfio);
    return found.stream().sorted().toList();
  }
}
