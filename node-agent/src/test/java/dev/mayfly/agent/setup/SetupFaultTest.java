package dev.mayfly.agent.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as the tools print them. */
final class SetupFaultTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "error: Failed to fetch: `https://pypi.org/simple/six/`\n  Caused by: error sending request for url (https://pypi.org/simple/six/)",
        "  Caused by: dns error: failed to lookup address information: Name or service not known",
        "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object>: Failed to establish a new connection: [Errno 111] Connection refused')'",
        "ERROR: HTTP error 503 while getting https://index/simple/six/",
        "curl: (6) Could not resolve host: repo.anaconda.com",
        "pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool: Read timed out.",
        "HTTP status server error (502 Bad Gateway) for url (https://index/six)",
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "E: Temporary failure resolving 'deb.debian.org'",
        "CondaHTTPError: HTTP 000 CONNECTION FAILED for url <https://conda/noarch/repodata.json>",
        "CondaHTTPError: HTTP 429 TOO MANY REQUESTS for url <https://conda/noarch/repodata.json>",
        "CondaHTTPError: HTTP 503 SERVICE UNAVAILABLE for url <https://conda/noarch/repodata.json>",
        "mayfly: cannot make environments with the Python of this machine (/usr/bin/python3): it has no ensurepip."
      })
  void networkAndDiskAreInfrastructure(String text) {
    assertThat(SetupFault.of(text)).isEqualTo(FailureCause.INFRASTRUCTURE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERROR: No matching distribution found for sixx==9",
        "  × No solution found when resolving dependencies:\n  ╰─▶ Because six was not found",
        "ERROR: Invalid requirement: 'six=1'",
        "ModuleNotFoundError: No module named 'setuptools'",
        "error: command '/usr/bin/gcc' failed with exit code 1",
        "sh: 1: uvv: not found",
        "ERROR: 404 Client Error: Not Found for url: https://index/six",
        "port 5030 of 503 files",
        "CondaHTTPError: HTTP 404 NOT FOUND for url <https://conda/nosuch/noarch/repodata.json>",
        "CondaHTTPError: HTTP 403 FORBIDDEN for url <https://conda/private/noarch/repodata.json>",
        "mayfly: cannot make environments with the Python of this image (/usr/bin/python3): it has no ensurepip."
      })
  void allElseIsTheUsers(String text) {
    assertThat(SetupFault.of(text)).isEqualTo(FailureCause.USER);
  }
}
