package dev.mayfly.cli.logs;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is still to be read of one source's log.
 *
 * @param before the piece before the first, if that is wanted only for the line that it begins
 * @param pieces at least one, in their order
 */
record UnreadLog(LogSource from, Optional<LogPiece> before, List<LogPiece> pieces) {
  /** A piece to read, and what it is read for. */
  record Part(LogPiece piece, boolean before, boolean last) {}

  Stream<Part> parts() {
    var begin = before.stream().map(piece -> new Part(piece, true, false));
    var last = pieces.getLast();
    return Stream.concat(
        begin, pieces.stream().map(piece -> new Part(piece, false, piece.equals(last))));
  }
}
