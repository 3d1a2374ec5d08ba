/**
 * Who may call what listens on loopback: not the pages that the user's browser shows, and no other
 * user of the machine.
 *
 * <p>Start with {@link dev.mayfly.local.guard.Guard}. {@link dev.mayfly.local.guard.Access} says
 * what each path wants, {@link dev.mayfly.local.guard.LocalAccounts} as whom machines and functions
 * call.
 */
@NullMarked
package dev.mayfly.local.guard;

import org.jspecify.annotations.NullMarked;
