package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class GpuImagesTest {
  @Test
  void cudaRunsOnItsOwnDriverAndNewer() {
    var cuda = CudaVersion.of("12.8").orElseThrow();

    assertThat(cuda.on(580)).isEqualTo(CudaVersion.Fit.FULL);
    assertThat(cuda.on(570)).isEqualTo(CudaVersion.Fit.FULL);
    assertThat(cuda.on(535)).isEqualTo(CudaVersion.Fit.REDUCED);
    assertThat(cuda.on(470)).isEqualTo(CudaVersion.Fit.NONE);
    assertThat(CudaVersion.of("12.0")).isEmpty();
  }

  @Test
  void everyVersionHasImageOfThatVersion() {
    for (var version : CudaVersion.versions()) {
      var cuda = CudaVersion.of(version).orElseThrow();
      assertThat(cuda.base())
          .matches("nvidia/cuda:\\Q" + version + "\\E[.]\\d+-cudnn.*-runtime-.*");
      assertThat(cuda.least()).isLessThanOrEqualTo(cuda.driver());
    }
  }

  @Test
  void driverIsKnownFromFamilyName() {
    for (var image : GpuBootImage.all())
      assertThat(GpuBootImage.driverOf(Optional.of(image.image()))).hasValue(image.driver());
    assertThat(GpuBootImage.driverOf(Optional.empty())).hasValue(GpuBootImage.preferred().driver());
    assertThat(GpuBootImage.driverOf(Optional.of("projects/lab/global/images/family/own")))
        .isEmpty();
  }

  @Test
  void preferredImageRunsEveryCudaOfTheCatalog() {
    for (var version : CudaVersion.versions())
      assertThat(CudaVersion.of(version).orElseThrow().on(GpuBootImage.preferred().driver()))
          .isEqualTo(CudaVersion.Fit.FULL);
  }
}
