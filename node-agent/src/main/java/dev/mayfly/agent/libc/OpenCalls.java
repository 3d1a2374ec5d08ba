package dev.mayfly.agent.libc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * {@code openat} for reading, which never waits: not for the other end of a pipe, nor for the
 * holder of a lease. Linux only.
 */
final class OpenCalls {
  /** The process's working directory. */
  static final int HERE = -100;

  private static final int NONBLOCK = 0x800;
  private static final int CLOEXEC = 0x80000;

  // Flags whose value depends on the processor.
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
  private static final int NOFOLLOW = ARM ? 0x8000 : 0x20000;

  private static final int ENOENT = 2;
  private static final int ENXIO = 6;
  private static final int EACCES = 13;
  private static final int ENOTDIR = 20;
  private static final int ELOOP = 40;

  private static final MethodHandle OPENAT = Libc.variadicWithErrno("openat", "IPI", 3);
  private static final MethodHandle CLOSE = Libc.withErrno("close", "I");

  private OpenCalls() {}

  /** The descriptor of a folder. Throws for anything else; follows links only if {@code follow}. */
  static int folder(int at, Path name, boolean follow) throws IOException {
    var found = open(at, name, DIRECTORY | (follow ? 0 : NOFOLLOW));
    if (found >= 0) return found;
    throw switch (-found) {
      case ENOTDIR, ELOOP -> new NotDirectoryException(name.toString());
      default -> failure(-found, name);
    };
  }

  /** The descriptor of anything but a folder or a link; -1 if there is nothing else to open. */
  static int file(int at, Path name) throws IOException {
    var found = open(at, name, NOFOLLOW);
    if (found >= 0) return found;
    return switch (-found) {
      case ENOENT, ELOOP, ENXIO, ENOTDIR -> -1;
      default -> throw failure(-found, name);
    };
  }

  private static IOException failure(int error, Path name) {
    return switch (error) {
      case ENOENT -> new NoSuchFileException(name.toString());
      case EACCES -> new AccessDeniedException(name.toString());
      default -> new FileSystemException(name.toString(), null, "cannot be opened, error " + error);
    };
  }

  private static int open(int at, Path name, int flags) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Libc.ERRNO);
      var text = text(arena, name);
      int result = (int) OPENAT.invokeExact(state, at, text, NONBLOCK | CLOEXEC | flags);
      return result < 0 ? -Libc.errno(state) : result;
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
  }

  static void close(int descriptor) {
    try (var arena = Arena.ofConfined()) {
      var unused = (int) CLOSE.invokeExact(arena.allocate(Libc.ERRNO), descriptor);
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
  }

  private static MemorySegment text(Arena arena, Path name) {
    var bytes = bytes(name);
    var text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return text;
  }

  /** A path's bytes, which Java keeps and shows in a URI only: a name need not be text. */
  static byte[] bytes(Path path) {
    var text = path.toString();
    if (text.chars().allMatch(c -> c < 0x80)) return text.getBytes(US_ASCII);
    // A URI is absolute, and ends with a slash if there happens to be such a folder.
    var raw = Path.of("/").resolve(path).toUri().getRawPath();
    var from = path.isAbsolute() ? 0 : 1;
    var to = raw.endsWith("/") ? raw.length() - 1 : raw.length();
    var bytes = new byte[to - from];
    var count = 0;
    for (var i = from; i < to; count++) {
      var escaped = raw.charAt(i) == '%';
      bytes[count] =
          (byte) (escaped ? Integer.parseInt(raw.substring(i + 1, i + 3), 16) : raw.charAt(i));
      i += escaped ? 3 : 1;
    }
    return java.util.Arrays.copyOf(bytes, count);
  }
}
