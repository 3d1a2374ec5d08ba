package dev.mayfly.functions.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Posts to a webhook. Follows no redirect, and reads nothing of the answer but its status.
 *
 * <p>It writes HTTP itself, because the JDK's clients look a name up once more when they connect,
 * and that address is not the one that was allowed.
 */
final class WebhookCall {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int CONNECT_MILLIS = 4_000;
  private static final int LONGEST_LINE = 1_000;
  private static final int MOST_LINES = 200;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})( .*)?");

  private final UnreachableReceivers unreachable;
  private final WebhookReach reach;
  private final WebhookAddress.Resolver resolver;
  private @Nullable SSLSocketFactory tls;

  WebhookCall(WebhookReach reach, InstantSource clock) {
    this(reach, InetAddress::getAllByName, null, clock);
  }

  /**
   * @param tls the JDK's if null
   */
  WebhookCall(
      WebhookReach reach,
      WebhookAddress.Resolver resolver,
      @Nullable SSLSocketFactory tls,
      InstantSource clock) {
    this.reach = reach;
    this.resolver = resolver;
    this.tls = tls;
    unreachable = new UnreachableReceivers(clock);
  }

  /**
   * The answer's status. Throws {@link UnavailableException} if none came within ten seconds, and
   * at once while none is expected; {@link InvalidInputException} for a receiver that this
   * deployment does not call.
   */
  int post(URI url, Map<String, String> headers, byte[] body) {
    unreachable.check(url);
    try {
      var addresses = WebhookAddress.of(url, reach, resolver);
      var status = post(url, addresses, head(url, headers, body.length), body);
      unreachable.answered(url);
      return status;
    } catch (IOException e) {
      unreachable.unanswered(url);
      throw new UnavailableException(
          "no answer from " + url.getHost() + ": " + e.getClass().getSimpleName(), e);
    }
  }

  private static byte[] head(URI url, Map<String, String> headers, int length) {
    var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    var head = new StringBuilder("POST ").append(path);
    if (url.getRawQuery() != null) head.append('?').append(url.getRawQuery());
    head.append(" HTTP/1.1\r\nHost: ").append(url.getHost());
    if (url.getPort() > 0) head.append(':').append(url.getPort());
    head.append("\r\nContent-Type: application/json\r\nUser-Agent: mayfly\r\nConnection: close");
    head.append("\r\nContent-Length: ").append(length);
    headers.forEach((name, value) -> head.append("\r\n").append(name).append(": ").append(value));
    return head.append("\r\n\r\n").toString().getBytes(US_ASCII);
  }

  private int post(URI url, List<InetAddress> addresses, byte[] head, byte[] body)
      throws IOException {
    try (var socket = connected(url, addresses)) {
      // A receiver that sends a byte now and then would never reach a time limit of reading.
      var limit =
          CompletableFuture.runAsync(
              () -> close(socket),
              CompletableFuture.delayedExecutor(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
      try (var channel = secured(url, socket)) {
        var out = channel.getOutputStream();
        out.write(head);
        out.write(body);
        out.flush();
        return status(channel);
      } finally {
        limit.cancel(false);
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Socket connected(URI url, List<InetAddress> addresses) throws IOException {
    var port = url.getPort() > 0 ? url.getPort() : isTls(url) ? 443 : 80;
    var failure = new IOException("no address");
    for (var address : addresses) {
      var socket = new Socket();
      try {
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.connect(
            new InetSocketAddress(address, port),
            Math.min(CONNECT_MILLIS, (int) LIMIT.toMillis() / addresses.size()));
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure;
  }

  private static boolean isTls(URI url) {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  private Socket secured(URI url, Socket socket) throws IOException {
    if (!isTls(url)) return socket;
    var secure =
        (SSLSocket) tls().createSocket(socket, WebhookAddress.host(url), socket.getPort(), true);
    var parameters = secure.getSSLParameters();
    // Otherwise any valid certificate would do, whatever host it is of.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  /** Created lazily: other functions call no webhook. */
  private synchronized SSLSocketFactory tls() {
    if (tls == null) tls = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return tls;
  }

  /** Skips answers that only say that one will follow. */
  private static int status(Socket socket) throws IOException {
    for (var lines = 0; lines < MOST_LINES; ) {
      var first = STATUS.matcher(line(socket));
      if (!first.matches()) throw new IOException("the receiver does not speak HTTP");
      var status = Integer.parseInt(first.group(1));
      if (status >= 200) return status;
      for (lines++; !line(socket).isEmpty() && lines < MOST_LINES; lines++) {
        // A header that nothing here reads.
      }
    }
    throw new IOException("the receiver does not come to its answer");
  }

  private static String line(Socket socket) throws IOException {
    var in = socket.getInputStream();
    var line = new StringBuilder();
    for (var next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() > LONGEST_LINE) throw new IOException("the answer breaks off");
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }
}
