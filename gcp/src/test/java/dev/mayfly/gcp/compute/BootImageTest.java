package dev.mayfly.gcp.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.gcp.fleet.GoogleFleet;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.porttests.DocumentFixtures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BootImageTest {
  private static final ComputeSettings GOOGLE = ComputeSettings.of("lab");

  @Test
  void defaultImagesRunNoContainers() {
    assertThat(without(pool(Provisioning.SPOT, ""), GOOGLE))
        .hasValueSatisfying(why ->
            assertThat(why).contains("debian-cloud/global/images/family/debian-12", "docker"));
    assertThat(
            without(
                pool(
                    Provisioning.SPOT,
                    "projects/ubuntu-os-cloud/global/images/family/ubuntu-2204-lts"),
                GOOGLE))
        .isPresent();
  }

  @Test
  void clusterWithImageHasEngineInstalled() {
    var plain = BootImage.of(pool(Provisioning.SPOT, ""), GOOGLE);
    var rocky = "projects/rocky-linux-cloud/global/images/family/rocky-linux-9";

    assertThat(plain.whyNoContainers(true)).isEmpty();
    assertThat(BootImage.of(pool(Provisioning.SPOT, rocky), GOOGLE).whyNoContainers(true))
        .as("it has no apt-get")
        .isPresent();
  }

  @Test
  void gpusStartFromImageWithDriverAndEngine() {
    var gpus = gpuPool("");
    var image = BootImage.of(gpus, GOOGLE);

    assertThat(image.name())
        .isEqualTo(
            "projects/deeplearning-platform-release/global/images/family/common-cu129-ubuntu-2204-nvidia-580");
    assertThat(image.diskGb()).isEqualTo(100);
    assertThat(image.whyNoContainers(false)).isEmpty();
    assertThat(BootImage.of(gpuPool("projects/lab/global/images/family/own"), GOOGLE).name())
        .isEqualTo("projects/lab/global/images/family/own");
    assertThat(BootImage.of(pool(Provisioning.SPOT, ""), GOOGLE).diskGb()).isEqualTo(50);
  }

  @Test
  void tpusStartFromUbuntuThatGetsEngine() {
    for (var type : List.of("ct5p-hightpu-1t", "ct6e-standard-8t", "tpu7x-standard-4t")) {
      var image = BootImage.of(pool(type), GOOGLE);

      assertThat(image.name()).as(type).contains("ubuntu-os-accelerator-images", "-amd64-tpu-");
      assertThat(image.diskGb()).isEqualTo(100);
      assertThat(image.whyNoContainers(true)).as("docker is installed").isEmpty();
      assertThat(image.whyNoContainers(false)).isPresent();
    }
  }

  @Test
  void ownImageMayRunContainers() {
    for (var image :
        List.of(
            "projects/lab/global/images/family/with-docker",
            "projects/deeplearning-platform-release/global/images/family/common-cpu"))
      assertThat(without(pool(Provisioning.SPOT, image), GOOGLE)).as(image).isEmpty();
  }

  @Test
  void staticAndSimulatedMachinesMayHaveContainers() {
    assertThat(without(pool(Provisioning.STATIC, ""), GOOGLE)).isEmpty();
    assertThat(without(pool(Provisioning.SPOT, ""), GOOGLE.withEndpoint("http://127.0.0.1:1")))
        .isEmpty();
  }

  @Test
  void tpusRunContainersBesideOtherMachines() {
    var fleet = GoogleFleet.of(ComputeEngine.fleet(GOOGLE), CloudTpu.fleet(TpuSettings.of("lab")));
    var tpu = pool(Provisioning.SPOT, MachineSpec.tpu("v4-8", "tpu-ubuntu2204-base"));

    assertThat(fleet.whyNoContainers(cluster(tpu), tpu)).isEmpty();
    var plain = pool(Provisioning.SPOT, "");
    assertThat(fleet.whyNoContainers(cluster(plain), plain)).isPresent();
  }

  private static Optional<String> without(PoolSpec pool, ComputeSettings settings) {
    return BootImage.of(pool, settings).whyNoContainers(false);
  }

  private static ClusterSpec cluster(PoolSpec pool) {
    return DocumentFixtures.clusterSpec("lab").with(List.of(pool));
  }

  private static PoolSpec pool(Provisioning how, String image) {
    return pool(how, image, Optional.empty());
  }

  private static PoolSpec gpuPool(String image) {
    return pool(Provisioning.SPOT, image, Optional.of(new MachineSpec.Gpu("nvidia-tesla-t4", 1)));
  }

  private static PoolSpec pool(Provisioning how, String image, Optional<MachineSpec.Gpu> gpu) {
    var plain = MachineSpec.PLAIN;
    return pool(
        how,
        new MachineSpec(
            plain.tpu(),
            gpu,
            Optional.of(image).filter(i -> !i.isEmpty()),
            0,
            plain.diskType(),
            plain.network(),
            plain.subnetwork(),
            plain.reservation(),
            false));
  }

  private static PoolSpec pool(String type) {
    return pool(type, Provisioning.SPOT, MachineSpec.PLAIN);
  }

  private static PoolSpec pool(Provisioning how, MachineSpec made) {
    return pool("e2-standard-2", how, made);
  }

  private static PoolSpec pool(String type, Provisioning how, MachineSpec made) {
    return new PoolSpec(
        "cpu",
        type,
        Resources.cpu(2, 8L << 30),
        List.of("us-central1-a"),
        how,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        made);
  }
}
