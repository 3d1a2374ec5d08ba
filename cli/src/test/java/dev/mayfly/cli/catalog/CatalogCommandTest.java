package dev.mayfly.cli.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly catalog} without a cloud and without a login. */
class CatalogCommandTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int width = 80;

  @Test
  void machinesAndSlicesHaveTablesOfTheirOwn() {
    assertThat(mayfly("v5p-8", "v5p-16", "c2-standard-3*", "a3-highgpu-8g")).isZero();

    assertThat(out())
        .isEqualTo(
            """
            MACHINE TYPE    CPUS  GIB  $/H ON DEMAND  $/H SPOT
            c2-standard-30    30  120          1.566     0.748

            MACHINE TYPE   CPUS    GIB  GPUS         $/H ON DEMAND  $/H SPOT
            a3-highgpu-8g   208  1,872  8 h100-80gb         88.490    50.610

            TPU TYPE  CHIPS  HOSTS  TOPOLOGY  CPUS  GIB  $/H ON DEMAND  $/H SPOT
            v5p-8         4      1  2x2x1      208  448         16.800     3.343
            v5p-16        8      2  2x2x2      208  448         33.600     6.686

            A boot disk comes on top, by the GiB and month: pd-balanced $0.10 for a3, c2.
            CPUS and GIB are those of one host, prices those of all hosts. Prices are
            estimates: list prices in dollars an hour, without discounts, taxes and network.
            They differ between regions, and those of spot change daily.
              us-central1 in 2026-03: v5p
                from github.com/skypilot-org/skypilot-catalog@006059e
              us-central1 in 2026-07: a3, c2
                from github.com/Cyclenerd/google-cloud-pricing-cost-calculator@fd66b26
            """);
  }

  @Test
  void tpusOfComputeEngineHaveDisksAndPrices() {
    assertThat(mayfly("ct6e", "tpu7x-8")).isZero();

    assertThat(out())
        .startsWith(
            """
            TPU TYPE           CHIPS  HOSTS  TOPOLOGY  CPUS    GIB  $/H ON DEMAND  $/H SPOT
            ct6e-standard-1t       1      1  1x1         44    176          2.700     0.544
            ct6e-standard-4t       4      1  2x2        180    720         10.800     2.177
            ct6e-standard-8t       8      1  2x4        180  1,440         21.600     4.354
            tpu7x-standard-4t      4      1  2x2x1      224    960              -         -
            """)
        .contains("hyperdisk-balanced $0.08 for\nct6e, tpu7x.");
  }

  @Test
  void whatHasNoPriceSaysSo() {
    assertThat(mayfly("a3-highgpu-1g")).isZero();
    assertThat(out().replaceAll("\n", " "))
        .contains("1 h100-80gb              -     6.326")
        .contains("Where a price is missing, it is not known, or the type is not sold so.");

    assertThat(mayfly("n2-custom-6-20480")).isZero();
    assertThat(out()).contains("n2-custom-6-20480     6   20              -         -");
  }

  @Test
  void everythingFitsNarrowAndWideTerminals() {
    for (var columns : new int[] {80, 200}) {
      width = columns;
      assertThat(mayfly()).isZero();
      assertThat(out().lines())
          .hasSizeGreaterThan(470)
          .allMatch(line -> line.length() <= columns)
          .noneMatch(line -> line.contains("…"));
    }
  }

  @Test
  void gpusThatCanBeAttachedAreListed() {
    assertThat(mayfly("--gpu")).isZero();

    assertThat(out())
        .contains("g2-standard-4  ")
        .contains("nvidia-tesla-t4    1, 2, 4      16          0.350     0.175")
        .doesNotContain("n2-standard-4", "v5p-8");
  }

  @Test
  void tpusAreListedAlone() {
    assertThat(mayfly("--tpu")).isZero();

    assertThat(out()).startsWith("TPU TYPE").contains("v4-4096").doesNotContain("MACHINE TYPE");
    assertThat(out()).contains("us-central2 in 2026-03: v4\n");
  }

  @Test
  void unknownNameIsToldWithNearOnes() {
    assertThat(mayfly("a3-highgpu-3g", "t2a-standard-4")).isEqualTo(4);
    assertThat(err())
        .contains("no machine type or TPU type matches 'a3-highgpu-3g'; did you mean one of a3-hi")
        .contains("'t2a-standard-4' has ARM processors");
    assertThat(out()).isEmpty();

    assertThat(mayfly("zzzzzzzz")).isEqualTo(4);
    assertThat(err()).contains("see all of them with: mayfly catalog");
    assertThat(mayfly("n2", "--gpu")).isEqualTo(4);
    assertThat(err()).contains("no type with GPUs matches 'n2'");
  }

  @Test
  void jsonHasWholeNamesAndPrices() {
    assertThat(mayfly("g2-standard-4", "-o", "json")).isZero();

    assertThat(out())
        .hasLineCount(1)
        .startsWith("[{\"type\":\"g2-standard-4\"")
        .contains("\"gpuModel\":\"nvidia-l4\"")
        .contains("\"bootDisk\":{\"type\":\"pd-balanced\",\"usdPerGibMonth\":0.1}")
        .contains("\"onDemand\":{\"usdPerHour\":0.706832,\"region\":\"us-central1\"")
        .contains("\"month\":\"2026-07\"");
  }

  private int mayfly(String... args) {
    out.reset();
    err.reset();
    var line = new String[args.length + 1];
    line[0] = "catalog";
    System.arraycopy(args, 0, line, 1, args.length);
    return Main.run(context(), line);
  }

  private CliContext context() {
    var screen =
        TestScreen.of(
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            true,
            false,
            width);
    var conditionPoller = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    return new CliContext(
        Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
