package dev.mayfly.agent.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether some process has a TPU of this machine open. A TPU is one process's at a time: whoever
 * comes second fails with "device or resource busy" ({@code vfio busy}), long after all hosts of
 * its gang have begun. TPU VMs show their chips as {@code /dev/accel0} and on, those of later
 * generations as {@code /dev/vfio/0} and on.
 */
public final class HeldDevices {
  private final Path proc;

  /** Of this machine. */
  public HeldDevices() {
    this(Path.of("/proc"));
  }

  /**
   * @param proc where the machine shows its processes
   */
  public HeldDevices(Path proc) {
    this.proc = proc;
  }

  /**
   * Which device is held by whom, in words; empty if none is. What may not be looked at, and what
   * ends meanwhile, holds nothing.
   */
  public Optional<String> firstHolder() {
    try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (var process : processes) {
        var device = device(process);
        if (device.isPresent())
          return Optional.of(
              "%s is held by process %s (%s)"
                  .formatted(device.get(), process.getFileName(), name(process)));
      }
      return Optional.empty();
    } catch (IOException | DirectoryIteratorException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<String> device(Path process) {
    try (var files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (var file : files) {
        var target = Files.readSymbolicLink(file).toString();
        if (isTpu(target)) return Optional.of(target);
      }
      return Optional.empty();
    } catch (IOException | DirectoryIteratorException gone) {
      return Optional.empty();
    }
  }

  /** {@code /dev/vfio/vfio} is the door to all of them and is held by nobody. */
  private static boolean isTpu(String path) {
    return path.matches("/dev/accel\\d+|/dev/vfio/\\d+");
  }

  private static String name(Path process) {
    try {
      return Files.readString(process.resolve("comm"), StandardCharsets.UTF_8).strip();
    } catch (IOException gone) {
      return "it has ended since";
    }
  }
}
