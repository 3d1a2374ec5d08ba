package dev.mayfly.agent.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.PinnedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an engine gets for a pull, when it is called again, and how its output is interpreted.
 * {@code .ci/images} proves the same with real engines, registries and messages.
 */
@Timeout(300)
class PrivatePullTest {
  private static final String HOST = "127.0.0.1:5000";
  private static final String DIGEST = "sha256:" + "d".repeat(64);
  private static final String MOVED = "sha256:" + "e".repeat(64);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path folder;
  private final Map<String, String> secrets = new HashMap<>();
  private final List<Duration> pauses = new ArrayList<>();
  private FakePrograms programs;
  private ContainerEngine engine;

  @BeforeEach
  void open() throws IOException {
    secrets.put("lab-login/latest", "ann:pa:ss-canary\n");
    programs = new FakePrograms(folder);
    programs.with(
        "docker",
        """
        cd %s
        case $1 in
          image) [ -e here ] && /bin/cat here ;;
          pull)
            [ -z "$DOCKER_CONFIG" ] || /bin/cp "$DOCKER_CONFIG/config.json" shown
            [ ! -e words ] || { /bin/cat words; exit 1; }
            /bin/cp registry here ;;
        esac
        """
            .formatted(folder));
    registryHas(DIGEST);
    var login = new RegistryLogin(folder.resolve("login"), () -> "tok-en", this::secret);
    engine = new ContainerEngine(programs.alone(), login, List.of(), pauses::add);
  }

  /** The folder also contains the arguments of all programs that ran. */
  @AfterEach
  void noLoginRemains() throws IOException {
    Files.deleteIfExists(folder.resolve("shown"));
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList())
        assertThat(Files.readString(file))
            .as(file.toString())
            .doesNotContain("canary")
            .doesNotContain(encoded("ann:pa:ss-canary"));
    }
  }

  private static String encoded(String pair) {
    return Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }

  private void registryHas(String digest) throws IOException {
    var known = "[\"%s/lab/job@%s\"]".formatted(HOST, digest);
    Files.writeString(folder.resolve("registry"), known);
  }

  private void refuses(String output) throws IOException {
    Files.writeString(folder.resolve("words"), output);
  }

  private void answers() throws IOException {
    Files.deleteIfExists(folder.resolve("words"));
  }

  private String shown() throws IOException {
    return Files.readString(folder.resolve("shown"));
  }

  private String secret(String reference) {
    return Optional.ofNullable(secrets.get(reference))
        .orElseThrow(
            () -> new InvalidInputException("secret " + reference, "there is no such secret"));
  }

  private long pulls() throws IOException {
    return programs.arguments("docker").stream().filter("pull"::equals).count();
  }

  private PullResult pull(String image, Map<String, String> logins) throws InterruptedException {
    return engine.pull(HOST + "/" + image, logins, LIMIT);
  }

  private PullResult pull(String image) throws InterruptedException {
    return pull(image, Map.of(HOST, "lab-login/latest"));
  }

  @Test
  void privatePullUsesLoginAndRemovesIt() throws Exception {
    assertThat(pull("lab/job:1").cause()).isEmpty();

    assertThat(shown())
        .isEqualTo("{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}", HOST, encoded("ann:pa:ss-canary"));
    assertThat(folder.resolve("login")).isEmptyDirectory();
    assertThat(pull("lab/job:1").cause()).isEmpty();
    assertThat(pulls()).as("it is here").isOne();
  }

  @Test
  void otherRegistriesLoginsStayHidden() throws Exception {
    assertThat(pull("lab/job:1", Map.of("other.example", "lab-login/latest")).cause()).isEmpty();

    assertThat(folder.resolve("shown")).doesNotExist();
  }

  @Test
  void nextPullUsesRotatedPassword() throws Exception {
    assertThat(pull("lab/job:1").cause()).isEmpty();
    secrets.put("lab-login/latest", "ann:other-canary");
    Files.delete(folder.resolve("here"));

    assertThat(pull("lab/job:2").cause()).isEmpty();
    assertThat(shown()).contains(encoded("ann:other-canary"));
  }

  @Test
  void malformedLoginIsNamedWithoutValue() throws Exception {
    var image = HOST + "/lab/job:1: ";
    for (var bad :
        List.of("", "no-colon-canary", ":canary", "ann:", "{\"auths\":{\"canary\":1}}")) {
      secrets.put("lab-login/latest", bad);

      assertThat(pull("lab/job:1").cause())
          .hasValueSatisfying(c ->
              assertThat(c)
                  .startsWith("image " + image + "the secret lab-login/latest for ")
                  .contains(HOST)
                  .endsWith("must be 'user:password'")
                  .doesNotContain("canary"));
    }
    secrets.clear();
    assertThat(pull("lab/job:1").cause())
        .contains("image " + image + "secret lab-login/latest: there is no such secret");
    assertThat(pulls()).isZero();
  }

  /** Messages of docker 20.10 and podman 4.3, as {@code .ci/images} observes them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Failed | does not let this machine read it | Error response from daemon: Head "http://127.0.0.1:5000/v2/lab/job/manifests/1": no basic auth credentials
          Failed | does not let this machine read it | Error response from daemon: unauthorized: authentication required
          Failed | does not let this machine read it | Error: initializing source docker://127.0.0.1:5000/lab/job:1: reading manifest 1 in 127.0.0.1:5000/lab/job: unauthorized: authentication required
          Absent | there is no such image            | Error response from daemon: manifest for 127.0.0.1:5000/lab/job:1 not found: manifest unknown: manifest unknown
          Absent | there is no such image            | Error: initializing source docker://127.0.0.1:5000/lab/job:1: reading manifest 1 in 127.0.0.1:5000/lab/job: manifest unknown: manifest unknown
          Failed | connection refused                | Error response from daemon: Get "http://127.0.0.1:5000/v2/": dial tcp 127.0.0.1:5000: connect: connection refused
          """)
  void engineErrorsBecomeRemedies(String kind, String expected, String output) throws Exception {
    refuses(output);

    var pullResult = pull("lab/job:1");

    assertThat(pullResult.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(pullResult.cause()).hasValueSatisfying(c -> assertThat(c).contains(expected));
  }

  @Test
  void rateLimitedRegistryIsAskedLessOften() throws Exception {
    refuses("toomanyrequests: You have reached your unauthenticated pull rate limit");
    for (var i = 0; i < 3; i++)
      assertThat(pull("lab/job:1"))
          .isInstanceOfSatisfying(
              PullResult.Failed.class,
              f -> assertThat(f.why()).contains("lab/job:1", "takes no more pulls for now"));
    assertThat(pauses).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(10));

    answers();
    assertThat(pull("lab/job:1").cause()).isEmpty();
    assertThat(pauses).hasSize(3);
    assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(20));
    assertThat(ImagePuller.backoff(1_000)).isEqualTo(Duration.ofMinutes(5));
  }

  private Optional<String> digest(String job) throws InterruptedException {
    var logins = Map.of(HOST, "lab-login/latest");
    var pullResult = engine.pullFor(job, HOST + "/lab/job:1", logins, LIMIT);
    assertThat(pullResult.cause()).isEmpty();
    return ((PullResult.Present) pullResult).exact().map(PinnedImage::digest);
  }

  @Test
  void tagIsResolvedOncePerJob() throws Exception {
    assertThat(digest("j1")).contains(DIGEST);
    registryHas(MOVED);

    assertThat(digest("j1")).contains(DIGEST);
    assertThat(digest("j2")).contains(MOVED);
    assertThat(digest("j1")).contains(DIGEST);
    assertThat(pulls()).isEqualTo(2);
  }

  @Test
  void unreachableRegistryFallsBackToLocalImage() throws Exception {
    assertThat(digest("j1")).contains(DIGEST);
    refuses("Error response from daemon: Get \"http://127.0.0.1:5000/v2/\": connection refused");

    assertThat(digest("j2")).contains(DIGEST);
    assertThat(pauses).isEmpty();
    answers();
    registryHas(MOVED);
    assertThat(digest("j2")).contains(DIGEST);
  }

  @Test
  void staleLoginFolderIsIgnored() throws Exception {
    Files.createDirectories(folder.resolve("login/pull123"));

    assertThat(pull("lab/job:1").cause()).isEmpty();
  }
}
