package dev.mayfly.cli.error;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes its results. A {@link PrintStream} keeps to itself that a disk is full;
 * this one knows why not all was written, so that a script does not go on with half of a table.
 */
public final class ResultStream extends PrintStream {
  /** As the operating system says it of a reader that has seen enough, such as {@code head}. */
  private static final String NO_READER = "Broken pipe";

  private final Target target;

  private ResultStream(Target target) {
    super(target, true, StandardCharsets.UTF_8);
    this.target = target;
  }

  public static ResultStream to(OutputStream stream) {
    return new ResultStream(new Target(stream));
  }

  /** Why not all was written, in words; empty if all was, or if its reader wants no more. */
  public Optional<String> whyCut() {
    flush();
    return Optional.ofNullable(target.failure).filter(why -> !why.equals(NO_READER));
  }

  private static final class Target extends FilterOutputStream {
    private volatile @Nullable String failure;

    Target(OutputStream stream) {
      super(stream);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException e) {
        if (failure == null) failure = String.valueOf(e.getMessage());
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException e) {
        if (failure == null) failure = String.valueOf(e.getMessage());
        throw e;
      }
    }
  }
}
