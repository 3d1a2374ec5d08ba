package dev.mayfly.core.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ImageMirrorsTest {
  private static final String BASE = "us-central1-docker.pkg.dev/lab/job/base:7";
  private static final String DIGEST = "@sha256:" + "a".repeat(64);
  private static final Map<String, String> MIRRORS =
      Map.of("europe-west4", "europe-west4-docker.pkg.dev/lab/job", "us-east1", "lab:5000/job");

  private static String nearest(String image, String zone) {
    return ImageMirrors.nearest(image, BASE, MIRRORS, zone);
  }

  @Test
  void workerPullsFromMirrorOfItsRegion() {
    assertThat(nearest(BASE, "europe-west4-b"))
        .isEqualTo("europe-west4-docker.pkg.dev/lab/job/base:7");
    assertThat(nearest(BASE, "us-east1-d")).isEqualTo("lab:5000/job/base:7");
    assertThat(nearest(BASE, "us-central1-a")).isEqualTo(BASE);
  }

  @Test
  void tagAndDigestStay() {
    var pinned = "us-central1-docker.pkg.dev/lab/job/train" + DIGEST;
    assertThat(nearest(pinned, "europe-west4-b"))
        .isEqualTo("europe-west4-docker.pkg.dev/lab/job/train" + DIGEST);
    assertThat(nearest("us-central1-docker.pkg.dev/lab/job/train:3" + DIGEST, "us-east1-b"))
        .isEqualTo("lab:5000/job/train" + DIGEST);
  }

  @Test
  void tagBesideDigestIsLeftOut() {
    assertThat(nearest("ghcr.io/lab/x:3" + DIGEST, "us-east1-b"))
        .isEqualTo("ghcr.io/lab/x" + DIGEST);
    assertThat(nearest("lab:5000/x" + DIGEST, "us-east1-b")).isEqualTo("lab:5000/x" + DIGEST);
  }

  @Test
  void imagesOfOtherFoldersHaveNoMirror() {
    for (var other : new String[] {"ubuntu", "ghcr.io/lab/job/base:7", "lab/job", "x" + DIGEST})
      assertThat(nearest(other, "europe-west4-b")).isEqualTo(other);
    assertThat(ImageMirrors.nearest("ubuntu", "ubuntu", MIRRORS, "us-east1-b")).isEqualTo("ubuntu");
  }

  @Test
  void templateNamesRegionOfWorker() {
    var template = "REGION-docker.pkg.dev/lab/job/base" + DIGEST;
    assertThat(ImageMirrors.nearest(template, template, Map.of(), "us-central2-b"))
        .isEqualTo("us-central2-docker.pkg.dev/lab/job/base" + DIGEST);
    assertThat(ImageMirrors.nearest(template, template, MIRRORS, "us-east1-b"))
        .isEqualTo("lab:5000/job/base" + DIGEST);
    assertThat(ImageMirrors.nearest("REGION/base", "", Map.of(), "us-east1-b"))
        .isEqualTo("REGION/base");
  }

  @Test
  void nearestNameIsItsOwnNearest() {
    var once = nearest(BASE, "europe-west4-b");
    assertThat(nearest(once, "europe-west4-b")).isEqualTo(once);
  }
}
