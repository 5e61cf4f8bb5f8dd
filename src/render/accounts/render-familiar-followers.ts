import type { CachedRead } from '../../domain/context.ts'
import type { Familiar } from '../../domain/relationships/familiar-followers.ts'
import type { FamiliarFollowers } from '../../entities/account.ts'
import { entityJson } from '../../lib/entity-json.ts'
import type { EntityJson } from '../../lib/entity-json.ts'
import { renderAccountMap } from './render-accounts.ts'

/** Returns accounts in the order given, each with the followers of it whom the viewer follows. */
export async function renderFamiliarFollowers(
  read: CachedRead,
  { familiar }: { familiar: readonly Familiar[] },
): Promise<EntityJson<FamiliarFollowers>[]> {
  const accounts = await renderAccountMap(read, { ids: familiar.flatMap(({ followerIds }) => followerIds) })
  return familiar.map(({ id, followerIds }) =>
    entityJson<FamiliarFollowers>({ id, accounts: followerIds.flatMap((one) => accounts.get(one) ?? []) }),
  )
}
