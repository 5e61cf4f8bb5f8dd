import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const insert = statement<{ params: { uri: string; ownerUri: string; now: Date; isLocal: boolean } }>(
  `insert into tombstones (uri, owner_uri, created_at, is_local) values ($uri, $ownerUri, $now, $isLocal)
   on conflict (uri, owner_uri) do update set created_at = excluded.created_at`,
)
const find = statement<{ params: { uri: string; ownerUri: string; since: Date | null } }>(
  `select from tombstones where uri = $uri and owner_uri = $ownerUri
     and ($since::timestamptz is null or created_at > $since)`,
)
const remove = statement<{ params: { uri: string; ownerUri: string } }>(
  `delete from tombstones where uri = $uri and owner_uri = $ownerUri`,
)
const findUri = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId`,
)

interface Tombstone {
  uri: string
  /**
   * The URI of the actor that deleted it. Deletions of the same URI by other actors are separate, and have no effect on
   * it.
   */
  ownerUri: string
}

/**
 * Records the deletion or undo of an object, also of one that was never received: it may still be in transit.
 * Tombstones of remote objects are pruned after 30 days.
 */
export async function recordTombstone(tx: Tx, { uri, ownerUri }: Tombstone): Promise<void> {
  await insert(tx.db, { uri, ownerUri, now: tx.now, isLocal: ownerUri.startsWith(`${tx.config.origin}/`) })
}

/** Returns whether the owner deleted an object; `since`: only if after that time. */
export async function hasTombstone(tx: Tx, { uri, ownerUri, since }: Tombstone & { since?: Date }): Promise<boolean> {
  const rows = await find(tx.db, { uri, ownerUri, since: since ?? null })
  return rows.length > 0
}

/**
 * How long an undo applies to an interaction that arrives later. Some servers reuse the ids of interactions after that.
 */
const UNDO_RETENTION_HOURS = 6
const HOUR_MS = 3_600_000

interface Interaction {
  /** The URI of the activity. */
  uri: string
  /** The account that interacted. */
  accountId: string
}

/** Records the undo of an interaction, which may arrive after it or again. */
export async function recordUndo(tx: Tx, { uri, accountId }: Interaction): Promise<void> {
  const [owner] = await findUri(tx.db, { accountId })
  if (owner) await recordTombstone(tx, { uri, ownerUri: owner.uri })
}

/** Returns whether an interaction was undone already. */
export async function isUndone(tx: Tx, { uri, accountId }: Interaction): Promise<boolean> {
  const [owner] = await findUri(tx.db, { accountId })
  const since = new Date(tx.now.getTime() - UNDO_RETENTION_HOURS * HOUR_MS)
  return owner !== undefined && (await hasTombstone(tx, { uri, ownerUri: owner.uri, since }))
}

/** Deletes a tombstone, because the owner created the object again. */
export async function removeTombstone(tx: Tx, { uri, ownerUri }: Tombstone): Promise<void> {
  await remove(tx.db, { uri, ownerUri })
}
