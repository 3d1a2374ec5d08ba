package dev.mayfly.cli;

import dev.mayfly.cli.code.Bundle;
import dev.mayfly.cli.show.Words;
import dev.mayfly.wire.Parsed;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Brings a folder of this machine to where workers read it. */
final class CodeUpload {
  private static final int NAMED = 3;

  private CodeUpload() {}

  /**
   * The job with the place of its code.
   *
   * @param folder whose files are packed as they are now
   * @param tell gets a line about what was packed and what stays here
   */
  static Parsed of(Session session, Submission job, Path folder, Consumer<String> tell) {
    var bucket = job.cluster().spec().bucket();
    try (var bundle = Bundle.of(folder)) {
      var fresh = bundle.upload(session.objects(), bucket);
      tell.accept(
          "code: %s, %s%s%s"
              .formatted(
                  Words.count(bundle.files(), "file"),
                  Words.bytes(bundle.size()),
                  fresh ? "" : ", uploaded before",
                  stays(bundle.leftOut())));
      return job.document().with("code", bundle.place(bucket).toString());
    }
  }

  private static String stays(List<String> folders) {
    if (folders.isEmpty()) return "";
    var named = String.join(", ", folders.stream().limit(NAMED).toList());
    var more = folders.size() > NAMED ? ", and " + (folders.size() - NAMED) + " more" : "";
    return "; %s left out: %s%s (to bring one, write !NAME into .mayflyignore)"
        .formatted(Words.count(folders.size(), "folder"), named, more);
  }
}
