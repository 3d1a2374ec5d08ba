/**
 * Access control for servers on loopback: refuses web pages in the user's browser and other users
 * of the machine.
 *
 * <p>Start at {@link dev.mayfly.local.access.AccessGuard}; {@link
 * dev.mayfly.local.access.AccessLevel} says what each path requires, {@link
 * dev.mayfly.local.access.LocalAccounts} names the service accounts of machines and functions.
 */
@NullMarked
package dev.mayfly.local.access;

import org.jspecify.annotations.NullMarked;
