import type { Relationship } from '../../lib/api/entities.ts'
import { requestNumberOf } from '../../lib/api/request-numbers.ts'
import type { EntityStore } from '../../lib/store/entity-store.ts'

const MAX_IDS = 40

/**
 * Loads relationships into a store. All that are requested during one task of the browser, such as those of the accounts
 * of a page, are one request.
 */
export class RelationshipLoader {
  readonly #store: EntityStore<Relationship>
  readonly #fetch: (ids: readonly string[]) => Promise<readonly Relationship[]>
  readonly #schedule: (work: () => void) => void
  /** Accounts that wait for the next request. */
  readonly #queued = new Set<string>()
  /** Accounts whose request has not finished. */
  readonly #loading = new Set<string>()

  /** `schedule`: runs the requests after the current task. */
  constructor(
    store: EntityStore<Relationship>,
    fetch: (ids: readonly string[]) => Promise<readonly Relationship[]>,
    schedule: (work: () => void) => void = (work) => setTimeout(work),
  ) {
    this.#store = store
    this.#fetch = fetch
    this.#schedule = schedule
  }

  /** Loads the relationship to an account unless it is known. */
  request(id: string): void {
    if (!this.#store.get(id)) this.refresh(id)
  }

  /** Loads the relationship to an account again. */
  refresh(id: string): void {
    if (this.#queued.has(id) || this.#loading.has(id)) return
    if (this.#queued.size === 0) this.#schedule(() => this.#flush())
    this.#queued.add(id)
  }

  #flush(): void {
    const ids = [...this.#queued]
    this.#queued.clear()
    for (let start = 0; start < ids.length; start += MAX_IDS) void this.#load(ids.slice(start, start + MAX_IDS))
  }

  async #load(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#loading.add(id)
    try {
      for (const relationship of await this.#fetch(ids)) this.#store.save(relationship, requestNumberOf(relationship))
    } catch {
      // A row without its relationship has no button; the next row of the account requests it again.
    } finally {
      for (const id of ids) this.#loading.delete(id)
    }
  }
}
