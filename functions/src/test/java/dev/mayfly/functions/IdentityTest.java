package dev.mayfly.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.functions.HttpRequest;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdentityTest {
  private static final String URL = "https://lab.example/mayfly-workers";
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final long LATER = NOW.getEpochSecond() + 60;

  private final Identity identity =
      Identity.required(URL, "lab", Optional.of("agent@lab"), () -> NOW);

  @Test
  void aMachineReportsForItself() {
    var request = request(token(URL, "agent@lab", LATER, "77"));

    assertThatCode(() -> identity.mayReport(request, report("77"))).doesNotThrowAnyException();
  }

  @Test
  void aMachineCannotReportForAnother() {
    var request = request(token(URL, "agent@lab", LATER, "77"));

    assertThatThrownBy(() -> identity.mayReport(request, report("78")))
        .isInstanceOf(Denied.class)
        .hasMessageContaining("machine 77 can't report for machine 78");
  }

  @Test
  void aCallWithoutATokenOrWithAnOldOneIsNobodys() {
    var old = request(token(URL, "agent@lab", NOW.getEpochSecond() - 1, "77"));

    assertThatThrownBy(() -> identity.mayReport(request(""), report("77")))
        .isInstanceOf(Identity.Missing.class);
    assertThatThrownBy(() -> identity.mayReport(request("Bearer x.y"), report("77")))
        .isInstanceOf(Identity.Missing.class);
    assertThatThrownBy(() -> identity.mayReport(request("Bearer a.%%.c"), report("77")))
        .isInstanceOf(Identity.Missing.class);
    assertThatThrownBy(() -> identity.mayReport(old, report("77")))
        .isInstanceOf(Identity.Missing.class);
  }

  @Test
  void aTokenForAnotherAudienceOrAccountIsRefused() {
    var elsewhere = request(token("https://other", "agent@lab", LATER, "77"));
    var other = request(token(URL, "somebody@lab", LATER, "77"));

    assertThatThrownBy(() -> identity.mayReport(elsewhere, report("77")))
        .isInstanceOf(Denied.class)
        .hasMessageContaining("audience");
    assertThatThrownBy(() -> identity.mayReport(other, report("77"))).isInstanceOf(Denied.class);
  }

  @Test
  void whoIsNoMachineOfGooglesSpeaksForNone() {
    var person = request(token(URL, "ada@lab", LATER, ""));

    assertThatThrownBy(() -> identity.mayReport(person, report("77"))).isInstanceOf(Denied.class);
    assertThatCode(() -> identity.mayReport(person, report("static-desk")))
        .doesNotThrowAnyException();
  }

  @Test
  void aMachineCannotStartAWatch() {
    assertThatThrownBy(() -> identity.mayWatch(request(token(URL, "agent@lab", LATER, "77"))))
        .isInstanceOf(Denied.class);
    assertThatThrownBy(() -> identity.mayWatch(request(token(URL, "agent@lab", LATER, ""))))
        .isInstanceOf(Denied.class);
    assertThatCode(() -> identity.mayWatch(request(token(URL, "autoscale@lab", LATER, ""))))
        .doesNotThrowAnyException();
  }

  private static String token(String audience, String email, long until, String instance) {
    var machine =
        instance.isEmpty()
            ? ""
            : ",\"google\":{\"compute_engine\":{\"instance_id\":\"%s\",\"project_id\":\"lab\",\"zone\":\"z\"}}"
                .formatted(instance);
    var claims =
        "{\"aud\":\"%s\",\"email\":\"%s\",\"exp\":%d%s}".formatted(audience, email, until, machine);
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
            IdentityTest.class.getClassLoader(),
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
        Optional.empty());
  }
}
