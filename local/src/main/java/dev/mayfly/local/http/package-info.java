/**
 * The HTTP server on loopback and the shared parts of all simulated APIs: routes, parameters,
 * errors and injected faults.
 *
 * <p>Start at {@link dev.mayfly.local.http.LoopbackServer} for the server and {@link
 * dev.mayfly.local.http.RestHandlers} for Google's JSON services; {@link
 * dev.mayfly.local.http.GrpcReply} and {@link dev.mayfly.local.http.FaultInterceptor} are their
 * counterparts for gRPC.
 */
@NullMarked
package dev.mayfly.local.http;

import org.jspecify.annotations.NullMarked;
