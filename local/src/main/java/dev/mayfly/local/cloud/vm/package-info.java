/**
 * One machine from the inside: a process tree and the metadata server that it sees.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.vm.VmHost}, which boots a {@link
 * dev.mayfly.local.cloud.vm.VmSpec} and finds machines again after a restart; {@link
 * dev.mayfly.local.cloud.vm.Vm} is one that runs.
 *
 * <p>Each process of a machine carries {@code MAYFLY_VM=<instance id>} in its environment, and its
 * first process leads a session of its own. A machine dies whole: every process with the marker, of
 * one of its sessions, or descended from one of them, whatever it did to get away.
 *
 * <p>What the boot command finds in its environment, and nothing else: {@code PATH}, {@code HOME}
 * (the machine's folder, also the working directory), {@code TMPDIR}, {@code LANG}, {@code
 * GOOGLE_CLOUD_PROJECT}, {@code GCE_METADATA_HOST} (host:port), {@code MAYFLY_STORAGE_ENDPOINT}
 * (the cloud's URL), {@code MAYFLY_VM}, {@code MAYFLY_BOOT_ID} (a new UUID each boot, in place of
 * the kernel's, which all these machines share), {@code MAYFLY_VM_CPUS} and {@code
 * MAYFLY_VM_MEMORY_MB} (what the machine type has, in place of what the laptop has). It asks for
 * power-off by exit code 42; after any other it is started again a second later, as systemd would.
 *
 * <p><b>Rule:</b> nothing here knows the Compute API. Linux only: it reads {@code /proc}.
 */
@NullMarked
package dev.mayfly.local.cloud.vm;

import org.jspecify.annotations.NullMarked;
