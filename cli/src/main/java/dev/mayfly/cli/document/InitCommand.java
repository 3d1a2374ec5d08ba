package dev.mayfly.cli.document;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.context.ShellQuoting;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.WholeFiles;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.text.HumanAmounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly init}: writes a cluster and a job to begin with, and a program for a first one. */
@Command(
    name = "init",
    description = {
      "Writes a commented cluster.yaml and job.yaml for a kind of work, and for hello a program.",
      "Needs no cloud and no login. Replaces no file unless told."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly init hello",
      "  mayfly init --list",
      "  mayfly init sweep",
      "  mayfly init files experiments/toxicity"
    })
public final class InitCommand extends ResultCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "GROUP",
      description = "The kind of work; --list shows them.")
  @Nullable String group;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DIR",
      description = "The folder for the files (default: this one).")
  @Nullable Path folder;

  @Option(names = "--list", description = "Lists the groups and writes nothing.")
  boolean list;

  @Option(names = "--force", description = "Replaces files that exist.")
  boolean force;

  public InitCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** One group, as JSON. */
  record Group(String group, String what) {}

  /**
   * What was written, as JSON.
   *
   * @param next the commands to type then
   */
  record Written(String group, List<String> files, List<String> next) {}

  @Override
  public Integer call() {
    if (list || group == null) return showGroups();
    var wanted =
        TemplateGroup.of(group)
            .orElseThrow(() ->
                CommandException.input(
                    "'%s' is not a group; the groups are %s: see mayfly init --list"
                        .formatted(group, String.join(", ", TemplateGroup.words()))));
    var written = write(wanted);
    show(written, () -> print(written));
    return 0;
  }

  private int showGroups() {
    var groups = Stream.of(TemplateGroup.values()).map(g -> new Group(g.word(), g.what())).toList();
    var table = new Table("GROUP", "WHAT IT IS FOR").prose();
    groups.forEach(g -> table.row(TableCell.of(g.group()), TableCell.of(g.what())));
    showTable(groups, () -> table, "");
    if (!list) humanScreen().say("write one with: mayfly init GROUP [DIR]");
    return 0;
  }

  private Written write(TemplateGroup wanted) {
    var target = folder == null ? cliContext.folder() : cliContext.folder().resolve(folder);
    var there = new ArrayList<String>();
    for (var file : wanted.files())
      if (Files.exists(target.resolve(file), LinkOption.NOFOLLOW_LINKS)) there.add(shown(file));
    if (!there.isEmpty() && !force)
      throw CommandException.input(
          "%s there already; name another folder, or replace what is there with --force"
              .formatted(HumanAmounts.phrase(there) + (there.size() > 1 ? " are" : " is")));
    try {
      Files.createDirectories(target);
      var texts = new LinkedHashMap<String, byte[]>();
      for (var file : wanted.files())
        texts.put(file, wanted.text(file).getBytes(StandardCharsets.UTF_8));
      WholeFiles.write(target, texts, force);
    } catch (IOException e) {
      throw CommandException.input(target + " cannot be written: " + e, e);
    }
    var files = wanted.files().stream().map(this::shown).toList();
    return new Written(wanted.word(), files, next(wanted));
  }

  /** The file's name from here. */
  private String shown(String file) {
    return folder == null ? file : folder.resolve(file).toString();
  }

  /** The file's name from here, for a shell. */
  private String typed(String file) {
    return ShellQuoting.readable(shown(file));
  }

  private List<String> next(TemplateGroup wanted) {
    if (wanted == TemplateGroup.HELLO) return nextOfHello();
    var cluster = typed("cluster.yaml");
    var job = typed("job.yaml");
    var commands = new ArrayList<String>();
    commands.add("mayfly validate " + cluster + " " + job);
    commands.add("mayfly up " + cluster);
    if (wanted == TemplateGroup.MACHINES) commands.add("mayfly worker join --pool phortx");
    commands.add("mayfly submit " + job + " --dry-run");
    commands.add("mayfly submit " + job + " --follow");
    return commands;
  }

  /** It needs no change and no check. */
  private List<String> nextOfHello() {
    return List.of(
        "mayfly up " + typed("cluster.yaml"),
        "mayfly submit " + typed("job.yaml") + " --follow",
        "mayfly tasks hello",
        "mayfly logs hello",
        "mayfly down hello");
  }

  private void print(Written written) {
    var screen = cliContext.screen();
    screen.line("wrote " + HumanAmounts.phrase(written.files()));
    screen.line(
        written.group().equals(TemplateGroup.HELLO.word())
            ? "They run as they are beside mayfly local, which you start in another terminal:"
            : "Names of buckets, images and zones in them are examples: change them, then:");
    written.next().forEach(command -> screen.say("  " + command));
  }
}
