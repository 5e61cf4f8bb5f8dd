import { takeNumber } from '../api/request-numbers.ts'

/** What the user does to an entity. */
interface Action<Entity> {
  id: string
  /** Returns the entity with the result of the action; unchanged if it has the result already. */
  change: (entity: Entity) => Entity
  /** The number at the end of its request; infinite until then. */
  endedAt: number
}

interface Known<Entity> {
  received: Entity
  /** The number of the request that it comes from. */
  requestedAt: number
  /** What was received, with the changes of later actions. */
  shown: Entity
}

/** More than a user does while a request is on its way. */
const MAX_ACTIONS = 100

/**
 * The newest version of each entity that the client has received, by id. All views of an entity read it here, so that one change
 * reaches every copy on the screen.
 *
 * A response that was requested before an action of the user had ended may not contain its result, whenever it arrives.
 * The store applies the change of the action to each entity of such a response.
 */
export class EntityStore<Entity extends { id: string }> {
  readonly #known = new Map<string, Known<Entity>>()
  readonly #listeners = new Map<string, Set<() => void>>()
  /** The last actions that the server has not refused. */
  #actions: readonly Action<Entity>[] = []

  get(id: string): Entity | undefined {
    return this.#known.get(id)?.shown
  }

  /** `requestedAt`: the number of its request. Without one, as in a stream, an entity counts as old as what it replaces. */
  save(received: Entity, requestedAt = this.#known.get(received.id)?.requestedAt ?? 0): void {
    const shown = this.#actions
      .filter(({ id, endedAt }) => id === received.id && endedAt > requestedAt)
      .reduce((entity, { change }) => change(entity), received)
    this.#known.set(received.id, { received, requestedAt, shown })
    this.#notify(received.id)
  }

  /** Saves a part of a known entity that the server has sent. */
  update(id: string, change: (received: Entity) => Entity): void {
    const known = this.#known.get(id)
    if (known) this.save(change(known.received))
  }

  /**
   * Changes an entity by an action that `send` sends, at once. If the server refuses it, the change is taken back.
   * `change` returns an entity that has the result already as it is, and may use what `send` has received.
   * @throws the error of `send`
   */
  async act(id: string, change: (entity: Entity) => Entity, send: () => Promise<unknown>): Promise<void> {
    const action: Action<Entity> = { id, change, endedAt: Number.POSITIVE_INFINITY }
    this.#actions = [...this.#actions, action].slice(-MAX_ACTIONS)
    this.#applyActions(id)
    try {
      await send()
    } catch (error) {
      this.#actions = this.#actions.filter((other) => other !== action)
      this.#applyActions(id)
      throw error
    }
    action.endedAt = takeNumber()
    this.update(id, change)
  }

  delete(id: string): void {
    this.#known.delete(id)
    this.#notify(id)
  }

  /** Calls `listener` after each change of an entity. Returns a function that ends it. */
  subscribe(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }

  #applyActions(id: string): void {
    this.update(id, (received) => received)
  }

  #notify(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }
}
