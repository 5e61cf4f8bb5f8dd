/** The number of remembered pairs of key and recipient. They last much longer than it takes until a job runs again. */
const MAX_ENTRIES = 100_000

/**
 * Stores the recipients of the latest events of this process. It is needed because a worker that takes over the job of
 * a killed process has no record of the events that process has published, and publishes all of them again.
 */
export class Deduplicator {
  readonly #recipients = new Map<string, Set<string>>()
  readonly #maxEntries: number
  #size = 0

  constructor({ maxEntries = MAX_ENTRIES }: { maxEntries?: number } = {}) {
    this.#maxEntries = maxEntries
  }

  /** Returns the recipients that are new for the key, and stores them. */
  filterNew(key: string, recipients: readonly string[]): string[] {
    const known = this.#recipients.get(key) ?? new Set()
    const newRecipients = [...new Set(recipients).difference(known)]
    for (const recipient of newRecipients) known.add(recipient)
    this.#recipients.set(key, known)
    this.#size += newRecipients.length
    for (const [oldest, { size }] of this.#recipients) {
      if (this.#size <= this.#maxEntries || oldest === key) break
      this.#recipients.delete(oldest)
      this.#size -= size
    }
    return newRecipients
  }
}
