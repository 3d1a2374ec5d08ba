package dev.mayfly.agent.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.mayfly.core.files.CodeLimits;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Unpacks one zip into an empty folder.
 *
 * <p><b>Must:</b> write nothing outside the folder, create no links, trust no size in the zip, and
 * enforce the limits. A file keeps only its owner's permission to execute it.
 */
final class ZipUnpacker {
  /** Only the zip file system reads permissions; a zip without them contains data only. */
  private static final Map<String, String> VIEW =
      Map.of("enablePosixFileAttributes", "true", "defaultPermissions", "rw-------");

  /** Bytes in UTF-8: Linux's NAME_MAX. */
  private static final int LONGEST_NAME = 255;

  private final ZipLimits caps;
  private long unpacked;

  ZipUnpacker(ZipLimits caps) {
    this.caps = caps;
  }

  void unpack(Path zip, Path folder) throws IOException, CodeStore.InvalidCode {
    checkNames(zip, folder);
    long packed = Files.size(zip);
    try (var files = read(() -> FileSystems.newFileSystem(zip, VIEW))) {
      var root = files.getPath("/");
      for (var entry : read(() -> entries(root))) {
        extract(entry, target(folder, root.relativize(entry).toString()), packed);
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
   * Runs a step. The JDK's reader throws various exceptions for a damaged zip. Its hash is right,
   * so another machine would get the same.
   */
  private static <T> T read(Step<T> step) throws CodeStore.InvalidCode {
    try {
      return step.run();
    } catch (IOException | RuntimeException damaged) {
      throw new CodeStore.InvalidCode("the code bundle cannot be unpacked: " + damaged, damaged);
    }
  }

  private void checkNames(Path zip, Path folder) throws IOException, CodeStore.InvalidCode {
    try (var file = new ZipFile(zip.toFile())) {
      if (file.size() > caps.entries()) {
        throw new CodeStore.InvalidCode(
            "the code bundle has %d entries; the limit is %d; leave data and .git out of it"
                .formatted(file.size(), caps.entries()));
      }
      checkPlaces(file, folder);
    } catch (ZipException | EOFException e) {
      throw new CodeStore.InvalidCode("the code bundle is not a complete zip file: " + e, e);
    }
  }

  /** Of two entries with the same target, the zip file system would omit one. */
  private static void checkPlaces(ZipFile zip, Path folder) throws CodeStore.InvalidCode {
    var folders = new HashSet<>(Set.of(folder));
    var files = new HashSet<Path>();
    for (var entries = zip.entries(); entries.hasMoreElements(); ) {
      var entry = entries.nextElement();
      var target = target(folder, entry.getName());
      if (!entry.isDirectory() && !files.add(target)) throw duplicate(entry.getName());
      var inner = entry.isDirectory() ? target : requireNonNull(target.getParent());
      while (inner.startsWith(folder) && folders.add(inner))
        inner = requireNonNull(inner.getParent());
    }
    for (var file : files)
      if (folders.contains(file)) throw duplicate(folder.relativize(file).toString());
  }

  /** A repeated name, a file below a file, or a file in place of the folder. */
  private static CodeStore.InvalidCode duplicate(String name) {
    return new CodeStore.InvalidCode("the code bundle has more than one entry at '" + name + "'");
  }

  private static Path target(Path folder, String name) throws CodeStore.InvalidCode {
    if (isTooLong(name)) {
      throw new CodeStore.InvalidCode(
          "the code bundle has an entry '%.60s…'; a path has at most %,d bytes, a name %d"
              .formatted(name, CodeLimits.LONGEST_PATH, LONGEST_NAME));
    }
    var bad = name.startsWith("/") || name.indexOf('\\') >= 0 || name.indexOf('\0') >= 0;
    var target = bad ? folder : folder.resolve(name).normalize();
    if (bad || !target.startsWith(folder) || hasDots(name)) {
      throw new CodeStore.InvalidCode(
          "the code bundle has an entry '" + name + "' outside its folder");
    }
    return target;
  }

  /**
   * Checks Linux's limits here, because a name that the disk refuses would look like a transient
   * error.
   */
  private static boolean isTooLong(String name) {
    if (name.getBytes(UTF_8).length > CodeLimits.LONGEST_PATH) return true;
    for (var part : name.split("/")) {
      if (part.getBytes(UTF_8).length > LONGEST_NAME) return true;
    }
    return false;
  }

  private static boolean hasDots(String name) {
    for (var part : name.split("/")) {
      if (part.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private void extract(Path entry, Path target, long packed)
      throws IOException, CodeStore.InvalidCode {
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
      throws IOException, CodeStore.InvalidCode {
    var buffer = new byte[64 * 1024];
    try (var out = Files.newOutputStream(target)) {
      for (int n = read(() -> in.read(buffer)); n >= 0; n = read(() -> in.read(buffer))) {
        unpacked += n;
        if (unpacked > caps.unpackedBytes()) {
          throw new CodeStore.InvalidCode(
              "the code bundle unpacks to more than " + caps.unpackedBytes() + " bytes");
        }
        if (unpacked > ZipLimits.RATIO_FROM && unpacked / Math.max(1, packed) > caps.ratio()) {
          throw new CodeStore.InvalidCode(
              "the code bundle unpacks to over " + caps.ratio() + " times its size: a zip bomb");
        }
        out.write(buffer, 0, n);
      }
    }
  }
}
