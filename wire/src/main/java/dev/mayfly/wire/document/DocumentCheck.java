package dev.mayfly.wire.document;

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

  static DocumentCheck of(DocumentKind kind, MergedDocument merged, Substitution substitution) {
    var problems = new ProblemList();
    var document = substitution.of(merged, kind, problems);
    var errors = kind.schemaErrors(document);
    var misspelled = errors.misspellings();
    if (misspelled.isEmpty())
      return new DocumentCheck(document, document, together(problems, errors.problems()));
    var meant = corrected(merged.document(), misspelled, false);
    var found = new ProblemList();
    var again = substitution.of(new MergedDocument(meant, merged.variables()), kind, found);
    var left = kind.schemaErrors(again);
    var all = new ProblemList();
    misspelled.forEach(misspelling -> all.add(misspelling.inputError()));
    all.addNew(together(found, left.problems()));
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
