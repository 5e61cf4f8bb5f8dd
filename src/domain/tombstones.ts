import { statement } from '../platform/db/statement.ts'
import type { Tx } from './context.ts'

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

interface Grave {
  uri: string
  /** Who took it away. What somebody else takes away under this address is no concern of theirs. */
  ownerUri: string
}

/**
 * Remembers that something is gone or was taken back, also what never came: it may be on its way. Of other servers that
 * lasts 30 days.
 */
export async function bury(tx: Tx, { uri, ownerUri }: Grave): Promise<void> {
  await insert(tx.db, { uri, ownerUri, now: tx.now, isLocal: ownerUri.startsWith(`${tx.config.origin}/`) })
}

/** Whether its owner took something away; `since`: not longer ago than that. */
export async function isBuried(tx: Tx, { uri, ownerUri, since }: Grave & { since?: Date }): Promise<boolean> {
  const rows = await find(tx.db, { uri, ownerUri, since: since ?? null })
  return rows.length > 0
}

/** A deed's id may be used again by some servers, so what was taken back before it came is remembered for so long. */
const DEEDS_FOR_HOURS = 6
const HOUR_MS = 3_600_000

interface Deed {
  /** Of the activity. */
  uri: string
  /** Whose deed it is. */
  accountId: string
}

/** Remembers that a deed was taken back: it may come only now, or again. */
export async function buryDeed(tx: Tx, { uri, accountId }: Deed): Promise<void> {
  const [owner] = await findUri(tx.db, { accountId })
  if (owner) await bury(tx, { uri, ownerUri: owner.uri })
}

/** Whether a deed was taken back already. */
export async function isBuriedDeed(tx: Tx, { uri, accountId }: Deed): Promise<boolean> {
  const [owner] = await findUri(tx.db, { accountId })
  const since = new Date(tx.now.getTime() - DEEDS_FOR_HOURS * HOUR_MS)
  return owner !== undefined && (await isBuried(tx, { uri, ownerUri: owner.uri, since }))
}

/** Forgets that something was gone: its owner has it again. */
export async function exhume(tx: Tx, { uri, ownerUri }: Grave): Promise<void> {
  await remove(tx.db, { uri, ownerUri })
}
