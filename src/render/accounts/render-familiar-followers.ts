import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedRead } from '../../domain/context.ts'
import { findFamiliarFollowers } from '../../domain/relationships/follows/find-familiar-followers.ts'
import type { FamiliarFollowersRow } from '../../domain/relationships/follows/find-familiar-followers.ts'
import type { Account, FamiliarFollowers } from '../../entities/accounts/account.ts'
import { streamEntities, streamEntity, valueJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from './render-accounts.ts'

/** The followers of how many accounts one statement finds, and how many followers are rendered at a time. */
const BATCH = 10
const FOLLOWERS_BATCH = 100

/**
 * Yields the JSON of the accounts in the given order, each with its followers that the viewer follows, in parts: popular
 * accounts have thousands of them, so that the list is neither read nor completely in memory at once.
 */
export function renderFamiliarFollowers(
  read: CachedRead,
  query: { ids: readonly string[]; viewerId: string },
): AsyncGenerator<string, void, undefined> {
  return streamEntities(renderEach(read, query))
}

async function* renderEach(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[]; viewerId: string },
): AsyncGenerator<AsyncGenerator<string, void, undefined>, void, undefined> {
  const requestedIds = [...new Set(ids)]
  for (let from = 0; from < requestedIds.length; from += BATCH) {
    yield* renderBatch(
      read,
      await findFamiliarFollowers(read, { ids: requestedIds.slice(from, from + BATCH), viewerId }),
    )
  }
}

/** Each entity is read completely before the next one, since accounts with few followers share what is rendered. */
function* renderBatch(
  read: CachedRead,
  familiar: readonly FamiliarFollowersRow[],
): Generator<AsyncGenerator<string, void, undefined>, void, undefined> {
  const ids = familiar.flatMap(({ followerIds }) => followerIds)
  let position = 0
  let rendered: ReadonlyMap<string, EntityJson<Account>> = new Map()
  const takeAccounts = async function* (count: number): AsyncGenerator<EntityJson<Account>[], void, undefined> {
    for (const end = position + count; position < end;) {
      const batchEnd = position - (position % FOLLOWERS_BATCH) + FOLLOWERS_BATCH
      if (position % FOLLOWERS_BATCH === 0) {
        await nextTurn()
        rendered = await renderAccountMap(read, { ids: ids.slice(position, batchEnd) })
      }
      const some = ids.slice(position, Math.min(end, batchEnd))
      position += some.length
      yield some.flatMap((id) => rendered.get(id) ?? [])
    }
  }
  for (const { id, followerIds } of familiar) {
    yield streamEntity<FamiliarFollowers>({ id: valueJson<string>(id), accounts: takeAccounts(followerIds.length) })
  }
}
