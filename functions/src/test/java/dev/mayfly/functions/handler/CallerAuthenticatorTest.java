package dev.mayfly.functions.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.functions.HttpRequest;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallerAuthenticatorTest {
  private static final String URL = "https://lab.example/mayfly-workers";
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final long LATER = NOW.getEpochSecond() + 60;

  private final CallerAuthenticator callerAuthenticator =
      CallerAuthenticator.required(
          URL, new AllowedAccounts("agent@lab", "autoscale@lab", Set.of("desks@lab")), () -> NOW);

  @Test
  void machineReportsForItself() {
    assertThatCode(() -> report(token(URL, "agent@lab", LATER, "77"), "77"))
        .doesNotThrowAnyException();
  }

  @Test
  void machineCannotReportForAnother() {
    assertThatThrownBy(() -> report(token(URL, "agent@lab", LATER, "77"), "78"))
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("machine 77 can't report for machine 78");
  }

  @Test
  void missingOrExpiredTokenIsUnauthenticated() {
    var old = token(URL, "agent@lab", NOW.getEpochSecond() - 1, "77");
    var long1 = "Bearer a." + "b".repeat(10_000) + ".c";
    for (var token : List.of("", "Bearer x.y", "Bearer a.%%.c", "Bearer a.e30.c", old, long1)) {
      assertThatThrownBy(() -> callerAuthenticator.authenticateAgent(request(token)))
          .as(token)
          .isInstanceOfAny(CallerAuthenticator.Unauthenticated.class, DeniedException.class);
      assertThatThrownBy(() -> callerAuthenticator.authenticateWatcher(request(token)))
          .as(token)
          .isInstanceOfAny(CallerAuthenticator.Unauthenticated.class, DeniedException.class);
    }
    assertThatThrownBy(() -> callerAuthenticator.authenticateAgent(request(old)))
        .isInstanceOf(CallerAuthenticator.Unauthenticated.class);
    assertThatThrownBy(() -> callerAuthenticator.authenticateAgent(request("")))
        .isInstanceOf(CallerAuthenticator.Unauthenticated.class);
  }

  @Test
  void tokenForAnotherAudienceOrAccountIsRefused() {
    assertThatThrownBy(() -> report(token("https://other", "agent@lab", LATER, "77"), "77"))
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("audience");
    for (var email : List.of("ada@lab", "autoscale@lab", ""))
      for (var machine : List.of("77", ""))
        assertThatThrownBy(() ->
                callerAuthenticator.authenticateAgent(request(token(URL, email, LATER, machine))))
            .as(email + " " + machine)
            .isInstanceOf(DeniedException.class);
  }

  @Test
  void rejectsTokenWithoutMachineClaims() {
    for (var email : List.of("agent@lab", ""))
      for (var instance : List.of("77", "static-desk"))
        assertThatThrownBy(() -> report(token(URL, email, LATER, ""), instance))
            .as(email + " " + instance)
            .isInstanceOf(DeniedException.class);
  }

  @Test
  void staticWorkerCannotReportForGoogleMachine() {
    assertThatCode(() -> report(token(URL, "desks@lab", LATER, ""), "static-desk"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> report(token(URL, "desks@lab", LATER, ""), "77"))
        .isInstanceOf(DeniedException.class);
    assertThatThrownBy(() -> report(token(URL, "desks@lab", LATER, "77"), "77"))
        .isInstanceOf(DeniedException.class);
  }

  @Test
  void emailDecidesNotProject() {
    for (var project : List.of("lab", "google-tenant-77"))
      assertThatCode(() -> report(token(URL, "agent@lab", LATER, "77", project, ""), "77"))
          .as(project)
          .doesNotThrowAnyException();
    for (var email : List.of("agent@lab.", "Agent@lab", "agent@lab@x", "agent@la"))
      assertThatThrownBy(() -> report(token(URL, email, LATER, "77", "lab", ""), "77"))
          .as(email)
          .isInstanceOf(DeniedException.class);
  }

  @Test
  void unverifiedEmailIsRejected() {
    assertThatCode(() -> report(token(URL, "agent@lab", LATER, "77", "lab", "true"), "77"))
        .doesNotThrowAnyException();
    for (var email : List.of("agent@lab", "autoscale@lab", "desks@lab", ""))
      assertThatThrownBy(() ->
              callerAuthenticator.authenticateAgent(
                  request(token(URL, email, LATER, "77", "lab", "false"))))
          .as(email)
          .isInstanceOf(DeniedException.class)
          .hasMessageContaining("verified");
  }

  @Test
  void onlyAutoscaleStartsWatches() {
    assertThatCode(() ->
            callerAuthenticator.authenticateWatcher(
                request(token(URL, "autoscale@lab", LATER, ""))))
        .doesNotThrowAnyException();
    for (var email : List.of("agent@lab", "desks@lab", "ada@lab", ""))
      for (var machine : List.of("77", ""))
        assertThatThrownBy(() ->
                callerAuthenticator.authenticateWatcher(request(token(URL, email, LATER, machine))))
            .as(email + " " + machine)
            .isInstanceOf(DeniedException.class);
    assertThatThrownBy(() ->
            callerAuthenticator.authenticateWatcher(
                request(token(URL, "autoscale@lab", LATER, "77"))))
        .isInstanceOf(DeniedException.class);
  }

  private void report(String token, String instance) {
    callerAuthenticator.authenticateAgent(request(token)).checkReport(report(instance));
  }

  private static String token(String audience, String email, long until, String instance) {
    return token(audience, email, until, instance, "lab", "");
  }

  private static String token(
      String audience, String email, long until, String instance, String project, String verified) {
    var machine =
        instance.isEmpty()
            ? ""
            : ",\"google\":{\"compute_engine\":{\"instance_id\":\"%s\",\"project_id\":\"%s\",\"zone\":\"z\"}}"
                .formatted(instance, project);
    var account = email.isEmpty() ? "" : ",\"email\":\"" + email + "\"";
    if (!verified.isEmpty()) account += ",\"email_verified\":" + verified;
    var claims = "{\"aud\":\"%s\"%s,\"exp\":%d%s}".formatted(audience, account, until, machine);
    var encoder = Base64.getUrlEncoder().withoutPadding();
    return "Bearer e30." + encoder.encodeToString(claims.getBytes(UTF_8)) + ".SIGNATURE_REMOVED";
  }

  private static HttpRequest request(String authorization) {
    var headers =
        authorization.isEmpty()
            ? Map.<String, List<String>>of()
            : Map.of("Authorization", List.of(authorization));
    return (HttpRequest)
        Proxy.newProxyInstance(
            CallerAuthenticatorTest.class.getClassLoader(),
            new Class<?>[] {HttpRequest.class},
            (self, method, arguments) -> {
              if (method.isDefault())
                return java.lang.reflect.InvocationHandler.invokeDefault(self, method, arguments);
              if (method.getName().equals("getHeaders")) return headers;
              throw new IllegalStateException(method + " is not asked");
            });
  }

  private static SyncReport report(String instance) {
    var nothing = Resources.ZERO;
    return new SyncReport(
        "c",
        "w",
        0,
        new Incarnation(instance, "boot", NOW),
        "n",
        1,
        nothing,
        nothing,
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        false,
        0,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
