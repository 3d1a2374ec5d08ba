package dev.mayfly.agent.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The TPU devices to pass to containers: {@code accel0} and so on up to v4; from v5e on the whole
 * folder {@code vfio}, whose content depends on the kernel.
 */
final class TpuDevices {
  private TpuDevices() {}

  /**
   * Empty if the machine has no TPU.
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
