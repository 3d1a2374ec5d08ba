package dev.mayfly.agent.os;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Unpacks one zip into an empty folder.
 *
 * <p><b>Must:</b> write nothing outside the folder, make no link, believe no size that the zip
 * claims, and keep to the caps. A file keeps whether its owner may run it, and nothing else.
 */
final class Zip {
  /** Only the file system view of a zip tells permissions; a zip that has none means data. */
  private static final Map<String, String> VIEW =
      Map.of("enablePosixFileAttributes", "true", "defaultPermissions", "rw-------");

  private final ZipCaps caps;
  private long unpacked;

  Zip(ZipCaps caps) {
    this.caps = caps;
  }

  void unpack(Path zip, Path folder) throws IOException, CodeStore.Refused {
    checkNames(zip, folder);
    long packed = Files.size(zip);
    try (var files = read(() -> FileSystems.newFileSystem(zip, VIEW))) {
      var root = files.getPath("/");
      for (var entry : read(() -> entries(root))) {
        place(entry, target(folder, root.relativize(entry).toString()), packed);
      }
    }
  }

  private static List<Path> entries(Path root) throws IOException {
    try (var walk = Files.walk(root)) {
      return walk.toList();
    }
  }

  /** One step of reading the zip. */
  private interface Step<T> {
    T run() throws IOException;
  }

  /**
   * The JDK's reader throws many things at a zip that is damaged. Its hash was right, so that it is
   * no better on another machine.
   */
  private static <T> T read(Step<T> step) throws CodeStore.Refused {
    try {
      return step.run();
    } catch (IOException | RuntimeException damaged) {
      throw new CodeStore.Refused("the code bundle cannot be unpacked: " + damaged, damaged);
    }
  }

  private void checkNames(Path zip, Path folder) throws IOException, CodeStore.Refused {
    try (var file = new ZipFile(zip.toFile())) {
      if (file.size() > caps.entries()) {
        throw new CodeStore.Refused(
            "the code bundle has %d entries, and %d is the most; leave data and .git out of it"
                .formatted(file.size(), caps.entries()));
      }
      for (var entries = file.entries(); entries.hasMoreElements(); ) {
        target(folder, entries.nextElement().getName());
      }
    } catch (ZipException | EOFException e) {
      throw new CodeStore.Refused("the code bundle is no zip file, or a part of one: " + e, e);
    }
  }

  private static Path target(Path folder, String name) throws CodeStore.Refused {
    var bad = name.startsWith("/") || name.indexOf('\\') >= 0 || name.indexOf('\0') >= 0;
    var target = bad ? folder : folder.resolve(name).normalize();
    if (bad || !target.startsWith(folder) || hasDots(name)) {
      throw new CodeStore.Refused("the code bundle has an entry '" + name + "', which leads out");
    }
    return target;
  }

  private static boolean hasDots(String name) {
    for (var part : name.split("/")) {
      if (part.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private void place(Path entry, Path target, long packed) throws IOException, CodeStore.Refused {
    if (Files.isDirectory(entry)) {
      Files.createDirectories(target);
      return;
    }
    try (var in = read(() -> Files.newInputStream(entry))) {
      copy(in, target, packed);
    }
    var runnable =
        read(() -> Files.getPosixFilePermissions(entry))
            .contains(PosixFilePermission.OWNER_EXECUTE);
    Files.setPosixFilePermissions(
        target, PosixFilePermissions.fromString(runnable ? "rwx------" : "rw-------"));
  }

  private void copy(InputStream in, Path target, long packed)
      throws IOException, CodeStore.Refused {
    var buffer = new byte[64 * 1024];
    try (var out = Files.newOutputStream(target)) {
      for (int n = read(() -> in.read(buffer)); n >= 0; n = read(() -> in.read(buffer))) {
        unpacked += n;
        if (unpacked > caps.unpackedBytes()) {
          throw new CodeStore.Refused(
              "the code bundle unpacks to more than " + caps.unpackedBytes() + " bytes");
        }
        if (unpacked > ZipCaps.RATIO_FROM && unpacked / Math.max(1, packed) > caps.ratio()) {
          throw new CodeStore.Refused(
              "the code bundle unpacks to over " + caps.ratio() + " times its size: a zip bomb");
        }
        out.write(buffer, 0, n);
      }
    }
  }
}
