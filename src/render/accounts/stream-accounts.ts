import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedRead } from '../../domain/context.ts'
import type { Account } from '../../entities/accounts/account.ts'
import { streamList } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccounts } from './render-accounts.ts'

/** How many accounts are rendered before other requests continue. */
const BATCH = 100

/**
 * Yields the JSON of accounts in the order of the ids, in parts, so that a list of all accounts that a user follows
 * neither delays other requests nor is completely in memory.
 */
export function streamAccounts(
  read: CachedRead,
  accounts: { ids: readonly string[] },
): AsyncGenerator<string, void, undefined> {
  return streamList(renderBatches(read, accounts))
}

async function* renderBatches(
  read: CachedRead,
  { ids }: { ids: readonly string[] },
): AsyncGenerator<EntityJson<Account>[], void, undefined> {
  for (let from = 0; from < ids.length; from += BATCH) {
    if (from > 0) await nextTurn()
    yield await renderAccounts(read, { ids: ids.slice(from, from + BATCH) })
  }
}
