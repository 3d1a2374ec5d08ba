/**
 * The HTTP server on loopback and what all simulated APIs share on the wire: routes, parameters,
 * errors, and faults on purpose.
 *
 * <p>Start at LoopbackServer for the server and RestHandlers for Google's JSON services; GrpcReply
 * and FaultInterceptor are their counterparts for gRPC.
 */
@NullMarked
package dev.mayfly.local.http;

import org.jspecify.annotations.NullMarked;
