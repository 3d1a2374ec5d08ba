package dev.mayfly.cli.context;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.BucketCreator;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.cli.client.DocumentPublisher;
import dev.mayfly.cli.client.FaultControlsClient;
import dev.mayfly.cli.client.GcloudTokenSource;
import dev.mayfly.cli.client.GcpProject;
import dev.mayfly.cli.client.HttpTransport;
import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.client.MessageAcceptance;
import dev.mayfly.cli.client.TaskTokenSource;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.proof.ProvenServers;
import dev.mayfly.wire.proof.ServerProof;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The environment of a command. Files and connections are opened on first use. */
public final class CliContext {
  private static final int RECENT = 100;
  private static final String GOOGLE = "https://storage.googleapis.com";

  private final Map<String, String> env;
  private final Screen screen;
  private final ConditionPoller conditionPoller;
  private final Supplier<String> ids;
  private final Path folder;
  private @Nullable DeploymentEndpoints deploymentEndpoints;
  private @Nullable HttpTransport httpTransport;

  /**
   * @param ids generates unique ids
   */
  public CliContext(
      Map<String, String> env,
      Screen screen,
      ConditionPoller conditionPoller,
      Supplier<String> ids) {
    this(env, screen, conditionPoller, ids, Path.of("").toAbsolutePath());
  }

  /** With {@code folder} as the working directory. */
  public CliContext(
      Map<String, String> env,
      Screen screen,
      ConditionPoller conditionPoller,
      Supplier<String> ids,
      Path folder) {
    this.folder = folder;
    this.env = Map.copyOf(env);
    this.screen = screen;
    this.conditionPoller = conditionPoller;
    this.ids = ids;
  }

  public Map<String, String> env() {
    return env;
  }

  /** A variable of the environment; empty if it is not set or blank. */
  public Optional<String> setting(String variable) {
    return Optional.ofNullable(env.get(variable)).filter(value -> !value.isBlank());
  }

  public Screen screen() {
    return screen;
  }

  public ConditionPoller poller() {
    return conditionPoller;
  }

  /** The working directory. */
  public Path folder() {
    return folder;
  }

  public Instant now() {
    return conditionPoller.clock().instant();
  }

  public String newId() {
    return ids.get();
  }

  /** The folder with all data of the laptop cloud. */
  public Path home() {
    return setting("MAYFLY_HOME")
        .map(Path::of)
        .orElseGet(() -> Path.of(env.getOrDefault("HOME", "."), ".mayfly"))
        .toAbsolutePath();
  }

  public DeploymentEndpoints endpoints() {
    if (deploymentEndpoints == null)
      deploymentEndpoints =
          GcpProject.of(env)
              .map(GcpProject::endpoints)
              .orElseGet(() -> DeploymentEndpoints.of(home()));
    return deploymentEndpoints;
  }

  public HttpTransport http() {
    if (httpTransport == null)
      httpTransport =
          GcpProject.of(env)
              .map(p -> new HttpTransport(p.bearer(tokens())))
              .orElseGet(() -> new HttpTransport(this::ownerToken));
    return httpTransport;
  }

  private GcpProject.TokenSource tokens() {
    return taskTokens().orElseGet(() -> new GcloudTokenSource(env));
  }

  /** Those of a task that may submit jobs, in one. */
  private Optional<GcpProject.TokenSource> taskTokens() {
    return setting(TaskTokenSource.FILE).map(Path::of).map(TaskTokenSource::new);
  }

  /** The token of the laptop cloud, for its own URLs only, and after each has proven itself. */
  private Optional<String> ownerToken(String url) {
    if (!endpoints().serves(url)) return Optional.empty();
    var token = DeploymentEndpoints.token(home());
    token.ifPresent(it -> ProvenServers.shared().require(url, it));
    return token;
  }

  public ApiClient api() {
    return new ApiClient(http(), endpoints().api(), user());
  }

  public DocumentPublisher topics() {
    return new DocumentPublisher(http(), endpoints(), user());
  }

  public BucketCreator buckets() {
    return new BucketCreator(http(), endpoints());
  }

  public FaultControlsClient faultControls() {
    if (endpoints().cloud().isEmpty())
      throw CommandException.input(
          "MAYFLY_PROJECT is set, but only the laptop cloud has fault controls; unset it for this command");
    return new FaultControlsClient(http(), endpoints().cloud());
  }

  /**
   * The buckets, with the rights of people who submit jobs: on the laptop cloud they replace and
   * delete nothing, as on Google Cloud.
   */
  public ObjectStore objects() {
    var laptop = !endpoints().cloud().isEmpty();
    if (!laptop) return objects(taskAccess().map(it -> () -> it));
    return objects(laptopToken(DeploymentEndpoints::personToken));
  }

  /** The buckets of the laptop cloud, with its owner's rights. */
  public ObjectStore ownObjects() {
    return objects(
        endpoints().cloud().isEmpty() ? Optional.empty() : laptopToken(DeploymentEndpoints::token));
  }

  /** The command that lists a folder of a bucket; on the laptop cloud a bucket is a folder too. */
  public String listing(ObjectUrl folder) {
    if (endpoints().cloud().isEmpty()) return "gcloud storage ls " + folder;
    var bucket = home().resolve("cloud/buckets").resolve(folder.root().replaceFirst("gs://", ""));
    var path = bucket.resolve(folder.name()).toString();
    return "ls " + ShellQuoting.readable(path);
  }

  /** Read for each call, because the laptop cloud may be started again while a command runs. */
  private Optional<Supplier<String>> laptopToken(Function<Path, Optional<String>> read) {
    var token = read.apply(home());
    // Otherwise the store tries again and again to connect.
    token.ifPresent(it -> ProvenServers.shared().require(endpoints().storage(), it));
    return token.map(first -> () -> read.apply(home()).orElse(first));
  }

  private ObjectStore objects(Optional<Supplier<String>> token) {
    var google = token.map(_ -> GOOGLE);
    var endpoint = Optional.of(endpoints().storage()).filter(e -> !e.isEmpty()).or(() -> google);
    return ObjectStores.of(
        new StoreSettings(endpoint.map(URI::create), token, endpoints().project()));
  }

  private Optional<String> taskAccess() {
    return GcpProject.of(env).flatMap(_ -> taskTokens()).map(GcpProject.TokenSource::accessToken);
  }

  /** The token that the endpoint of a laptop cloud requires. */
  public Optional<String> token() {
    return endpoints().cloud().isEmpty() ? Optional.empty() : DeploymentEndpoints.token(home());
  }

  /** Publishes a document and waits, as {@link MessageAcceptance#await} does. */
  public <T> T publish(ParsedDocument document, String what, Supplier<Optional<T>> taken) {
    return acceptance().await(topics().publish(document), what, taken);
  }

  /**
   * Publishes the document and waits until an event records that it was carried out, even if it
   * changed nothing.
   *
   * @param about what the event is about, as events name it
   */
  public <T> T publishRecorded(
      ParsedDocument document, String what, String cluster, String about, Supplier<T> then) {
    var message = topics().publish(document);
    return acceptance()
        .await(
            message,
            what,
            () ->
                api().events(cluster, Optional.of(about), RECENT).stream()
                        .anyMatch(e ->
                            e.what().equals("received") && e.why().contains(" " + message + " "))
                    ? Optional.of(then.get())
                    : Optional.empty());
  }

  private MessageAcceptance acceptance() {
    return new MessageAcceptance(api(), conditionPoller);
  }

  public JobSubmitter jobSubmitter() {
    return new JobSubmitter(api(), topics(), acceptance());
  }

  /**
   * The job with an owner: the document's own, else that of the job whose task this is, else the
   * user of this machine.
   */
  public ParsedDocument withOwner(ParsedDocument job) {
    if (JobSubmitter.spec(job).owner().isPresent()) return job;
    return user().map(owner -> job.with("owner", owner)).orElse(job);
  }

  /**
   * Who owns the jobs that are submitted here: the owner of the job whose task this is, the person
   * whom a laptop cloud's owner invited, or the user of this machine.
   */
  public Optional<String> user() {
    var owner = setting("MAYFLY_OWNER");
    if (owner.isPresent() && !isOwner(owner.get()))
      throw CommandException.input(
          "MAYFLY_OWNER is '%s', which no owner can be called; write letters, digits and -_.@+, a letter or digit first, or unset it"
              .formatted(owner.get()));
    // What an account is called is not for its user to change.
    return owner
        .or(this::invited)
        .or(() -> Optional.ofNullable(env.get("USER")).filter(CliContext::isOwner));
  }

  private Optional<String> invited() {
    return GcpProject.of(env).isPresent()
        ? Optional.empty()
        : DeploymentEndpoints.token(home()).flatMap(ServerProof::person);
  }

  private static boolean isOwner(String name) {
    return name.matches("[A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}");
  }

  /** The cluster of commands that name none. */
  Optional<String> usualCluster() {
    return setting("MAYFLY_CLUSTER");
  }

  /**
   * Those that a command may mean without a name. One that goes is meant only where no other is:
   * its successor is often up before its last machine is gone.
   */
  static List<ClusterStatus> meant(List<ClusterStatus> all) {
    var staying = all.stream().filter(c -> c.phase().equals("up")).toList();
    return staying.isEmpty() ? all : staying;
  }

  /** The named cluster, that of the job whose task this is, or the only cluster. */
  String cluster(Optional<String> named) {
    if (named.isPresent()) return named.get();
    if (usualCluster().isPresent()) return usualCluster().get();
    var clusters = meant(api().clusters());
    if (clusters.size() == 1) return clusters.getFirst().name();
    if (clusters.isEmpty())
      throw CommandException.notFound(
          "no cluster is up; bring one up with: mayfly up CLUSTER.yaml");
    throw CommandException.input(
        "there are several clusters; name one with -c, or set MAYFLY_CLUSTER: "
            + clusters.stream()
                .map(ClusterStatus::name)
                .sorted()
                .collect(Collectors.joining(", ")));
  }
}
