package dev.mayfly.local.http;

import com.sun.net.httpserver.Headers;
import java.io.OutputStream;

/** An answer without a connection of its own. */
public final class BufferedReply implements RestReply {
  private final Headers headers = new Headers();
  private final OutputStream body;
  private int status = -1;

  /**
   * @param body takes the body
   */
  public BufferedReply(OutputStream body) {
    this.body = body;
  }

  /** The answer's status; -1 until it begins. */
  public int status() {
    return status;
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public OutputStream begin(int code, long length) {
    if (status != -1) throw new IllegalStateException("answered twice: " + status + ", " + code);
    status = code;
    return body;
  }
}
