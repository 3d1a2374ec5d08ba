package dev.mayfly.cli.catalog;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.cli.output.WrappedText;
import dev.mayfly.core.catalog.AttachableGpu;
import dev.mayfly.core.catalog.MachinePrices;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Types as people read them: a table each of machines, of machines with GPUs and of TPUs, and below
 * them where the prices are from.
 */
record CatalogPage(List<CatalogLine> types, List<AttachableGpu> attachable, Screen screen) {
  private static final String ON_DEMAND = "$/H ON DEMAND";
  private static final String SPOT = "$/H SPOT";
  private static final String TO_ATTACH = "GPUs for " + AttachableGpu.FAMILY;
  private static final int WIDEST = 100;

  List<String> lines() {
    var lines = new ArrayList<String>();
    Stream.of(machines(), withGpus(), attached(), tpus())
        .filter(table -> !table.isEmpty())
        .forEach(table -> {
          lines.addAll(table.lines(screen));
          lines.add("");
        });
    footer().forEach(line -> lines.add(screen.paint(Style.FAINT, line)));
    return lines;
  }

  private List<CatalogLine> some(Predicate<CatalogLine> which) {
    return types.stream().filter(which).toList();
  }

  private Table machines() {
    var table = new Table("MACHINE TYPE", "CPUS", "GIB", ON_DEMAND, SPOT).right(1, 2, 3, 4);
    for (var it : some(t -> t.gpus() == 0 && t.tpuChips() == 0))
      table.row(
          TableCell.of(it.type()),
          number(it.cpus()),
          number(it.memoryGib()),
          price(it.onDemand()),
          price(it.spot()));
    return table.names(0);
  }

  private Table withGpus() {
    var table = new Table("MACHINE TYPE", "CPUS", "GIB", "GPUS", ON_DEMAND, SPOT).right(1, 2, 4, 5);
    for (var it : some(t -> t.gpus() > 0))
      table.row(
          TableCell.of(it.type()),
          number(it.cpus()),
          number(it.memoryGib()),
          TableCell.of(it.gpus() + " " + model(it.gpuModel().orElse(""))),
          price(it.onDemand()),
          price(it.spot()));
    return table.names(0);
  }

  private Table attached() {
    var table =
        new Table(TO_ATTACH.toUpperCase(Locale.ROOT), "COUNTS", "GIB", ON_DEMAND, SPOT)
            .right(2, 3, 4);
    for (var it : attachable)
      table.row(
          TableCell.of(it.type()),
          TableCell.of(it.countsInWords()),
          number(it.memoryGib()),
          price(attachedPrice(it, Provisioning.ON_DEMAND)),
          price(attachedPrice(it, Provisioning.SPOT)));
    return table.names(0);
  }

  private static Optional<CatalogLine.Price> attachedPrice(AttachableGpu gpu, Provisioning how) {
    return MachinePrices.ofGpu(gpu.type(), how).map(CatalogLine.Price::of);
  }

  private Table tpus() {
    var table =
        new Table("TPU TYPE", "CHIPS", "HOSTS", "TOPOLOGY", "CPUS", "GIB", ON_DEMAND, SPOT)
            .right(1, 2, 4, 5, 6, 7);
    for (var it : some(t -> t.tpuChips() > 0))
      table.row(
          TableCell.of(it.type()),
          TableCell.of(it.tpuChips()),
          TableCell.of(it.hosts()),
          TableCell.of(it.topology().orElse("-")),
          number(it.cpus()),
          number(it.memoryGib()),
          price(it.onDemand()),
          price(it.spot()));
    return table.names(0);
  }

  /** As people call it: {@code h100-80gb}. */
  private static String model(String gpuModel) {
    return gpuModel.replaceFirst("^nvidia-(tesla-)?", "");
  }

  private static TableCell number(double value) {
    var whole = value == Math.rint(value);
    return TableCell.of(
        whole ? HumanFormat.count((long) value) : String.format(Locale.ROOT, "%,.2f", value));
  }

  private static TableCell price(Optional<CatalogLine.Price> price) {
    return TableCell.of(
        price.map(it -> String.format(Locale.ROOT, "%,.3f", it.usdPerHour())).orElse("-"));
  }

  private List<String> footer() {
    var origins = new PriceOrigins();
    types.forEach(it -> it.prices().forEach(price -> origins.add(price, it.family(), it.type())));
    for (var gpu : attachable)
      attachedPrice(gpu, Provisioning.ON_DEMAND)
          .ifPresent(price -> origins.add(price, TO_ATTACH, gpu.type()));
    var width = Math.min(WIDEST, screen.width());
    var lines = new ArrayList<>(WrappedText.lines(disks(), width));
    lines.addAll(
        origins.lines(
            types.stream().anyMatch(it -> it.hosts() > 1),
            types.stream().anyMatch(it -> it.onDemand().isEmpty() || it.spot().isEmpty()),
            width));
    return lines;
  }

  /** What comes on top of a machine's price, by the families that start from it. */
  private String disks() {
    var families = new TreeMap<String, Set<String>>();
    for (var it : types)
      it.bootDisk()
          .ifPresent(
              disk -> families.computeIfAbsent(text(disk), _ -> new TreeSet<>()).add(it.family()));
    if (families.isEmpty()) return "";
    return "A boot disk comes on top, by the GiB and month: "
        + families.entrySet().stream()
            .map(it -> it.getKey() + " for " + String.join(", ", it.getValue()))
            .collect(Collectors.joining("; "))
        + ".";
  }

  private static String text(CatalogLine.Disk disk) {
    return disk.type()
        + disk.usdPerGibMonth().map(usd -> String.format(Locale.ROOT, " $%.2f", usd)).orElse("");
  }
}
