package dev.mayfly.core.jobs.gather;

import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.Glob;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Optional;
import java.util.function.Consumer;

/** Lists all objects that match a pattern, for one task. */
public final class GatherListing {
  private GatherListing() {}

  /**
   * Throws {@link dev.mayfly.core.error.InvalidInputException} if they are too many for one task,
   * or cannot be files of one folder.
   *
   * @param place of the pattern
   * @param unusable takes the names of objects that match and can be no inputs
   */
  public static GatheredInputs of(
      ObjectStore objectStore, ObjectUrl place, Glob glob, Consumer<String> unusable) {
    var prefix = new ObjectUrl(place.root(), glob.prefix());
    var builder = new GatheredInputsBuilder("tasks.inputs.all", prefix.toString());
    for (var from = Optional.of(""); from.isPresent(); ) {
      var page = objectStore.list(prefix, from.get(), ObjectPage.MAX_OBJECTS);
      page.objects().stream().filter(o -> glob.matches(o.url().name())).forEach(builder::add);
      page.unusable().stream().filter(glob::matches).forEach(unusable);
      from = page.next();
    }
    return builder.build(
        HumanAmounts.count(builder.count(), "object") + " of " + place, Optional.empty());
  }
}
