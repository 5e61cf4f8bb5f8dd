import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedRead } from '../../domain/context.ts'
import { findFamiliarFollowers } from '../../domain/relationships/follows/find-familiar-followers.ts'
import type { FamiliarFollowersRow } from '../../domain/relationships/follows/find-familiar-followers.ts'
import type { FamiliarFollowers } from '../../entities/accounts/account.ts'
import { entityJson, streamList } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from './render-accounts.ts'

/** How many accounts are read at a time. */
const BATCH = 10

/**
 * Yields the JSON of the accounts in the given order, each with its followers that the viewer follows, in parts: popular
 * accounts have hundreds of them, so that the list is neither read nor completely in memory at once.
 */
export function renderFamiliarFollowers(
  read: CachedRead,
  query: { ids: readonly string[]; viewerId: string },
): AsyncGenerator<string, void, undefined> {
  return streamList(renderParts(read, query))
}

async function* renderParts(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): AsyncGenerator<EntityJson<FamiliarFollowers>[], void, undefined> {
  const requestedIds = [...new Set(ids)]
  for (let from = 0; from < requestedIds.length; from += BATCH) {
    const familiar = await findFamiliarFollowers(read, { ids: requestedIds.slice(from, from + BATCH), viewerId })
    for (const json of await renderBatch(read, { familiar })) {
      yield [json]
      await nextTurn()
    }
  }
}

async function renderBatch(
  read: CachedRead,
  { familiar }: { familiar: readonly FamiliarFollowersRow[] },
): Promise<EntityJson<FamiliarFollowers>[]> {
  const accounts = await renderAccountMap(read, { ids: familiar.flatMap(({ followerIds }) => followerIds) })
  return familiar.map(({ id, followerIds }) =>
    entityJson<FamiliarFollowers>({
      id,
      accounts: followerIds.flatMap((followerId) => accounts.get(followerId) ?? []),
    }),
  )
}
