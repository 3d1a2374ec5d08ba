import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A control plane and a bucket with one answer for each kind of call, for commands whose classes
 * are recorded: every cluster, worker and job is the same one, and every job has succeeded.
 *
 * <p>{@code java StubControlPlane.java ANSWERS HOME COMMAND...} writes the addresses into the
 * folder HOME, runs the command with {@code MAYFLY_HOME} set to it, and ends with its exit code.
 */
final class StubControlPlane {
  private static final Pattern CHECKSUM = Pattern.compile("\"crc32c\":\"([^\"]*)\"");
  private static final String TOKEN = "mayfly-rehearsal";
  private static final String LOG = "hello from a task\n";
  private static final String LOG_NAME = "mayfly/.jobs/jrehearsal/logs/00000000/1/0.log";

  private final Path answers;

  private StubControlPlane(Path answers) {
    this.answers = answers;
  }

  public static void main(String[] arguments) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", new StubControlPlane(Path.of(arguments[0]))::handle);
    server.start();
    announce(Path.of(arguments[1]), "http://127.0.0.1:" + server.getAddress().getPort());
    var command = List.of(arguments).subList(2, arguments.length);
    var builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("MAYFLY_HOME", arguments[1]);
    var code = builder.start().waitFor();
    server.stop(0);
    System.exit(code);
  }

  private static void announce(Path home, String url) throws IOException {
    Files.createDirectories(home.resolve("cloud"));
    Files.writeString(home.resolve("cloud/token"), TOKEN);
    Files.writeString(
        home.resolve("local.json"),
        """
        {"project": "rehearsal", "api": "%1$s/api", "pubsub": "%1$s", "storage": "%1$s", "cloud": "%1$s",
         "workers": "%1$s/workers", "cloudPid": 1, "controlPid": 1, "supervisorPid": 1}
        """
            .formatted(url));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var path = exchange.getRequestURI().getRawPath();
      var answer =
          exchange.getRequestMethod().equals("POST")
              ? posted(path, body)
              : path.startsWith("/api/")
                  ? view(path)
                  : path.equals("/_mayfly/proof") ? proof(exchange) : object(exchange, path);
      var bytes = answer.getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.isEmpty() ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** As {@code ServerProof}: every command asks for it before it sends the token. */
  private static String proof(HttpExchange exchange) {
    var nonce = exchange.getRequestURI().getRawQuery().replaceAll("nonce=([^&]*).*", "$1");
    var address = "127.0.0.1:" + exchange.getLocalAddress().getPort();
    var key = hmac(TOKEN.getBytes(UTF_8), "mayfly server proof");
    var proof = HexFormat.of().formatHex(hmac(key, address + "\n" + nonce));
    return "{\"proofs\": [\"" + proof + "\"]}";
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String posted(String path, byte[] body) {
    if (path.endsWith(":publish")) return "{\"messageIds\": [\"1\"]}";
    return path.startsWith("/upload/") ? uploaded(new String(body, ISO_8859_1)) : "{}";
  }

  /** An upload has two parts: the object's properties, and its content up to the last boundary. */
  private static String uploaded(String body) {
    var checksum = CHECKSUM.matcher(body);
    var boundary = "\r\n" + body.substring(0, body.indexOf('\r'));
    var content = body.indexOf("\r\n\r\n", body.indexOf(boundary)) + 4;
    var size = body.lastIndexOf(boundary) - content;
    return resource("code.zip", size, checksum.find() ? checksum.group(1) : "");
  }

  private String view(String path) throws IOException {
    var parts = path.split("/");
    if (path.contains("/rejections/")) return "";
    return switch (parts.length) {
      case 4 -> list("cluster");
      case 5 -> read("cluster");
      case 6 -> parts[5].startsWith("cost") ? read("cost") : list(parts[5].replaceAll("s$", ""));
      case 7 -> read("job");
      default -> read("explanation");
    };
  }

  private String list(String name) throws IOException {
    return "[" + read(name) + "]";
  }

  private String read(String name) throws IOException {
    return Files.readString(answers.resolve(name + ".json"));
  }

  /** The bucket has one log, and nothing else. */
  private static String object(HttpExchange exchange, String path) {
    if (path.endsWith("/o"))
      return "{\"kind\": \"storage#objects\", \"items\": [" + resource(LOG_NAME, LOG.length(), "") + "]}";
    if (!path.endsWith(".log")) return "";
    exchange.getResponseHeaders().add("x-goog-generation", "1");
    exchange.getResponseHeaders().add("x-goog-stored-content-length", "" + LOG.length());
    return LOG;
  }

  private static String resource(String name, int size, String checksum) {
    return """
        {"kind": "storage#object", "bucket": "rehearsal", "name": "%s", "generation": "1", "size": "%d",
         "crc32c": "%s", "updated": "2026-01-31T10:00:00.000Z"}
        """
        .formatted(name, size, checksum);
  }
}
