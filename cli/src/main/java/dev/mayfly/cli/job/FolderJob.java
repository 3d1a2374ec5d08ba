package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.Style;
import dev.mayfly.core.text.GitReference;
import dev.mayfly.wire.ParsedDocument;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Submits a job that runs in a copy of the working folder. */
public final class FolderJob {
  private FolderJob() {}

  /**
   * Submits the job and returns it as it was accepted, or the live one that it is: the caller says
   * which.
   *
   * @param withCode whether the folder's files are packed: as they are now, or as of the commit
   *     that the job's code names
   */
  public static JobSubmitter.Result submit(
      CliContext cliContext, ParsedDocument job, boolean withCode) {
    var checked = new CheckedJob(job, cliContext.jobSubmitter().check(job));
    checked.warn(cliContext.api(), cliContext.screen());
    var ready = withCode ? packed(cliContext, checked) : job;
    return cliContext.jobSubmitter().submit(ready, cliContext.newId());
  }

  /** Refuses a home folder, which would be packed by mistake. */
  private static ParsedDocument packed(CliContext cliContext, CheckedJob job) {
    var folder = cliContext.folder();
    var screen = cliContext.screen();
    var code = JobSubmitter.spec(job.document()).run().code().orElse(".");
    Consumer<String> messages = line -> screen.note(screen.paint(Style.FAINT, line));
    if (GitReference.isMeant(code)) return CodeUpload.of(cliContext, job, code, folder, messages);
    var home = Path.of(cliContext.env().getOrDefault("HOME", "/")).toAbsolutePath().normalize();
    if (home.startsWith(folder) && !Files.exists(folder.resolve(".mayflyignore")))
      throw CommandException.input(
          folder
              + " is not a project folder, and all of it would be packed; change to one, run with"
              + " --no-code, or write a .mayflyignore here");
    return CodeUpload.of(cliContext, job, code, folder, messages);
  }
}
