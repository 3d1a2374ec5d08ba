package dev.mayfly.local.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * The body of a request. What cannot be read of it is the caller's mistake, and not the disk's,
 * which other exceptions of reading and writing are.
 */
final class RequestBody extends FilterInputStream {
  private RequestBody(InputStream in) {
    super(in);
  }

  static InputStream of(InputStream in, boolean packed) {
    try {
      return new RequestBody(packed ? new GZIPInputStream(in) : in);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static ApiError unreadable(IOException e) {
    return ApiError.invalid("The request's body cannot be read: " + e.getMessage(), e);
  }

  @Override
  public int read() {
    try {
      return super.read();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public int read(byte[] bytes, int from, int length) {
    try {
      return super.read(bytes, from, length);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public long skip(long n) {
    try {
      return super.skip(n);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }
}
