package dev.mayfly.agent.runner;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.agent.libc.Libc;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A named pipe between the agent and a runner. The agent holds both ends, so that opening it never
 * waits, and can write a mark of its own behind what the runner has written: whoever reads the mark
 * has all that was there before.
 */
final class MarkedPipe implements Closeable {
  private static final MethodHandle MKFIFO = Libc.withErrno("mkfifo", "PI");
  private static final int OWN = 0600;
  private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime());

  private final Path path;
  private final RandomAccessFile both;
  private final byte[] mark;
  private byte[] held = new byte[0];

  private MarkedPipe(Path path, RandomAccessFile both) {
    this.path = path;
    this.both = both;
    this.mark = ("\0mayfly:" + NUMBERS.incrementAndGet() + "\0\n").getBytes(US_ASCII);
  }

  /** Makes the pipe, for the agent's user alone. */
  static MarkedPipe make(Path path) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var errno = arena.allocate(Libc.ERRNO);
      int made = (int) MKFIFO.invokeExact(errno, arena.allocateFrom(path.toString()), OWN);
      if (made != 0)
        throw new IOException("no pipe can be made at " + path + ", error " + Libc.errno(errno));
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
    return new MarkedPipe(path, new RandomAccessFile(path.toFile(), "rw"));
  }

  Path path() {
    return path;
  }

  void write(byte[] bytes) throws IOException {
    both.write(bytes);
  }

  /** How many bytes are in it; 0 if that cannot be known. */
  int unread() {
    try (var look = new FileInputStream(path.toFile())) {
      return look.available();
    } catch (IOException gone) {
      return 0;
    }
  }

  /** Writes a mark behind what is in the pipe. */
  void mark() throws IOException {
    both.write(mark);
  }

  /** Waits for the next bytes, at most {@code most}; none for a mark. For one reader. */
  byte[] next(int most) throws IOException {
    while (true) {
      int at = markAt();
      if (at == 0 && held.length >= mark.length) return taken(mark.length, 0);
      if (at > 0) return taken(Math.min(at, most), Math.min(at, most));
      var buffer = new byte[most];
      int n = both.read(buffer);
      if (n < 0) throw new IOException("the pipe " + path + " has ended");
      var from = held.length;
      held = Arrays.copyOf(held, from + n);
      System.arraycopy(buffer, 0, held, from, n);
    }
  }

  /** Takes bytes out of those that are held; returns the first {@code wanted} of them. */
  private byte[] taken(int count, int wanted) {
    var bytes = Arrays.copyOf(held, wanted);
    held = Arrays.copyOfRange(held, count, held.length);
    return bytes;
  }

  /** Where the held bytes have the mark, or what may be its beginning; their end without any. */
  private int markAt() {
    for (int i = 0; i < held.length; i++) {
      int n = Math.min(mark.length, held.length - i);
      if (Arrays.equals(held, i, i + n, mark, 0, n)) return i;
    }
    return held.length;
  }

  /** Call it when nobody reads any more. */
  @Override
  public void close() throws IOException {
    both.close();
  }
}
