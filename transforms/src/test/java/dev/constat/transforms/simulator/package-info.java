/**
 * An at-least-once event system in miniature, on a virtual clock: producers that send again, an
 * intake with a memory, a transactional outbox, dispatchers in default and in ordered mode, leases,
 * crashes, retries, dead letters, consumers that acknowledge later, replays. It leaves the archive
 * that such a system would leave, and tells what it did: every breach that was played, and every
 * message that a consumer got again, with the reason why.
 *
 * <p>It knows nothing of how an archive is judged. What it tells it has noted down while it played;
 * nothing of it is worked out from the archive.
 */
package dev.constat.transforms.simulator;
