package dev.mayfly.agent.container;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.ProgramRunner.Result;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.job.PinnedImage;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls images, one pull per image at a time. After a failed pull, the next pull of that image
 * waits first, longer each time, so that retries exhaust neither a registry's rate limit nor a
 * task's budget of attempts.
 */
final class ImagePuller {
  private static final Logger LOG = LoggerFactory.getLogger(ImagePuller.class);

  /** Time limit of local queries, which a working engine answers much faster. */
  private static final Duration ANSWER = Duration.ofMinutes(1);

  /** Output limit: an image may have several names of up to 500 characters. */
  private static final int NAMES = 16_000;

  private static final int TAGS = 1_000;
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final Pattern LIMITED =
      Pattern.compile("toomanyrequests|too many requests|\\b429\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern REFUSED =
      Pattern.compile(
          "unauthorized|denied|no basic auth credentials|\\b40[13]\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern ABSENT =
      Pattern.compile("manifest unknown|name unknown|manifest for \\S+ not found|: not found$");

  private final Map<String, String> environment;
  private final RegistryLogin login;
  private final ContainerEngine.Sleeper sleeper;
  private final Map<String, ImageState> imageStates = new ConcurrentHashMap<>();

  /** Digests that tags named, by job and image; empty for an image that came from no registry. */
  private final Map<String, Optional<PinnedImage>> tags = new ConcurrentHashMap<>();

  ImagePuller(
      Map<String, String> environment, RegistryLogin login, ContainerEngine.Sleeper sleeper) {
    this.environment = environment;
    this.login = login;
    this.sleeper = sleeper;
  }

  /** The lock of an image's pulls, and how many of them failed in a row. */
  private static final class ImageState {
    final ReentrantLock lock = new ReentrantLock();
    int failures;
  }

  /**
   * One request to pull an image.
   *
   * @param logins references to secrets, by host
   * @param limit includes the pause before the pull
   */
  record PullRequest(String program, String image, Map<String, String> logins, Duration limit) {
    PullRequest of(String other) {
      return new PullRequest(program, other, logins, limit);
    }

    PullRequest within(Duration left) {
      return new PullRequest(program, image, logins, left);
    }
  }

  /** Pulls an image unless the machine has it. */
  PullResult pull(PullRequest pullRequest) throws InterruptedException {
    var imageState = stateOf(pullRequest);
    imageState.lock.lockInterruptibly();
    try {
      return switch (inspect(pullRequest)) {
        case Result.Ended there when there.ok() -> new PullResult.Present(Optional.empty());
        case Result.TimedOut silent -> noAnswer(pullRequest);
        default -> waitAndFetch(pullRequest, imageState);
      };
    } finally {
      imageState.lock.unlock();
    }
  }

  /**
   * Pulls the image that a tag names. Asks the registry once per job even if the machine has the
   * image, because the tag may have moved. The first answer is the job's image from then on.
   */
  PullResult pullTag(String job, PullRequest pullRequest) throws InterruptedException {
    var name = job + " " + pullRequest.image();
    var imageState = stateOf(pullRequest);
    imageState.lock.lockInterruptibly();
    try {
      if (!tags.containsKey(name)) return firstOfJob(name, pullRequest, imageState);
    } finally {
      imageState.lock.unlock();
    }
    var known = Optional.ofNullable(tags.get(name)).flatMap(k -> k);
    var pullResult = pull(known.map(exact -> pullRequest.of(exact.name())).orElse(pullRequest));
    return pullResult instanceof PullResult.Present ? new PullResult.Present(known) : pullResult;
  }

  private PullResult firstOfJob(String name, PullRequest pullRequest, ImageState imageState)
      throws InterruptedException {
    var there = inspect(pullRequest);
    if (there instanceof Result.TimedOut) return noAnswer(pullRequest);
    var here = there instanceof Result.Ended ended && ended.ok();
    var pullResult = here ? fetch(pullRequest) : waitAndFetch(pullRequest, imageState);
    if (!(pullResult instanceof PullResult.Present) && !here) return pullResult;
    // An image that was pulled earlier, or built here, is better than none.
    pullResult.cause().ifPresent(c -> LOG.warn("local image used, not pulled cause={}", c));
    var exact =
        inspect(pullRequest) instanceof Result.Ended ended
            ? ImageDigests.of(pullRequest.image(), ended.output())
            : Optional.<PinnedImage>empty();
    // A full cache is cleared; later jobs ask the registry again.
    if (tags.size() >= TAGS) tags.clear();
    tags.put(name, exact);
    return new PullResult.Present(exact);
  }

  private ImageState stateOf(PullRequest pullRequest) {
    return imageStates.computeIfAbsent(pullRequest.image(), i -> new ImageState());
  }

  private Result inspect(PullRequest pullRequest) throws InterruptedException {
    var argv =
        List.of(
            pullRequest.program(),
            "image",
            "inspect",
            ImageDigests.FORMAT,
            "--",
            pullRequest.image());
    return new ProgramRunner(environment, NAMES).run(ANSWER, argv);
  }

  private static PullResult noAnswer(PullRequest pullRequest) {
    return new PullResult.Failed(
        pullRequest.program() + " does not answer; image " + pullRequest.image() + " is needed");
  }

  private PullResult waitAndFetch(PullRequest pullRequest, ImageState imageState)
      throws InterruptedException {
    var before = imageState.failures == 0 ? Duration.ZERO : backoff(imageState.failures);
    var most = pullRequest.limit().dividedBy(2);
    var pause = before.compareTo(most) < 0 ? before : most;
    if (pause.isPositive()) this.sleeper.sleep(pause);
    var pullResult = fetch(pullRequest.within(pullRequest.limit().minus(pause)));
    imageState.failures = pullResult instanceof PullResult.Present ? 0 : imageState.failures + 1;
    return pullResult;
  }

  /** The pause after the n-th failure in a row. */
  static Duration backoff(int failures) {
    var pause = FIRST.multipliedBy(1L << Math.min(failures - 1, 20));
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }

  private PullResult fetch(PullRequest pullRequest) throws InterruptedException {
    var image = pullRequest.image();
    try (var open = login.open(image, pullRequest.logins())) {
      var variables = new HashMap<>(environment);
      variables.putAll(open.variables());
      var argv = List.of(pullRequest.program(), "pull", "--quiet", "--", image);
      return switch (new ProgramRunner(variables).run(pullRequest.limit(), argv)) {
        case Result.Missing missing ->
            new PullResult.Failed("no container engine for image " + image);
        case Result.TimedOut late ->
            new PullResult.Failed(
                "image "
                    + image
                    + " was not pulled within "
                    + pullRequest.limit().toMinutes()
                    + " min");
        case Result.Ended ended ->
            ended.ok()
                ? new PullResult.Present(Optional.empty())
                : failed(image, open.redact(ended.output()));
      };
    } catch (MayflyException | IOException e) {
      return new PullResult.Failed("image " + image + ": " + e.getMessage());
    }
  }

  private static PullResult failed(String image, String text) {
    var what = "image " + image + ": ";
    if (LIMITED.matcher(text).find())
      return new PullResult.Failed(
          what
              + "its registry takes no more pulls for now; a login in 'registries' may allow more ("
              + text
              + ")");
    if (REFUSED.matcher(text).find())
      return new PullResult.Failed(
          what + "the registry does not let this machine read it (" + text + ")");
    if (ABSENT.matcher(text).find())
      return new PullResult.Absent(what + "there is no such image in the registry (" + text + ")");
    return new PullResult.Failed(what + text);
  }
}
