package dev.mayfly.cli.document;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly validate}: checks files of documents without a control plane. */
@Command(
    name = "validate",
    description = "Checks files of documents without a control plane, and shows all errors.",
    footer = {
      "",
      "Jobs are checked against the clusters and slices of the same files: whether a machine of"
          + " theirs can run a task. Warnings do not change the exit code.",
      "Exit codes: 0 valid, 2 errors.",
      "",
      "Examples:",
      "  mayfly validate cluster.yaml job.yaml",
      "  mayfly validate regions.yaml --var max=8 -o json"
    })
public final class ValidateCommand extends ResultCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "YAML or JSON; - is standard input.")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "Sets the variable {name} in the files.")
  List<String> variables = new ArrayList<>();

  public ValidateCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var validation =
        DocumentCheck.of(
            files.stream().distinct().toList(), DocumentFile.variables(variables, "--var "));
    show(validation, () -> print(validation, cliContext.screen()));
    return validation.errors().isEmpty() ? 0 : CommandExitCode.INPUT.code();
  }

  private static void print(Validation validation, Screen screen) {
    var table = new Table("PLACE", "KIND", "NAME", "RESULT").names(0, 2).prose();
    for (var d : validation.documents())
      table.row(
          TableCell.of(d.place()),
          TableCell.of(d.kind()),
          TableCell.of(d.name()),
          new TableCell(d.result(), d.valid() ? Style.PLAIN : Style.BAD));
    if (!table.isEmpty()) screen.lines(table.lines(screen));
    for (var warning : validation.warnings())
      screen.note(screen.paint(Style.WARN, "warning: ") + warning);
    if (!validation.errors().isEmpty()) throw new InvalidInputException(validation.errors());
    screen.line(
        HumanFormat.count(validation.documents().size(), "valid document")
            + warned(validation.warnings()));
  }

  private static String warned(List<InputError> warnings) {
    return warnings.isEmpty() ? "" : ", " + HumanFormat.count(warnings.size(), "warning");
  }
}
