import type { Queryable } from '../../platform/db/connection.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'

/** Numbers of rows that were encrypted with secrets that are lost. */
export interface UnreadableData {
  /** The keys with which local accounts and the server sign. */
  keys: number
  pushSubscriptions: number
  authenticatorApps: number
  webhooks: number
}

/** The beginning of an encrypted value names the key with which it was encrypted. */
const countByBeginning = statement<{ row: { kind: string; beginning: Buffer; count: number } }>(
  `select 'keys' as kind, substring(private_key from 1 for 5) as beginning, count(*)::integer as count
   from actor_keys where private_key is not null group by 2
   union all
   select 'pushSubscriptions', substring(encrypted_token from 1 for 5), count(*)::integer
   from push_subscriptions group by 2
   union all
   select 'authenticatorApps', substring(secret from 1 for 5), count(*)::integer from totp_authenticators group by 2
   union all
   select 'webhooks', substring(encrypted_secret from 1 for 5), count(*)::integer from webhooks group by 2`,
)
const removeKeys = statement<{ params: { beginnings: readonly Buffer[] } }>(
  `delete from actor_keys
   where private_key is not null and substring(private_key from 1 for 5) = any($beginnings::bytea[])`,
)
const removePushSubscriptions = statement<{ params: { beginnings: readonly Buffer[] } }>(
  `delete from push_subscriptions where substring(encrypted_token from 1 for 5) = any($beginnings::bytea[])`,
)

type Decrypting = Pick<Secrets, 'canDecrypt'>

/** Counts what these secrets cannot decrypt. */
export async function countUnreadableData({ db }: Pick<Read, 'db'>, secrets: Decrypting): Promise<UnreadableData> {
  return (await findUnreadable(db, secrets)).data
}

/**
 * Deletes the keys and push subscriptions that these secrets cannot decrypt, for an administrator on the command line.
 * Accounts get new keys when they next need them, and apps subscribe again. Authenticator apps and webhooks stay: only
 * their users can replace these. Returns what was unreadable.
 */
export async function discardUnreadableData(tx: Tx, secrets: Decrypting): Promise<UnreadableData> {
  const { data, beginnings } = await findUnreadable(tx.db, secrets)
  await removeKeys(tx.db, { beginnings })
  await removePushSubscriptions(tx.db, { beginnings })
  if (data.keys > 0)
    await recordAuditEntry(tx, {
      by: null,
      action: 'rotate_keys',
      targetType: 'account',
      targetId: null,
      label: 'local accounts',
      details: { count: data.keys },
    })
  return data
}

async function findUnreadable(
  db: Queryable,
  { canDecrypt }: Decrypting,
): Promise<{ data: UnreadableData; beginnings: Buffer[] }> {
  const rows = (await countByBeginning(db)).filter(({ beginning }) => !canDecrypt(beginning))
  const data: UnreadableData = { keys: 0, pushSubscriptions: 0, authenticatorApps: 0, webhooks: 0 }
  for (const { kind, count } of rows) data[kind as keyof UnreadableData] += count
  return { data, beginnings: rows.map(({ beginning }) => beginning) }
}
