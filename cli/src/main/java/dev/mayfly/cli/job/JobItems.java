package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.document.LocalItems;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.items.FileItems;
import dev.mayfly.wire.items.ItemsFileReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The items of the file that a job names, and the task list that its submission stores of them.
 *
 * @param items as the file has them
 * @param list the content of the task list
 * @param place of the task list in the cluster's bucket
 */
record JobItems(FileItems items, byte[] list, ObjectUrl place) {
  /**
   * Reads the file; empty for a job that names none. Throws {@link InvalidInputException} for what
   * is wrong in the file.
   *
   * @param folder to which the file is relative
   */
  static Optional<JobItems> of(
      CliContext cliContext, ParsedDocument job, Path folder, String bucket) {
    if (!(JobSubmitter.spec(job).tasks() instanceof TaskSource.ItemsFile file)
        || !file.names().isEmpty()) return Optional.empty();
    var items =
        file.file().startsWith("gs://")
            ? stored(cliContext.objects(), job, file.file())
            : LocalItems.read(job, file.file(), folder);
    var list = items.taskList();
    var place = BucketLayout.of(bucket).items(Sha256.of(new String(list, StandardCharsets.UTF_8)));
    return Optional.of(new JobItems(items, list, place));
  }

  private static FileItems stored(ObjectStore objectStore, ParsedDocument job, String url) {
    var content = objectStore.read(ObjectUrl.of(url), ItemsFileReader.MOST_BYTES);
    return ItemsFileReader.read(
        url,
        content.orElseThrow(() ->
            new InvalidInputException(
                job.at().of("tasks.items.file"),
                "there is no object " + url + "; write the URL of one, or a path")));
  }

  /** The job that names the task list. */
  ParsedDocument in(ParsedDocument job) {
    return LocalItems.in(job, place.toString(), items.names());
  }

  /** The spec with the items themselves, for a plan that stores nothing. */
  JobSpec in(JobSpec spec) {
    return new JobSpec(
        spec.name(),
        spec.cluster(),
        spec.owner(),
        new TaskSource.Items(items.rows()),
        spec.data(),
        spec.run(),
        spec.resources(),
        spec.retries(),
        spec.priority(),
        spec.place(),
        spec.exclusive(),
        spec.gang(),
        spec.anyRegion(),
        spec.settle(),
        spec.admissionRules());
  }

  /** Stores the task list, unless it is there. */
  void upload(ObjectStore objectStore) {
    if (objectStore.find(place).isPresent()) return;
    var _ = objectStore.create(place, ObjectStore.Content.of(list), Map.of());
  }
}
