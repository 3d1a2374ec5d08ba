/** The laptop cloud: simulated Google surfaces and a control plane with an embedded ledger. */
@NullMarked
package dev.mayfly.local;

import org.jspecify.annotations.NullMarked;
