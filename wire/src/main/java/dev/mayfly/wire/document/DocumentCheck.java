package dev.mayfly.wire.document;

import dev.mayfly.wire.document.DocumentKind.SchemaErrors;
import dev.mayfly.wire.syntax.DocumentExpander.MergedDocument;
import dev.mayfly.wire.syntax.ProblemList;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.util.List;

/**
 * A document with its variables put in, and what is wrong with its fields. A misspelled field is
 * one error, and all else is checked as if it were written right.
 *
 * @param places the document with misspelled fields too, for the lines of errors
 */
record DocumentCheck(SyntaxNode.Mapping document, SyntaxNode.Mapping places, ProblemList problems) {
  /** Puts the variables into a document. */
  interface Substitution {
    SyntaxNode.Mapping of(MergedDocument merged, DocumentKind documentKind, ProblemList problems);
  }

  /**
   * @param document with its variables put in
   * @param unset the problems of that
   * @param errors what the schema says of it
   */
  static DocumentCheck of(
      DocumentKind kind,
      MergedDocument merged,
      SyntaxNode.Mapping document,
      ProblemList unset,
      SchemaErrors errors,
      Substitution substitution) {
    var misspelled = errors.misspellings();
    // To check a document again costs as much once more: not where there are thousands of errors.
    if (misspelled.isEmpty() || errors.problems().isFull())
      return new DocumentCheck(document, document, together(unset, errors.problems()));
    var meant = corrected(merged.document(), misspelled, false);
    var found = new ProblemList();
    var again = substitution.of(new MergedDocument(meant, merged.variables()), kind, found);
    var all = new ProblemList();
    misspelled.forEach(misspelling -> all.add(misspelling.inputError()));
    all.addNew(together(found, kind.schemaErrors(again).problems()));
    return new DocumentCheck(again, corrected(document, misspelled, true), all);
  }

  private static SyntaxNode.Mapping corrected(
      SyntaxNode.Mapping document, List<Misspelling> misspelled, boolean kept) {
    var corrected = document;
    for (var misspelling : misspelled) corrected = misspelling.corrected(corrected, kept);
    return corrected;
  }

  /** What variables lack is told unless it follows from a wrong field. */
  private static ProblemList together(ProblemList unset, ProblemList wrong) {
    var all = new ProblemList();
    all.addUnless(FollowingErrors.of(wrong.without(unset)), unset);
    all.addNew(wrong);
    return all;
  }
}
