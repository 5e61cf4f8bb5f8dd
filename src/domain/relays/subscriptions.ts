import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** SQL: the host of the inbox of the relay `r`, which is also that of its actor. */
const HOST = `lower(substring(r.inbox_url from '^https://([^/?#:]+)'))`

/** SQL condition: the server subscribes to a relay on this host, which has accepted. */
export const isRelayHost = (host: string): string =>
  `exists (select from relays r where r.state = 'accepted' and ${HOST} = ${host})`

const findHost = statement<{ params: { host: string }; row: { is_relay: boolean }; notNull: 'is_relay' }>(
  `select ${isRelayHost('$host')} as is_relay`,
)
const listInboxes = statement<{ row: { inbox_url: string } }>(
  `select inbox_url from relays where state = 'accepted' order by id`,
)
const find = statement<{ params: { id: string }; row: { inbox_url: string } }>(
  `select inbox_url from relays where id = $id and state = 'pending'`,
)
const answer = statement<{ params: { id: string; host: string; state: string } }>(
  `update relays r set state = $state where id = $id and state <> 'idle' and ${HOST} = $host`,
)

/** Returns whether a host is that of a relay that has accepted this server. */
export async function isRelay(read: Read, { host }: { host: string }): Promise<boolean> {
  return (await findHost(read.db, { host })).some((row) => row.is_relay)
}

/** Returns the inboxes of the relays that have accepted this server. */
export async function listRelayInboxes(read: Read): Promise<string[]> {
  return (await listInboxes(read.db)).map((row) => row.inbox_url)
}

/** Returns the inbox of a relay that has not answered yet; null if there is no such relay. */
export async function findPendingRelay(read: Read, { id }: { id: string }): Promise<string | null> {
  return (await find(read.db, { id }))[0]?.inbox_url ?? null
}

/** Records the answer of a relay. Another host than its own has no effect. */
export async function answerSubscription(
  tx: Tx,
  { id, host, state }: { id: string; host: string; state: 'accepted' | 'rejected' },
): Promise<void> {
  await answer(tx.db, { id, host, state })
}
