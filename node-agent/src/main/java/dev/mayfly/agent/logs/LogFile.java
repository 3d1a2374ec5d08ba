package dev.mayfly.agent.logs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * A log on disk, held open: reads and cuts the file that was created, whatever a task puts in its
 * place.
 */
public final class LogFile implements Closeable {
  private final Path path;
  private final FileChannel channel;

  private LogFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Creates the file; deletes an existing file or link of that name first. */
  public static LogFile make(Path path) throws IOException {
    Files.deleteIfExists(path);
    var channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return new LogFile(path, channel);
  }

  /** The file that a process appends to. */
  public Path path() {
    return path;
  }

  /** Creates an empty file beside this one. */
  public LogFile beside(String suffix) throws IOException {
    return make(path.resolveSibling(path.getFileName() + suffix));
  }

  public long size() throws IOException {
    return channel.size();
  }

  /** The bytes from {@code from} to {@code to}, as far as they exist. */
  public byte[] read(long from, long to) throws IOException {
    var buffer = ByteBuffer.allocate((int) Math.max(0, Math.min(to, size()) - from));
    while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) >= 0) {
      // Until the end of the file.
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** Appends what a process has printed. */
  public void append(byte[] bytes) throws IOException {
    try (var end = FileChannel.open(path, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      end.write(ByteBuffer.wrap(bytes));
    }
  }

  /** Appends a line of Mayfly's own to what the processes write. */
  public void say(String line) throws IOException {
    var size = size();
    var before = size == 0 || read(size - 1, size)[0] == '\n' ? "" : "\n";
    // A channel that appends: the held one would write over what a process appends meanwhile.
    try (var end = FileChannel.open(path, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      end.write(StandardCharsets.UTF_8.encode(before + "mayfly: " + line + "\n"));
    }
  }

  /** A range of the file as a stream. */
  public InputStream open(long from, long length) {
    return new Part(from, from + length);
  }

  /**
   * Moves the last {@code kept} bytes into {@code other}, replacing its content, and empties this
   * file.
   */
  public void cutInto(LogFile other, long kept) throws IOException {
    long from = size() - kept;
    other.channel.truncate(0);
    other.channel.position(0);
    long copied = 0;
    while (copied < kept) {
      copied += channel.transferTo(from + copied, kept - copied, other.channel);
    }
    channel.truncate(0);
  }

  /** Closes and deletes the file. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }

  private final class Part extends InputStream {
    private final long end;
    private long at;

    Part(long from, long end) {
      this.at = from;
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int most = (int) Math.min(length, end - at);
      if (most <= 0) return length == 0 ? 0 : -1;
      int n = channel.read(ByteBuffer.wrap(bytes, from, most), at);
      at += Math.max(0, n);
      return n;
    }
  }
}
