import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { findHost, clearFailures } from './host-reports.ts'
import { retryDeliveries } from './retry-deliveries.ts'

const dropUndelivered = statement<{ params: { domain: string }; row: { count: number } }>(
  `with dropped as (delete from deliveries where domain = $domain and state <> 'delivered' returning id)
   select count(*)::int as count from dropped`,
)

/**
 * Retries the pending and abandoned deliveries to a host now, also to an unavailable one. Returns their number.
 * @throws NotFoundError if the host is unknown
 */
export async function retryHost(tx: Tx, { domain, by }: { domain: string; by: Actor }): Promise<number> {
  const { unavailableSince } = await findHost(tx, { domain, now: tx.now })
  if (unavailableSince) await clearFailures(tx, { domain })
  const deliveries = await retryDeliveries(tx, { domain })
  await record(tx, { by, action: 'retry', domain, deliveries })
  return deliveries
}

/** Retries the pending and abandoned deliveries to all hosts that are not unavailable. Returns their number. */
export async function retryAllHosts(tx: Tx, { by }: { by: Actor }): Promise<number> {
  const deliveries = await retryDeliveries(tx, { domain: null })
  await record(tx, { by, action: 'retry', domain: 'all', deliveries })
  return deliveries
}

/** Clears the failures of a host and starts its pending deliveries. @throws NotFoundError if the host is unknown */
export async function resetHost(tx: Tx, { domain, by }: { domain: string; by: Actor }): Promise<void> {
  await clearFailures(tx, { domain })
  await record(tx, { by, action: 'reset', domain })
}

/** Deletes the pending, rejected and abandoned deliveries to a host. @throws NotFoundError if the host is unknown */
export async function dropDeliveries(tx: Tx, { domain, by }: { domain: string; by: Actor }): Promise<void> {
  await findHost(tx, { domain, now: tx.now })
  const [dropped] = await dropUndelivered(tx.db, { domain })
  await record(tx, { by, action: 'drop', domain, deliveries: dropped!.count })
}

async function record(
  tx: Tx,
  {
    by,
    action,
    domain,
    ...details
  }: { by: Actor; action: 'retry' | 'reset' | 'drop'; domain: string; deliveries?: number },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'host', targetId: null, label: domain, details })
}
