package dev.mayfly.agent.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.os.FakePrograms;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.ExactImage;
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

/** Pulls from a private registry that checks who asks; only the engine is a stand-in. */
@Timeout(300)
class PrivatePullTest {
  private static final String DIGEST = "sha256:" + "d".repeat(64);
  private static final String MOVED = "sha256:" + "e".repeat(64);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path folder;
  private final Map<String, String> secrets = new HashMap<>();
  private final List<Duration> pauses = new ArrayList<>();
  private StandInRegistry registry;
  private ContainerEngine engine;

  @BeforeEach
  void open() throws IOException {
    registry = new StandInRegistry("ann:pa:ss-canary");
    registry.digests.put("lab/job:1", DIGEST);
    registry.digests.put("lab/job:2", DIGEST);
    secrets.put("lab-login/latest", registry.login + "\n");
    var programs = new FakePrograms(folder);
    programs.with("docker", StandInEngine.shell(folder.resolve("images")));
    var login = new RegistryLogin(folder.resolve("login"), () -> "tok-en", this::secret);
    engine = new ContainerEngine(programs.alone(), login, List.of(), pauses::add);
  }

  /** Also the arguments of every program that ran are in the folder. */
  @AfterEach
  void noLoginIsLeftAnywhere() throws IOException {
    registry.close();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList())
        assertThat(Files.readString(file))
            .as(file.toString())
            .doesNotContain("canary")
            .doesNotContain(Base64.getEncoder().encodeToString(registry.login.getBytes(UTF_8)));
    }
  }

  private String secret(String reference) {
    return Optional.ofNullable(secrets.get(reference))
        .orElseThrow(() -> new Invalid("secret " + reference, "there is no such secret"));
  }

  private Pulled pull(String image, Map<String, String> logins) throws InterruptedException {
    return engine.pull(registry.host() + "/" + image, logins, LIMIT);
  }

  private Pulled pull(String image) throws InterruptedException {
    return pull(image, Map.of(registry.host(), "lab-login/latest"));
  }

  @Test
  void aPrivateImageIsPulledWithItsRegistrysLoginWhichIsGoneAfterwards() throws Exception {
    assertThat(pull("lab/job:1").cause()).isEmpty();

    assertThat(registry.shown).hasSize(2);
    assertThat(folder.resolve("login")).isEmptyDirectory();
    registry.close();
    assertThat(pull("lab/job:1").cause()).as("it is here now").isEmpty();
  }

  @Test
  void withoutALoginOrWithAnothersItIsRefused() throws Exception {
    for (var logins :
        List.of(Map.<String, String>of(), Map.of("other.example", "lab-login/latest")))
      assertThat(pull("lab/job:1", logins))
          .isInstanceOfSatisfying(
              Pulled.Failed.class,
              f -> assertThat(f.why()).contains("does not let this machine read it"));
    assertThat(registry.shown).containsOnly("Bearer none");
  }

  @Test
  void aRotatedPasswordIsTheNextPulls() throws Exception {
    assertThat(pull("lab/job:1").cause()).isEmpty();
    registry.login = "ann:other-canary";

    assertThat(pull("lab/job:2").cause())
        .hasValueSatisfying(c -> assertThat(c).contains("read it").doesNotContain("canary"));
    secrets.put("lab-login/latest", registry.login);
    assertThat(pull("lab/job:2").cause()).isEmpty();
  }

  @Test
  void aSecretThatIsNoLoginIsNamedWithoutItsValue() throws Exception {
    var image = registry.host() + "/lab/job:1: ";
    for (var bad :
        List.of("", "no-colon-canary", ":canary", "ann:", "{\"auths\":{\"canary\":1}}")) {
      secrets.put("lab-login/latest", bad);

      assertThat(pull("lab/job:1").cause())
          .hasValueSatisfying(c ->
              assertThat(c)
                  .startsWith("image " + image + "the secret lab-login/latest for ")
                  .contains(registry.host())
                  .endsWith("must be 'user:password'")
                  .doesNotContain("canary"));
    }
    secrets.clear();
    assertThat(pull("lab/job:1").cause())
        .contains("image " + image + "secret lab-login/latest: there is no such secret");
    assertThat(registry.shown).isEmpty();
  }

  @Test
  void anImageThatIsNotThereIsNotAskedForAsIfItCouldCome() throws Exception {
    assertThat(pull("lab/none:1"))
        .isInstanceOfSatisfying(
            Pulled.Absent.class, a -> assertThat(a.why()).contains("lab/none:1: there is no such"));
  }

  @Test
  void aRegistryThatCountsPullsIsAskedLessAndLessOften() throws Exception {
    registry.limited = true;
    for (var i = 0; i < 3; i++)
      assertThat(pull("lab/job:1"))
          .isInstanceOfSatisfying(
              Pulled.Failed.class,
              f -> assertThat(f.why()).contains("lab/job:1", "takes no more pulls for now"));
    assertThat(pauses).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(10));

    registry.limited = false;
    assertThat(pull("lab/job:1").cause()).isEmpty();
    assertThat(pauses).hasSize(3);
    assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(20));
    assertThat(Pulls.before(1_000)).isEqualTo(Duration.ofMinutes(5));
  }

  private Optional<String> digest(String job, String image) throws InterruptedException {
    var logins = Map.of(registry.host(), "lab-login/latest");
    var pulled = engine.pullFor(job, registry.host() + "/" + image, logins, LIMIT);
    assertThat(pulled.cause()).isEmpty();
    return ((Pulled.Here) pulled).exact().map(ExactImage::digest);
  }

  @Test
  void aTagIsAskedForOnceAJobAndAnewByTheNextAlthoughTheImageIsHere() throws Exception {
    assertThat(digest("j1", "lab/job:1")).contains(DIGEST);
    registry.digests.put("lab/job:1", MOVED);

    assertThat(digest("j1", "lab/job:1")).contains(DIGEST);
    assertThat(digest("j2", "lab/job:1")).contains(MOVED);
    assertThat(digest("j1", "lab/job:1")).contains(DIGEST);
  }

  @Test
  void anotherMachinePullsWhatTheJobRunsAndNotWhatItsTagNamesNow() throws Exception {
    registry.digests.put("lab/job:1", MOVED);
    var exact = new ExactImage(registry.host() + "/lab/job:1", DIGEST).name();

    assertThat(exact).isEqualTo(registry.host() + "/lab/job@" + DIGEST);
    assertThat(digest("j1", "lab/job@" + DIGEST)).isEmpty();
    assertThat(Files.readString(folder.resolve("images").resolve(StandInEngine.file(exact))))
        .isEqualTo(DIGEST);
  }

  @Test
  void whatIsHereIsUsedWhenTheRegistryDoesNotAnswerAndStaysTheJobs() throws Exception {
    assertThat(digest("j1", "lab/job:1")).contains(DIGEST);
    registry.limited = true;

    assertThat(digest("j2", "lab/job:1")).contains(DIGEST);
    assertThat(pauses).isEmpty();
    registry.limited = false;
    registry.digests.put("lab/job:1", MOVED);
    assertThat(digest("j2", "lab/job:1")).contains(DIGEST);
  }

  @Test
  void whatAnEarlierAgentLeftOfALoginIsNoHindrance() throws Exception {
    Files.createDirectories(folder.resolve("login/pull123"));

    assertThat(pull("lab/job:1").cause()).isEmpty();
  }
}
