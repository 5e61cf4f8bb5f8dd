import type { CachedRead } from '../../domain/context.ts'
import type { FamiliarFollowersRow } from '../../domain/relationships/follows/find-familiar-followers.ts'
import type { FamiliarFollowers } from '../../entities/accounts/account.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from './render-accounts.ts'

/** Returns accounts in the given order, each with its followers that the viewer follows. */
export async function renderFamiliarFollowers(
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
