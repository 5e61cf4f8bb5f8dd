/**
 * The newest version of each entity that the client knows, by id. All views of an entity read it here, so that one change
 * reaches every copy on the screen.
 */
export class EntityStore<Entity extends { id: string }> {
  readonly #entities = new Map<string, Entity>()
  readonly #listeners = new Map<string, Set<() => void>>()

  get(id: string): Entity | undefined {
    return this.#entities.get(id)
  }

  save(entity: Entity): void {
    this.#entities.set(entity.id, entity)
    this.#notify(entity.id)
  }

  /** Changes a known entity. Returns a function that takes the change back, for an action that the server refuses. */
  patch(id: string, change: (entity: Entity) => Entity): () => void {
    const before = this.#entities.get(id)
    if (!before) return () => undefined
    this.save(change(before))
    return () => this.save(before)
  }

  delete(id: string): void {
    this.#entities.delete(id)
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

  #notify(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }
}
