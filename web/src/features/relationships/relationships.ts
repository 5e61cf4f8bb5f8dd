import { useEffect, useMemo } from 'react'
import { api } from '../../lib/session.ts'
import type { Relationship } from '../../lib/api/entities.ts'
import { EntityStore } from '../../lib/store/entity-store.ts'
import { useEntity } from '../../lib/store/use-entity.ts'
import { useQueued } from '../../lib/store/action-queue.ts'
import { applyAction, followAction } from './relationship-changes.ts'
import { RelationshipLoader } from './relationship-loader.ts'

/** How the user relates to accounts, by account id. */
export const relationshipStore = new EntityStore<Relationship>()

const loader = new RelationshipLoader(
  relationshipStore,
  async (ids) =>
    (await api().v1.accounts.relationships.fetch({ id: ids, withSuspended: true })) as unknown as Relationship[],
)

/**
 * Returns how the user relates to an account, and loads it if it is unknown; undefined until then. A follow that waits for
 * a network counts as done.
 */
export function useRelationship(accountId: string): Relationship | undefined {
  useEffect(() => loader.request(accountId), [accountId])
  const relationship = useEntity(relationshipStore, accountId)
  const queued = useQueued('follow', accountId)
  return useMemo(
    () => (relationship && queued ? applyAction(relationship, followAction(queued)) : relationship),
    [relationship, queued],
  )
}

/** Loads a relationship again, because something outside of it has changed it. */
export function refreshRelationship(accountId: string): void {
  loader.refresh(accountId)
}
