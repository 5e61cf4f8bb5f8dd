import { useEffect } from 'react'
import { api } from '../../lib/session.ts'
import type { Relationship } from '../../lib/api/entities.ts'
import { EntityStore } from '../../lib/store/entity-store.ts'
import { useEntity } from '../../lib/store/use-entity.ts'
import { RelationshipLoader } from './relationship-loader.ts'

/** How the user relates to accounts, by account id. */
export const relationshipStore = new EntityStore<Relationship>()

const loader = new RelationshipLoader(
  relationshipStore,
  async (ids) =>
    (await api().v1.accounts.relationships.fetch({ id: ids, withSuspended: true })) as unknown as Relationship[],
)

/** Returns how the user relates to an account, and loads it if it is unknown; undefined until then. */
export function useRelationship(accountId: string): Relationship | undefined {
  useEffect(() => loader.request(accountId), [accountId])
  return useEntity(relationshipStore, accountId)
}

/** Loads a relationship again, because something outside of it has changed it. */
export function refreshRelationship(accountId: string): void {
  loader.refresh(accountId)
}
