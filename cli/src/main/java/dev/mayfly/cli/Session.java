package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.flow.Acceptance;
import dev.mayfly.cli.flow.Submitting;
import dev.mayfly.cli.flow.Waiting;
import dev.mayfly.cli.reach.Api;
import dev.mayfly.cli.reach.Buckets;
import dev.mayfly.cli.reach.Dials;
import dev.mayfly.cli.reach.GcloudLogins;
import dev.mayfly.cli.reach.Http;
import dev.mayfly.cli.reach.Project;
import dev.mayfly.cli.reach.Site;
import dev.mayfly.cli.reach.Topics;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.port.Objects;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.wire.Parsed;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All that a command knows of the world. Nothing is read or connected before it is asked for. */
final class Session {
  private final Map<String, String> env;
  private final Screen screen;
  private final Waiting waiting;
  private final Supplier<String> ids;
  private final Path folder;
  private @Nullable Site site;
  private @Nullable Http http;

  /**
   * @param ids makes an id that nobody else has made
   */
  Session(Map<String, String> env, Screen screen, Waiting waiting, Supplier<String> ids) {
    this(env, screen, waiting, ids, Path.of("").toAbsolutePath());
  }

  /** As one that was typed in {@code folder}. */
  Session(
      Map<String, String> env, Screen screen, Waiting waiting, Supplier<String> ids, Path folder) {
    this.folder = folder;
    this.env = Map.copyOf(env);
    this.screen = screen;
    this.waiting = waiting;
    this.ids = ids;
  }

  Map<String, String> env() {
    return env;
  }

  Screen screen() {
    return screen;
  }

  Waiting waiting() {
    return waiting;
  }

  /** Where the command was typed. */
  Path folder() {
    return folder;
  }

  Instant now() {
    return waiting.clock().instant();
  }

  String id() {
    return ids.get();
  }

  /** Where everything of the laptop cloud is. */
  Path home() {
    var told = Optional.ofNullable(env.get("MAYFLY_HOME")).filter(h -> !h.isBlank());
    return told.map(Path::of)
        .orElseGet(() -> Path.of(env.getOrDefault("HOME", "."), ".mayfly"))
        .toAbsolutePath();
  }

  Site site() {
    if (site == null) site = Project.of(env).map(Project::site).orElseGet(() -> Site.of(home()));
    return site;
  }

  Http http() {
    if (http == null)
      http =
          Project.of(env)
              .map(p -> new Http(p.bearer(new GcloudLogins(env))))
              .orElseGet(() -> new Http(this::owner));
    return http;
  }

  /** The token of the laptop cloud, for that cloud alone. */
  private Optional<String> owner(String url) {
    return site().serves(url) ? Site.token(home()) : Optional.empty();
  }

  Api api() {
    return new Api(http(), site().api());
  }

  Topics topics() {
    return new Topics(http(), site());
  }

  Buckets buckets() {
    return new Buckets(http(), site());
  }

  Dials dials() {
    if (site().cloud().isEmpty())
      throw new Refusal(
          Exit.INPUT,
          "MAYFLY_PROJECT is set, and only the laptop cloud has dials; unset it for this command");
    return new Dials(http(), site().cloud());
  }

  Objects objects() {
    var endpoint = Optional.of(site().storage()).filter(e -> !e.isEmpty()).map(URI::create);
    return ObjectStores.of(new StoreSettings(endpoint, token(), site().project()));
  }

  /** What the endpoint of a laptop cloud wants to be shown. */
  Optional<String> token() {
    return site().cloud().isEmpty() ? Optional.empty() : Site.token(home());
  }

  Acceptance acceptance() {
    return new Acceptance(api(), waiting);
  }

  Submitting submitting() {
    return new Submitting(api(), topics(), acceptance());
  }

  /** The job with its owner: as it says itself, else the user of this machine. */
  Parsed owned(Parsed job) {
    if (Submitting.spec(job).owner().isPresent()) return job;
    var user = env.getOrDefault("USER", "");
    return user.matches("[A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}") ? job.with("owner", user) : job;
  }

  /** The cluster that was named, or the only one. */
  String cluster(Optional<String> named) {
    if (named.isPresent()) return named.get();
    var clusters = api().clusters();
    if (clusters.size() == 1) return clusters.getFirst().name();
    if (clusters.isEmpty())
      throw new Refusal(
          Exit.NOT_FOUND, "no cluster is up; bring one up with: mayfly up CLUSTER.yaml");
    throw new Refusal(
        Exit.INPUT,
        "there are several clusters; name one with -c: "
            + clusters.stream().map(ClusterView::name).sorted().collect(Collectors.joining(", ")));
  }
}
