/**
 * The HTTP server on loopback and the shared parts of all simulated APIs: routes, parameters,
 * errors and injected faults.
 *
 * <p>Start at LoopbackServer for the server and Route for one API; GrpcReply and FaultInterceptor
 * are their counterparts for gRPC.
 */
@NullMarked
package dev.mayfly.local.http;

import org.jspecify.annotations.NullMarked;
