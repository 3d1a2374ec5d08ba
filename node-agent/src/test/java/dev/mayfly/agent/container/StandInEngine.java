package dev.mayfly.agent.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A program that pulls as docker does: with the login of the configuration that its environment
 * names, and with what a registry really answers. An image is a file with its digest.
 */
final class StandInEngine {
  private final Path store;

  private StandInEngine(Path store) {
    this.store = store;
  }

  /** Installs it as {@code docker} or {@code podman}. */
  static String shell(Path store) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    var classes = System.getProperty("java.class.path");
    return "exec %s -XX:TieredStopAtLevel=1 -cp '%s' %s '%s' \"$@\""
        .formatted(java, classes, StandInEngine.class.getName(), store);
  }

  /** The store's folder, and then docker's own arguments. */
  public static void main(String[] args) throws IOException {
    var engine = new StandInEngine(Files.createDirectories(Path.of(args[0])));
    var image = args[args.length - 1];
    var done = args[1].equals("pull") ? engine.pull(image) : engine.inspect(image);
    System.exit(done ? 0 : 1);
  }

  /** The image's file in the store. */
  static String file(String image) {
    return image.replaceAll("[^A-Za-z0-9.]", "_");
  }

  private Path at(String image) {
    return store.resolve(file(image));
  }

  private boolean inspect(String image) throws IOException {
    if (!Files.exists(at(image))) return said("Error: No such image: " + image);
    return !said("[\"" + name(image) + "@" + Files.readString(at(image)) + "\"]");
  }

  private static String name(String image) {
    var plain = image.replaceFirst("@.*", "");
    return plain.substring(plain.lastIndexOf('/')).contains(":")
        ? plain.substring(0, plain.lastIndexOf(':'))
        : plain;
  }

  private boolean pull(String image) throws IOException {
    var host = image.substring(0, image.indexOf('/'));
    var name = name(image);
    var rest = image.substring(name.length());
    var url =
        "http://%s/v2%s/manifests/%s"
            .formatted(
                host,
                name.substring(host.length()),
                rest.isEmpty() ? "latest" : rest.replaceFirst(".*@|:", ""));
    var answer = get(url, "");
    if (answer.getResponseCode() == 401)
      answer = get(url, "Bearer " + token(answer.getHeaderField("WWW-Authenticate"), host));
    return switch (answer.getResponseCode()) {
      case 200 -> kept(image, answer.getHeaderField("Docker-Content-Digest"));
      case 404 -> said("Error response from daemon: manifest for " + image + " not found");
      case 429 -> said("toomanyrequests: You have reached your unauthenticated pull rate limit");
      default -> said("unauthorized: authentication required");
    };
  }

  private boolean kept(String image, String digest) throws IOException {
    Files.writeString(at(image), digest);
    Files.writeString(at(name(image) + "@" + digest), digest);
    return true;
  }

  private static String token(String challenge, String host) throws IOException {
    var realm = find("realm=\"([^\"]+)\"", challenge).orElseThrow();
    var answer = get(realm, login(host).map(l -> "Basic " + l).orElse(""));
    if (answer.getResponseCode() != 200) return "none";
    try (var body = answer.getInputStream()) {
      return find("\"token\":\"([^\"]+)\"", new String(body.readAllBytes(), UTF_8)).orElseThrow();
    }
  }

  private static Optional<String> login(String host) throws IOException {
    var folder = System.getenv("DOCKER_CONFIG");
    if (folder == null) return Optional.empty();
    var text = Files.readString(Path.of(folder, "config.json"));
    return find(Pattern.quote("\"" + host + "\"") + ":[{]\"auth\":\"([^\"]+)\"", text);
  }

  private static HttpURLConnection get(String url, String proof) throws IOException {
    var call = (HttpURLConnection) URI.create(url).toURL().openConnection();
    if (!proof.isEmpty()) call.setRequestProperty("Authorization", proof);
    call.setConnectTimeout(60_000);
    call.setReadTimeout(60_000);
    return call;
  }

  private static Optional<String> find(String pattern, String text) {
    var matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** What a user sees; nothing was done. */
  private static boolean said(String text) {
    System.out.println(text);
    return false;
  }
}
