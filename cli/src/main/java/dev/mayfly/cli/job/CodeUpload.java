package dev.mayfly.cli.job;

import dev.mayfly.cli.code.CodeBundle;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.wire.ParsedDocument;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Uploads a local folder as a job's code. */
final class CodeUpload {
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
                  codeBundle.leftOut().words()));
      return job.document().with("code", codeBundle.place(bucket).toString());
    }
  }

  /** The job as it would be with that code, which is not uploaded. */
  static ParsedDocument named(CheckedJob job, Path folder) {
    try (var codeBundle = CodeBundle.of(folder)) {
      var place = codeBundle.place(job.cluster().spec().bucket());
      return job.document().with("code", place.toString());
    }
  }
}
