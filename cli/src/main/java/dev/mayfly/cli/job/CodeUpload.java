package dev.mayfly.cli.job;

import dev.mayfly.cli.code.CodeBundle;
import dev.mayfly.cli.code.GitCheckout;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.text.GitReference;
import dev.mayfly.wire.ParsedDocument;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Uploads a job's code: a local folder, or a commit of a git repository. */
final class CodeUpload {
  private CodeUpload() {}

  /** Whether the code is packed where the job is submitted. */
  static boolean isPacked(String code) {
    return GitReference.isMeant(code) || !code.contains("://");
  }

  /** The same code as of this revision. Throws {@link CommandException} where it has none. */
  static String at(String revision, Optional<String> code) {
    try {
      GitReference.checkRevision(revision);
    } catch (IllegalArgumentException no) {
      throw CommandException.input("--ref: " + no.getMessage());
    }
    var now =
        code.orElseThrow(() ->
            CommandException.input(
                "--ref: the job has no code; write code: . into its file, or git+https://HOST/PATH"));
    if (!isPacked(now))
      throw CommandException.input("--ref: " + now + " is packed already; leave out --ref");
    if (!GitReference.isMeant(now)) return GitReference.PREFIX + now + "@" + revision;
    return GitReference.of(now).with(revision).toString();
  }

  /**
   * The job with the location of its uploaded code.
   *
   * @param code a folder, whose files are packed as they are now, or a {@link GitReference}
   * @param base what a path is relative to
   * @param messages receives a line about what was packed and what was left out
   */
  static ParsedDocument of(
      CliContext cliContext, CheckedJob job, String code, Path base, Consumer<String> messages) {
    var bucket = job.cluster().spec().bucket();
    return packed(
        code,
        base,
        (checkout, bundle) -> {
          var fresh = bundle.upload(cliContext.objects(), bucket);
          messages.accept(
              "code: %s, %s%s%s%s"
                  .formatted(
                      HumanFormat.count(bundle.files(), "file"),
                      HumanFormat.bytes(bundle.size()),
                      checkout.map(it -> ", " + it.found().words()).orElse(""),
                      fresh ? "" : ", already uploaded",
                      bundle.leftOut().words()));
          pointers(bundle).ifPresent(messages);
          return with(job, bundle, checkout);
        });
  }

  /** What a program that reads its data from the code does not expect. */
  private static Optional<String> pointers(CodeBundle bundle) {
    var names = bundle.pointers();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "warning: %s of the code: %s of Git LFS without the data, first %s; install git-lfs here, and run git lfs pull"
                .formatted(
                    HumanFormat.count(names.size(), "file"),
                    names.size() == 1 ? "a pointer" : "pointers",
                    ObjectNames.printable(names.getFirst())));
  }

  /** The job as it would be with that code, which is not uploaded. */
  static ParsedDocument named(CheckedJob job, String code, Path base) {
    return packed(code, base, (checkout, bundle) -> with(job, bundle, checkout));
  }

  private static ParsedDocument with(
      CheckedJob job, CodeBundle bundle, Optional<GitCheckout> checkout) {
    var place = bundle.place(job.cluster().spec().bucket()).toString();
    var ready = job.document().with("code", place);
    return checkout.map(it -> ready.with("codeFrom", it.found().toString())).orElse(ready);
  }

  private static ParsedDocument packed(
      String code, Path base, BiFunction<Optional<GitCheckout>, CodeBundle, ParsedDocument> use) {
    if (!GitReference.isMeant(code))
      try (var bundle = CodeBundle.of(base.resolve(code).normalize())) {
        return use.apply(Optional.empty(), bundle);
      }
    try (var checkout = GitCheckout.of(GitReference.of(code), base);
        var bundle = CodeBundle.of(checkout.folder())) {
      return use.apply(Optional.of(checkout), bundle);
    }
  }
}
