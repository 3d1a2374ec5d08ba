package dev.mayfly.cli.local;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Limits and faults of the whole laptop cloud, and the settings of each. */
public enum CloudControl {
  QUOTA(
      "quota",
      "Limits CPUs, GPUs or TPU chips of machines, in one region or in all. Without settings, nothing is limited.",
      "gpus=0 region=us-east1",
      setting("cpus", "the most CPUs"),
      setting("gpus", "the most GPUs"),
      setting("tpus", "the most TPU chips that are machines of Compute Engine"),
      setting("region", "only there, for example us-east1")),
  RESERVATION(
      "reservation",
      "Creates a named reservation of machines.",
      "name=r1",
      setting("name", "its name"),
      setting("exists", "no: it is deleted")),
  TPU_QUOTA(
      "tpu-quota",
      "Limits TPU chips of Cloud TPU. Without settings, they are not limited.",
      "chips=32",
      setting("chips", "the most chips")),
  TPU_RESERVATION(
      "tpu-reservation",
      "Creates a reservation of TPU chips.",
      "name=r1 chips=64",
      setting("name", "its name; without it, the project's unnamed one"),
      setting("chips", "how many it has; without it, any number")),
  REFUSALS(
      "refusals",
      "Chooses how the cloud reports a stockout. Without settings, with its details.",
      "style=bare",
      setting("style", "bare: without details and HTTP status, as it sometimes does")),
  BOOT_DELAY(
      "boot-delay",
      "Delays the boot of the machines that are created from now on.",
      "ms=5000",
      setting("ms", "by how many milliseconds; 0 ends it")),
  LOST_REPLIES(
      "lost-replies",
      "Drops the replies to the next calls; their effects remain.",
      "next=3 prefix=/compute/",
      setting("next", "to how many calls; 0 ends it"),
      setting("prefix", "only below this path, for example /compute/")),
  RATE_LIMIT(
      "rate-limit",
      "Refuses the next calls with a rate-limit error.",
      "next=10",
      setting("next", "how many calls; 0 ends it")),
  STAYING_DISKS(
      "staying-disks",
      "Keeps the disks of the next machines that are deleted.",
      "next=2",
      setting("next", "how many disks; 0 ends it"));

  private record Setting(String name, String meaning) {}

  private final String word;
  private final String purpose;
  private final String example;
  private final List<Setting> settings;

  CloudControl(String word, String purpose, String example, Setting... settings) {
    this.word = word;
    this.purpose = purpose;
    this.example = example;
    this.settings = List.of(settings);
  }

  private static Setting setting(String name, String meaning) {
    return new Setting(name, meaning);
  }

  /** Its name as a command, and for the laptop cloud. */
  public String word() {
    return word;
  }

  /** What it is for, and a line for each setting. */
  public String[] help() {
    var lines = new ArrayList<>(List.of(purpose, "", "Settings:"));
    for (var setting : settings)
      lines.add("  %s=…  %s".formatted(setting.name(), setting.meaning()));
    return lines.toArray(String[]::new);
  }

  /** How it is typed. */
  public String[] footer() {
    return new String[] {"", "Example:", "  mayfly local %s %s".formatted(word, example)};
  }

  /** Throws {@link CommandException} for a setting that it lacks: the cloud would ignore it. */
  void check(Set<String> names) {
    var known = settings.stream().map(Setting::name).toList();
    for (var name : names)
      if (!known.contains(name))
        throw CommandException.input(
            "%s has no setting %s, only %s%s"
                .formatted(
                    word, name, String.join(", ", known), SpellingSuggestion.hint(name, known)));
  }
}
