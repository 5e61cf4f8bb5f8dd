import type { Draft } from './draft.ts'
import { isBlankDraft } from './draft.ts'

/** The design promises at most 300 ms until a change is stored; the rest is for the write. */
const DELAY_MS = 200

export interface DraftStorage {
  save(draft: Draft): Promise<void>
  delete(id: string): Promise<unknown>
}

/**
 * Saves a draft soon after each change. Writes follow one another, so that an older version never replaces a newer one;
 * versions that are outdated when their turn comes are left out. A draft that is blank again is deleted.
 */
export class DraftSaver {
  readonly #storage: DraftStorage
  readonly #onError: (error: unknown) => void
  #next: Draft | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(storage: DraftStorage, onError: (error: unknown) => void) {
    this.#storage = storage
    this.#onError = onError
  }

  /** Saves a version of the draft within `DELAY_MS`, also if further changes follow. */
  schedule(draft: Draft): void {
    this.#next = draft
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS)
  }

  /** Saves the latest version now. Resolves when the browser has stored it. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#last = this.#last.then(() => this.#write())
    await this.#last
  }

  /** Deletes the draft, after all writes that have begun. */
  async discard(id: string): Promise<void> {
    this.#next = null
    await this.flush()
    await this.#storage.delete(id)
  }

  async #write(): Promise<void> {
    const draft = this.#next
    if (!draft) return
    this.#next = null
    try {
      await (isBlankDraft(draft) ? this.#storage.delete(draft.id) : this.#storage.save(draft))
    } catch (error) {
      this.#onError(error)
    }
  }
}
