import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.WriteResult;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * An empty database for a program that only needs to start: reads find nothing, writes succeed and
 * are discarded.
 *
 * <p>{@code java -cp LIBRARIES EmptyFirestore.java COMMAND...} runs the command with {@code
 * FIRESTORE_EMULATOR_HOST} set, and ends with its exit code.
 */
final class EmptyFirestore {
  private static final String SERVICE = "google.firestore.v1.Firestore";
  private static final Timestamp NOW = Timestamp.newBuilder().setSeconds(1).build();

  public static void main(String[] command) throws Exception {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server = NettyServerBuilder.forAddress(address).addService(service()).build().start();
    var builder = new ProcessBuilder(List.of(command)).inheritIO();
    builder.environment().put("FIRESTORE_EMULATOR_HOST", "127.0.0.1:" + server.getPort());
    var code = builder.start().waitFor();
    server.shutdownNow();
    System.exit(code);
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            method(
                "RunQuery",
                MethodType.SERVER_STREAMING,
                RunQueryRequest.getDefaultInstance(),
                RunQueryResponse.getDefaultInstance()),
            ServerCalls.asyncServerStreamingCall((request, answer) -> {
              answer.onNext(RunQueryResponse.newBuilder().setReadTime(NOW).build());
              answer.onCompleted();
            }))
        .addMethod(
            method(
                "BatchGetDocuments",
                MethodType.SERVER_STREAMING,
                BatchGetDocumentsRequest.getDefaultInstance(),
                BatchGetDocumentsResponse.getDefaultInstance()),
            ServerCalls.asyncServerStreamingCall((request, answer) -> {
              for (var name : request.getDocumentsList())
                answer.onNext(
                    BatchGetDocumentsResponse.newBuilder().setMissing(name).setReadTime(NOW).build());
              answer.onCompleted();
            }))
        .addMethod(
            method(
                "Commit",
                MethodType.UNARY,
                CommitRequest.getDefaultInstance(),
                CommitResponse.getDefaultInstance()),
            ServerCalls.asyncUnaryCall((request, answer) -> {
              var reply = CommitResponse.newBuilder().setCommitTime(NOW);
              for (var write : request.getWritesList())
                reply.addWriteResults(WriteResult.newBuilder().setUpdateTime(NOW));
              answer.onNext(reply.build());
              answer.onCompleted();
            }))
        .build();
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, MethodType type, Q request, A answer) {
    return MethodDescriptor.newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .build();
  }
}
