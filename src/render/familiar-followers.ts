import type { Read } from '../domain/context.ts'
import type { Familiar } from '../domain/relationships/familiar-followers.ts'
import type { FamiliarFollowers } from '../entities/account.ts'
import { jsonArray } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { renderAccountMap } from './accounts.ts'

/** Accounts, each with the followers that were found for it, in the order given. */
export async function renderFamiliarFollowers(
  read: Read,
  { familiar }: { familiar: readonly Familiar[] },
): Promise<Json<FamiliarFollowers>[]> {
  const map = await renderAccountMap(read, { ids: familiar.flatMap((one) => one.followerIds) })
  return familiar.map(({ id, followerIds }) => {
    const accounts = followerIds.map((one) => map.get(one)).filter((account) => account !== undefined)
    return `{"id":"${id}","accounts":${jsonArray(accounts)}}` as Json<FamiliarFollowers>
  })
}
