package dev.mayfly.agent.boot;

import dev.mayfly.agent.container.ContainerEngine;
import java.time.Duration;

/** Pulls the cluster's image, so that the first task need not wait for it. */
final class ImageStep implements Step {
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final String image;
  private final ContainerEngine engine;

  ImageStep(String image, ContainerEngine engine) {
    this.image = image;
    this.engine = engine;
  }

  @Override
  public String name() {
    return "image " + image;
  }

  @Override
  public void run() throws Failed, InterruptedException {
    var refusal = engine.pull(image, LIMIT);
    if (refusal.isPresent()) {
      throw new Failed(refusal.get());
    }
  }
}
