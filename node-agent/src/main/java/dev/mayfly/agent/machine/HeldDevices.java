package dev.mayfly.agent.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether a process holds a TPU of this machine. Only one process at a time can open a TPU:
 * a second one fails with "device or resource busy" ({@code vfio busy}), long after all hosts of
 * its gang have started. TPU VMs show chips as {@code /dev/accel0} and on, later generations as
 * {@code /dev/vfio/0} and on.
 */
public final class HeldDevices {
  private final Path proc;

  public HeldDevices() {
    this(Path.of("/proc"));
  }

  /**
   * @param proc the machine's {@code /proc}
   */
  public HeldDevices(Path proc) {
    this.proc = proc;
  }

  /**
   * A held device and its process, in words; empty if all are free. Skips processes that cannot be
   * read or that end meanwhile.
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

  /** {@code /dev/vfio/vfio} is a control device that no process holds exclusively. */
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
