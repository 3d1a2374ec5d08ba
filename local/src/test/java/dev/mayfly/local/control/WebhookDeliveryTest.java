package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.cluster.NotificationSpec;
import dev.mayfly.core.model.cluster.WebhookSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.Secrets;
import dev.mayfly.functions.webhook.WebhookAccess;
import dev.mayfly.functions.webhook.WebhookDelivery;
import dev.mayfly.functions.webhook.WebhookReach;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The function that calls webhooks, with a receiver on loopback. */
class WebhookDeliveryTest {
  private static final Instant NOW = Instant.parse("2026-01-31T10:00:00Z");
  private static final String SECRET = "open sesame";

  private record Call(String id, String timestamp, String signature, byte[] body) {}

  @TempDir Path home;
  private final List<Call> calls = new ArrayList<>();
  private int answer = 204;
  private TestServer receiver;
  private SqliteLedger ledger;

  @BeforeEach
  void open() throws IOException {
    receiver = new TestServer(Map.of("/hook", this::receive));
    ledger = SqliteLedger.open(home);
    store(receiver.url() + "/hook", NotificationKind.JOB_ENDED);
  }

  @AfterEach
  void close() {
    receiver.close();
    ledger.close();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      calls.add(
          new Call(
              headers.getFirst("webhook-id"),
              headers.getFirst("webhook-timestamp"),
              headers.getFirst("webhook-signature"),
              exchange.getRequestBody().readAllBytes()));
      if (answer / 100 == 3) exchange.getResponseHeaders().add("Location", "/elsewhere");
      exchange.sendResponseHeaders(answer, answer == 204 ? -1 : 0);
    }
  }

  private void store(String url, NotificationKind... on) {
    var notifications = new NotificationSpec(new WebhookSpec(url, "hook/latest"), List.of(on));
    var text =
        """
        {"apiVersion": "mayfly.dev/v1", "kind": "Cluster", "name": "lab", "bucket": "gs://lab",
         "notifications": {"webhook": {"url": "%s", "secret": "hook/latest"}, "on": ["job-ended"]},
         "pools": [{"name": "cpu", "machine": {"type": "n2-standard-4"}, "zones": ["us-a1-b"],
           "workers": {"max": 1}}]}
        """
            .formatted(url);
    var command = UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst().command();
    var spec = ((UserCommand.ApplyCluster) command).spec();
    assertThat(spec.notifications()).contains(notifications);
    put(spec);
  }

  private void put(ClusterSpec spec) {
    var cluster = new Cluster("c-1", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
    ledger.commit(List.of(new LedgerWrite.Put(cluster)));
  }

  private void deliver(Notification notification) {
    deliver(notification, reference -> SECRET, true, NOW);
  }

  private void deliver(
      Notification notification, Secrets secrets, boolean loopback, Instant publishedAt) {
    new WebhookDelivery(
            ledger,
            new WebhookAccess(
                secrets, loopback ? WebhookReach.THIS_COMPUTER : WebhookReach.INTERNET),
            InstantSource.fixed(NOW))
        .deliver(notification, publishedAt);
  }

  private static Notification notification(NotificationKind kind) {
    var event = new EventRecord("c-1", "e-1", NOW, "job/reddit", "failed", "2 tasks failed");
    return event.with(new PendingNotification(kind)).message("lab").orElseThrow();
  }

  private static Notification ended() {
    return notification(NotificationKind.JOB_ENDED);
  }

  private List<EventRecord> events() {
    return ledger
        .query(new LedgerQuery.Events("c-1", Optional.empty(), 9))
        .requireComplete()
        .stream()
        .map(stored -> stored.value())
        .toList();
  }

  @Test
  void bodyIsTheNotificationAndItsSignatureHolds() throws Exception {
    deliver(ended());

    assertThat(calls).hasSize(1);
    var call = calls.getFirst();
    assertThat(Wire.shared().read(Notification.class, call.body())).isEqualTo(ended());
    assertThat(call.id()).isEqualTo("e-1");
    assertThat(call.timestamp()).isEqualTo(Long.toString(NOW.getEpochSecond()));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
    mac.update((call.id() + "." + call.timestamp() + ".").getBytes(UTF_8));
    assertThat(call.signature())
        .isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(call.body())));
    assertThat(events()).isEmpty();
  }

  @Test
  void unwantedKindIsNotPosted() {
    deliver(notification(NotificationKind.NODE_BAD));

    assertThat(calls).isEmpty();
  }

  @Test
  void clusterWithoutWebhookOrDocumentIsDone() {
    put(DocumentFixtures.clusterSpec("lab").with(List.of()));
    deliver(ended());
    ledger.commit(List.of(new LedgerWrite.Delete(new DocumentKey.OfCluster("c-1"))));
    deliver(ended());

    assertThat(calls).isEmpty();
    assertThat(events()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 503})
  void passingFaultIsDeliveredAgain(int status) {
    answer = status;

    assertThatThrownBy(() -> deliver(ended()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("answered " + status);
    answer = 200;
    deliver(ended());

    assertThat(calls).extracting(Call::id).containsExactly("e-1", "e-1");
    assertThat(events()).isEmpty();
  }

  /** Each of its calls would take ten seconds, in which other notifications wait. */
  @Test
  void silentReceiverIsLeftAloneAndDelaysNobody() throws IOException {
    var access = new WebhookAccess(reference -> SECRET, WebhookReach.THIS_COMPUTER);
    var delivery = new WebhookDelivery(ledger, access, InstantSource.fixed(NOW));
    try (var gone = new TestServer(Map.of())) {
      store(gone.url() + "/hook", NotificationKind.JOB_ENDED);
    }

    for (var i = 0; i < 3; i++)
      assertThatThrownBy(() -> delivery.deliver(ended(), NOW))
          .hasMessageContaining("ConnectException");
    assertThatThrownBy(() -> delivery.deliver(ended(), NOW))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("in 3 calls; it is called again at 2026-01-31T10:01:00Z");

    store(receiver.url() + "/hook", NotificationKind.JOB_ENDED);
    delivery.deliver(ended(), NOW);
    assertThat(calls).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 401, 404, 410})
  void refusalBecomesOneEventOfTheCluster(int status) {
    answer = status;

    deliver(ended());
    deliver(ended());

    assertThat(events()).hasSize(1);
    var event = events().getFirst();
    assertThat(event.about()).isEqualTo("cluster/lab");
    assertThat(event.what()).isEqualTo("webhook-refused");
    assertThat(event.why())
        .contains("job-ended of job/reddit", "answered " + status)
        .doesNotContain(SECRET, "2 tasks failed");
    assertThat(event.notification()).isEmpty();
  }

  @Test
  void deadReceiverIsCalledAgainLater() {
    receiver.close();

    assertThatThrownBy(() -> deliver(ended()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("no answer from 127.0.0.1");
  }

  @Test
  void plainHttpIsForTheLaptopOnly() {
    deliver(ended(), reference -> SECRET, false, NOW);

    assertThat(calls).isEmpty();
    assertThat(events()).singleElement().extracting(EventRecord::why).asString().contains("https");
  }

  /** As a person may have written it into the ledger. */
  @ParameterizedTest
  @ValueSource(
      strings = {"https://h:99999/", "https://h:0/", "https:///", "http://127.0.0.1:99999/", "h"})
  void urlThatCannotBeCalledIsRefused(String url) {
    put(at(stored().spec(), new WebhookSpec(url, "hook/latest")));

    deliver(ended());
    deliver(ended());

    assertThat(events()).singleElement().extracting(EventRecord::what).isEqualTo("webhook-refused");
  }

  private static ClusterSpec at(ClusterSpec spec, WebhookSpec webhook) {
    return new ClusterSpec(
        spec.name(),
        spec.bucket(),
        spec.env(),
        spec.pools(),
        spec.owner(),
        spec.secrets(),
        spec.image(),
        spec.registries(),
        spec.mounts(),
        spec.rollout(),
        spec.allows(),
        spec.outputPrefixes(),
        spec.budget(),
        spec.setup(),
        spec.storage(),
        spec.limits(),
        spec.mirrors(),
        Optional.of(new NotificationSpec(webhook, List.of(NotificationKind.JOB_ENDED))),
        Optional.empty());
  }

  @Test
  void privateNetworkIsNotCalledUnlessAllowed() {
    store("https://10.255.255.1/hook", NotificationKind.JOB_ENDED);

    deliver(ended(), reference -> SECRET, false, NOW);

    assertThat(events())
        .singleElement()
        .extracting(EventRecord::why)
        .asString()
        .contains("one of a private network", "webhook_private_networks");
  }

  /** A right spreads for minutes; after that somebody must grant it. */
  @Test
  void unreadableSecretIsRetriedThenRefused() {
    Secrets denied =
        reference -> {
          throw new MissingPermissionException("secret " + reference + ": may not be read");
        };

    assertThatThrownBy(() -> deliver(ended(), denied, true, NOW.minus(Duration.ofMinutes(9))))
        .isInstanceOf(MissingPermissionException.class);
    assertThat(events()).isEmpty();
    deliver(ended(), denied, true, NOW.minus(Duration.ofMinutes(11)));

    assertThat(events())
        .singleElement()
        .extracting(EventRecord::why)
        .asString()
        .contains("hook/latest");
  }

  @Test
  void messageOfADayAgoIsDropped() throws Exception {
    var functions = TestControlPlane.start(home.resolve("other"));
    try (functions) {
      var text = new String(Wire.shared().json(ended()), UTF_8);
      functions.ledger().commit(List.of(new LedgerWrite.Put(stored())));

      var late = functions.deliver("mayfly-notifications", "1", text, "2026-01-01T03:04:06Z");
      var early = functions.deliver("mayfly-notifications", "2", text, "2026-01-02T03:04:06Z");

      assertThat(late.statusCode()).isEqualTo(204);
      assertThat(early.statusCode()).isEqualTo(204);
      // The process has no secrets, which the younger message met.
      assertThat(
              functions.ledger().query(new LedgerQuery.Events("c-1", Optional.empty(), 9)).size())
          .isEqualTo(1);
    }
  }

  private Cluster stored() {
    return ledger.read(new DocumentKey.OfCluster("c-1")).orElseThrow().value();
  }
}
