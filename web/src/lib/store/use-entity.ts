import { useCallback, useSyncExternalStore } from 'react'
import type { EntityStore } from './entity-store.ts'

/** Returns the newest version of an entity, and renders again when it changes; undefined if it is unknown or deleted. */
export function useEntity<Entity extends { id: string }>(store: EntityStore<Entity>, id: string): Entity | undefined {
  const subscribe = useCallback((listener: () => void) => store.subscribe(id, listener), [store, id])
  return useSyncExternalStore(subscribe, () => store.get(id))
}
