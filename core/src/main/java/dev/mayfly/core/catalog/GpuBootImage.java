package dev.mayfly.core.catalog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A boot image with NVIDIA's driver, a container engine and Python that Google publishes. After
 * {@code boot-images.csv}, which names its source.
 *
 * @param image the family, as a pool's {@code machine.image}
 * @param driver the branch of its driver, for example 580
 * @param diskGb what its machines have unless their pool says otherwise
 */
public record GpuBootImage(String image, int driver, int diskGb) {
  private static final List<GpuBootImage> ALL =
      List.copyOf(
          CatalogTable.read("boot-images.csv", "image", "driver", "disk_gb", "source")
              .index(
                  row -> row.word("image"),
                  row ->
                      new GpuBootImage(
                          row.word("image"), row.whole("driver"), row.whole("disk_gb")))
              .values());

  /** Google puts the driver's branch into the names of its families. */
  private static final Pattern NAMED = Pattern.compile("-nvidia-(\\d{3})(-|$)");

  /** What machines with GPUs start from if their pool names no image. */
  public static GpuBootImage preferred() {
    return ALL.getFirst();
  }

  /** All of them, newest driver first. */
  public static List<GpuBootImage> all() {
    return ALL;
  }

  /** The branch of the driver on machines that start from an image; empty if it is not known. */
  public static OptionalInt driverOf(Optional<String> image) {
    if (image.isEmpty()) return OptionalInt.of(preferred().driver());
    var named = NAMED.matcher(image.get());
    return named.find() ? OptionalInt.of(Integer.parseInt(named.group(1))) : OptionalInt.empty();
  }
}
