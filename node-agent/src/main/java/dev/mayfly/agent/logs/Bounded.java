package dev.mayfly.agent.logs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. */
final class Bounded extends FilterInputStream {
  private long left;

  Bounded(InputStream in, long size) {
    super(in);
    this.left = size;
  }

  @Override
  public int read() throws IOException {
    if (left <= 0) {
      return -1;
    }
    int read = in.read();
    left -= read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (left <= 0) {
      return -1;
    }
    int n = in.read(bytes, from, (int) Math.min(length, left));
    left -= Math.max(0, n);
    return n;
  }

  @Override
  public long skip(long n) throws IOException {
    long skipped = in.skip(Math.min(n, left));
    left -= skipped;
    return skipped;
  }
}
