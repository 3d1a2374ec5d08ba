/**
 * The simulated cloud: one process, one port on 127.0.0.1, state under {@code $MAYFLY_HOME/cloud/}.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.Cloud}, which wires it, or {@link
 * dev.mayfly.local.cloud.CloudMain}, which runs it. Google's own clients reach it as an endpoint.
 *
 * <p>Its dials, for tests and people. NAME may be {@code *}: every machine. Answers are {@code {}},
 * or an error in Google's JSON shape.
 *
 * <ul>
 *   <li>{@code POST /_sim/vms/NAME/preempt?seconds=N}: notice through the metadata server, N
 *       seconds later (default: the setting) the power is cut; {@code ?notice=false}: cut at once.
 *       The operation {@code compute.instances.preempted} is listed; the machine is gone, or
 *       TERMINATED if its termination action is STOP.
 *   <li>{@code POST /_sim/vms/NAME/freeze}, {@code …/thaw}: processes stand still; Compute says
 *       RUNNING.
 *   <li>{@code POST /_sim/vms/NAME/kill?unseen=N}: the host dies at once; N seconds later (default
 *       0) Compute says TERMINATED.
 *   <li>{@code POST /_sim/vms/NAME/stop}: TERMINATED, and stays. {@code …/delete}: deleted.
 *   <li>{@code POST /_sim/zones/ZONE/stock?n=N&type=TYPE}: room for N more machines, ever, of the
 *       type or of all; without n: no limit.
 *   <li>{@code POST /_sim/zones/ZONE/silent?next=N}: the next N lists of all zones lack this one.
 *   <li>{@code POST /_sim/quota?cpus=N&gpus=N&region=REGION}: vCPUs and GPUs of a region, or of
 *       each; without a number: no limit anywhere.
 *   <li>{@code POST /_sim/refusals?style=bare}: operations fail without details and without an HTTP
 *       status; without style: with both.
 *   <li>{@code POST /_sim/boot-delay?ms=N}: for machines inserted from now on.
 *   <li>{@code POST /_sim/lost-replies?next=N&prefix=/compute/}: the next N changing calls take
 *       effect and the connection is cut; without prefix: of every API.
 *   <li>{@code POST /_sim/staying-disks?next=N}: the next N disks that should go with their
 *       machines stay.
 *   <li>{@code POST /_sim/rate-limit?next=N}: the next N Compute calls are 403 rateLimitExceeded.
 *   <li>{@code GET /_sim/state}: machines and dials. {@code GET /_sim/certs}: the key that the
 *       machines' identity tokens are checked with, a JSON Web Key Set.
 * </ul>
 */
@NullMarked
package dev.mayfly.local.cloud;

import org.jspecify.annotations.NullMarked;
