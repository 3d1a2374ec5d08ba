package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Value;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.mayfly.core.model.job.TaskTotals;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A minimal Firestore for job totals, with or without an index. The emulator answers without
 * indexes, so it cannot show what is missing.
 */
final class FakeFirestore implements AutoCloseable {
  private static final String SERVICE = "google.firestore.v1.Firestore";
  private static final Timestamp NOW = Timestamp.newBuilder().setSeconds(1).build();

  private final Server server;
  private final TreeMap<String, Document> shards = new TreeMap<>();
  final List<RunQueryRequest> pages = new CopyOnWriteArrayList<>();

  /** The error of an aggregation and of a query. */
  volatile Optional<Status> sums = Optional.empty();

  volatile Optional<Status> reads = Optional.empty();

  FakeFirestore() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(service())
            .build()
            .start();
  }

  String host() {
    return "127.0.0.1:" + server.getPort();
  }

  void shard(String name, TaskTotals taskTotals) {
    var fields =
        MapValue.newBuilder()
            .putFields("done", number(taskTotals.done()))
            .putFields("failed", number(taskTotals.failed()))
            .putFields("ready", number(taskTotals.ready()))
            .putFields("leased", number(taskTotals.leased()));
    shards.put(
        name,
        Document.newBuilder()
            .setName(name)
            .putFields("totals", Value.newBuilder().setMapValue(fields).build())
            .build());
  }

  private static Value number(long count) {
    return Value.newBuilder().setIntegerValue(count).build();
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            method(
                "RunAggregationQuery",
                RunAggregationQueryRequest.getDefaultInstance(),
                RunAggregationQueryResponse.getDefaultInstance()),
            ServerCalls.asyncServerStreamingCall((request, answer) -> add(answer)))
        .addMethod(
            method(
                "RunQuery",
                RunQueryRequest.getDefaultInstance(),
                RunQueryResponse.getDefaultInstance()),
            ServerCalls.asyncServerStreamingCall(this::page))
        .build();
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, Q request, A answer) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .build();
  }

  private void add(StreamObserver<RunAggregationQueryResponse> answer) {
    if (sums.isPresent()) {
      answer.onError(sums.get().asRuntimeException());
      return;
    }
    var reply = RunAggregationQueryResponse.newBuilder();
    for (var field : JobTotalsQuery.FIELDS) {
      var sum =
          shards.values().stream()
              .mapToLong(s ->
                  s.getFieldsOrThrow("totals")
                      .getMapValue()
                      .getFieldsOrThrow(field)
                      .getIntegerValue())
              .sum();
      reply.getResultBuilder().putAggregateFields(field, number(sum));
    }
    reply.getResultBuilder().putAggregateFields("shards", number(shards.size()));
    answer.onNext(reply.build());
    answer.onCompleted();
  }

  private void page(RunQueryRequest request, StreamObserver<RunQueryResponse> answer) {
    pages.add(request);
    if (reads.isPresent()) {
      answer.onError(reads.get().asRuntimeException());
      return;
    }
    var query = request.getStructuredQuery();
    var after = query.hasStartAt() ? query.getStartAt().getValues(0).getReferenceValue() : "";
    shards.tailMap(after, false).values().stream()
        .limit(query.getLimit().getValue())
        .forEach(shard ->
            answer.onNext(
                RunQueryResponse.newBuilder().setDocument(shard).setReadTime(NOW).build()));
    answer.onNext(RunQueryResponse.newBuilder().setReadTime(NOW).build());
    answer.onCompleted();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
