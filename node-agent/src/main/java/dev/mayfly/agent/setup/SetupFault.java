package dev.mayfly.agent.setup;

import dev.mayfly.core.model.FailureCause;
import java.util.List;
import java.util.regex.Pattern;

/** Who must mend a setup whose command ended with a nonzero code. */
public final class SetupFault {
  /**
   * What package managers print when the network or the disk failed, not the user. {@code
   * docs/tasks.md} has the table. Only the end of the log is looked at: a try that was repeated
   * with success stands earlier.
   */
  private static final List<Pattern> INFRASTRUCTURE =
      List.of(
          // Names and connections: glibc, curl, pip, uv, conda, apt.
          words(
              "Temporary failure in name resolution|Could not resolve host|dns error"
                  + "|Name or service not known|Temporary failure resolving"),
          words(
              "Connection refused|Connection reset|Connection timed out|Network is unreachable"
                  + "|No route to host|Connection aborted|Connection broken"),
          // Of HTTP errors only those that a later try may not see; 000 is conda's for no answer.
          words("CondaHTTPError: HTTP (000|429|5[0-9][0-9])\\b"),
          words(
              "Read timed out|ReadTimeoutError|ConnectTimeoutError|operation timed out"
                  + "|TLS handshake timeout|UNEXPECTED_EOF_WHILE_READING|error sending request for url"
                  + "|Failed to connect to|NewConnectionError|Max retries exceeded"),
          // Servers that are overloaded or away.
          Pattern.compile(
              "\\b(429 (Client Error|Too Many)|50[0234] (Server Error|Bad Gateway|Service Unavailable"
                  + "|Gateway Time-?out|Internal Server Error))|\\b(status code|HTTP error)[ :]+(429|50[0234])\\b",
              Pattern.CASE_INSENSITIVE),
          words("No space left on device|Disk quota exceeded|Input/output error"),
          // The machine's, which is the operator's; what an image lacks is its owner's.
          Pattern.compile(Pattern.quote(PythonSetup.UNABLE + "machine")));

  private SetupFault() {}

  private static Pattern words(String alternatives) {
    return Pattern.compile(alternatives, Pattern.CASE_INSENSITIVE);
  }

  /**
   * @param lastLines the end of the log
   */
  public static FailureCause of(String lastLines) {
    return INFRASTRUCTURE.stream().anyMatch(p -> p.matcher(lastLines).find())
        ? FailureCause.INFRASTRUCTURE
        : FailureCause.USER;
  }
}
