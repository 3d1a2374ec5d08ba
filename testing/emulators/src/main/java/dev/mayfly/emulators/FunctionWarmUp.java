package dev.mayfly.emulators;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * Waits until all functions listen and one of them has read the state, because an emulator's first
 * answer takes seconds and would delay a call.
 */
final class FunctionWarmUp {
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final Duration CALL = Duration.ofSeconds(60);

  private final long end = System.nanoTime() + LIMIT.toNanos();

  /** Throws {@link IOException} after three minutes. */
  void await(Collection<FunctionInstances> functions, FunctionInstances api)
      throws IOException, InterruptedException {
    for (var function : functions)
      for (var process : function.processes())
        while (!listens(process.port())) pauseOrFail(process.name() + " does not listen");
    while (!reads(api)) pauseOrFail("the function api cannot read the state");
  }

  private void pauseOrFail(String what) throws IOException, InterruptedException {
    if (System.nanoTime() > end)
      throw new IOException(what + " after " + LIMIT.toSeconds() + " s; see its log");
    TimeUnit.MILLISECONDS.sleep(50);
  }

  private static boolean listens(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static boolean reads(FunctionInstances api) throws InterruptedException {
    try {
      var answer =
          api.send(url ->
              HttpRequest.newBuilder(URI.create(url + "/v1/clusters")).timeout(CALL).build());
      return answer.statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }
}
