package dev.mayfly.cli.job;

import dev.mayfly.cli.code.CodeBundle;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.wire.ParsedDocument;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Uploads a local folder as a job's code. */
final class CodeUpload {
  private static final int MAX_NAMED = 3;

  private CodeUpload() {}

  /**
   * The job with the location of its uploaded code.
   *
   * @param folder the folder, whose files are packed as they are now
   * @param messages receives a line about what was packed and what was left out
   */
  static ParsedDocument of(
      CliContext cliContext, CheckedJob job, Path folder, Consumer<String> messages) {
    var bucket = job.cluster().spec().bucket();
    try (var codeBundle = CodeBundle.of(folder)) {
      var fresh = codeBundle.upload(cliContext.objects(), bucket);
      messages.accept(
          "code: %s, %s%s%s"
              .formatted(
                  HumanFormat.count(codeBundle.files(), "file"),
                  HumanFormat.bytes(codeBundle.size()),
                  fresh ? "" : ", already uploaded",
                  stays(codeBundle.leftOut())));
      return job.document().with("code", codeBundle.place(bucket).toString());
    }
  }

  private static String stays(List<String> folders) {
    if (folders.isEmpty()) return "";
    var named = String.join(", ", folders.stream().limit(MAX_NAMED).toList());
    var more = folders.size() > MAX_NAMED ? ", and " + (folders.size() - MAX_NAMED) + " more" : "";
    return "; %s left out: %s%s (to include one, write !NAME into .mayflyignore)"
        .formatted(HumanFormat.count(folders.size(), "folder"), named, more);
  }
}
