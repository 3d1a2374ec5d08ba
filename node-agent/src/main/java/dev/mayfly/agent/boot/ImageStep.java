package dev.mayfly.agent.boot;

import dev.mayfly.agent.container.ContainerEngine;
import java.time.Duration;
import java.util.Map;

/** Pulls the cluster's image, so that the first task need not wait for it. */
final class ImageStep implements PreparationStep {
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final String image;
  private final Map<String, String> logins;
  private final ContainerEngine engine;

  ImageStep(String image, Map<String, String> logins, ContainerEngine engine) {
    this.image = image;
    this.logins = logins;
    this.engine = engine;
  }

  @Override
  public String name() {
    return "image " + image;
  }

  @Override
  public void run() throws Failed, InterruptedException {
    var cause = engine.pull(image, logins, LIMIT).cause();
    if (cause.isPresent()) {
      throw new Failed(cause.get());
    }
  }
}
