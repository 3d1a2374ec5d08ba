package dev.mayfly.cli.job;

import dev.mayfly.cli.code.CodeBundle;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.wire.ParsedDocument;
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
  static ParsedDocument of(
      CliContext cliContext, CheckedJob job, Path folder, Consumer<String> tell) {
    var bucket = job.cluster().spec().bucket();
    try (var codeBundle = CodeBundle.of(folder)) {
      var fresh = codeBundle.upload(cliContext.objects(), bucket);
      tell.accept(
          "code: %s, %s%s%s"
              .formatted(
                  HumanFormat.count(codeBundle.files(), "file"),
                  HumanFormat.bytes(codeBundle.size()),
                  fresh ? "" : ", uploaded before",
                  stays(codeBundle.leftOut())));
      return job.document().with("code", codeBundle.place(bucket).toString());
    }
  }

  private static String stays(List<String> folders) {
    if (folders.isEmpty()) return "";
    var named = String.join(", ", folders.stream().limit(NAMED).toList());
    var more = folders.size() > NAMED ? ", and " + (folders.size() - NAMED) + " more" : "";
    return "; %s left out: %s%s (to bring one, write !NAME into .mayflyignore)"
        .formatted(HumanFormat.count(folders.size(), "folder"), named, more);
  }
}
