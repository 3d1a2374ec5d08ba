package dev.mayfly.local.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.cloud.scheduler.v1.CloudSchedulerClient;
import com.google.cloud.scheduler.v1.CloudSchedulerSettings;
import com.google.cloud.scheduler.v1.Job;
import com.google.cloud.scheduler.v1.PubsubTarget;
import com.google.protobuf.ByteString;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.gcp.EndpointOverride;
import dev.mayfly.gcp.scheduler.CloudScheduler;
import dev.mayfly.local.os.DocumentFolder;
import dev.mayfly.porttests.TickSchedulerContract;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The production adapter and Google's client on the simulated Cloud Scheduler. */
@Timeout(300)
class CloudSchedulerTest extends TickSchedulerContract {
  private static final String PARENT = "projects/lab/locations/us-central1";
  private static final String JOB = PARENT + "/jobs/autoscale";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path home;
  private final List<String> sent = new ArrayList<>();
  private SchedulerApi api;
  private Server server;
  private CloudSchedulerClient client;
  private TickScheduler tickScheduler;

  @BeforeEach
  void start() throws IOException {
    // Its clock stands still, so that only runJob publishes here.
    var still = InstantSource.fixed(Instant.parse("2026-11-21T14:00:00Z"));
    api = SchedulerApi.start(home.resolve("scheduler"), this::send, still, MINUTE);
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = NettyServerBuilder.forAddress(loopback).addService(api).build().start();
    var endpoint = "127.0.0.1:" + server.getPort();
    client =
        CloudSchedulerClient.create(
            CloudSchedulerSettings.newBuilder()
                .setCredentialsProvider(NoCredentialsProvider.create())
                .setTransportChannelProvider(
                    InstantiatingGrpcChannelProvider.newBuilder()
                        .setEndpoint(endpoint)
                        .setChannelConfigurator(channel -> channel.usePlaintext())
                        .build())
                .build());
    client.createJob(PARENT, job("* * * * *"));
    tickScheduler = CloudScheduler.schedule(JOB, Optional.of(new EndpointOverride(endpoint)));
  }

  @AfterEach
  void stop() {
    client.close();
    server.shutdownNow();
    api.close();
  }

  @Override
  protected TickScheduler schedule() {
    return tickScheduler;
  }

  @Test
  void aJobThatIsRunPublishesAtOnce() {
    client.runJob(JOB);

    assertThat(sent).containsExactly("projects/lab/topics/mayfly-ticks tick {kind=a}");
  }

  @Test
  void aSecondJobOfThatNameIsRefused() {
    assertThatThrownBy(() -> client.createJob(PARENT, job("* * * * *")))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> client.createJob(PARENT, job("* * * *")))
        .isInstanceOf(InvalidArgumentException.class)
        .hasMessageContaining("five");
  }

  @Test
  void missingJobCannotBePaused() {
    client.deleteJob(JOB);

    assertThatThrownBy(tickScheduler::pause)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(JOB);
    assertThat(client.listJobs(PARENT).iterateAll()).isEmpty();
  }

  @Test
  void pausedJobStaysPausedAfterRestart() {
    var clock = new MinuteHand();
    var folder = new DocumentFolder(home.resolve("jobs"));
    var jobs = new SchedulerJobs(folder, this::send, clock, MINUTE);
    jobs.create(PARENT, job("* * * * *"));

    clock.turn(MINUTE);
    jobs.publishDue();
    jobs.publishDue();
    assertThat(sent).hasSize(1);

    jobs.setState(JOB, Job.State.PAUSED);
    var restarted = new SchedulerJobs(folder, this::send, clock, MINUTE);
    clock.turn(MINUTE);
    restarted.publishDue();
    assertThat(sent).hasSize(1);

    restarted.setState(JOB, Job.State.ENABLED);
    clock.turn(MINUTE);
    restarted.publishDue();
    assertThat(sent).hasSize(2);
  }

  @Test
  void anHourlyJobIsDueOnceAnHour() {
    var clock = new MinuteHand();
    var jobs = new SchedulerJobs(new DocumentFolder(home.resolve("h")), this::send, clock, MINUTE);
    jobs.create(PARENT, job("0 * * * *"));

    for (int i = 0; i < 180; i++) {
      clock.turn(MINUTE);
      jobs.publishDue();
    }

    assertThat(sent).hasSize(3);
  }

  private void send(String topic, byte[] data, Map<String, String> attributes) {
    sent.add(topic + " " + ByteString.copyFrom(data).toStringUtf8() + " " + attributes);
  }

  private static Job job(String cron) {
    return Job.newBuilder()
        .setName(JOB)
        .setSchedule(cron)
        .setPubsubTarget(
            PubsubTarget.newBuilder()
                .setTopicName("projects/lab/topics/mayfly-ticks")
                .setData(ByteString.copyFromUtf8("tick"))
                .putAttributes("kind", "a"))
        .build();
  }

  private static final class MinuteHand implements InstantSource {
    private Instant now = Instant.parse("2026-11-21T14:00:30Z");

    void turn(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
