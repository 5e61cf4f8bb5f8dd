import type { CachedRead } from '../../domain/context.ts'
import type { InviteRow } from '../../domain/invites/list-invites.ts'
import type { AdminInvite, Invite } from '../../entities/accounts/invite.ts'
import { entity, entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import type { Config } from '../../platform/config/config.ts'
import { renderAccountMap } from './render-accounts.ts'

export function renderInvite(config: Config, invite: InviteRow): Invite {
  const { id, code, max_uses, uses, autofollow, comment } = invite
  return entity<Invite>({
    id,
    code,
    url: `${config.origin}/invite/${code}`,
    max_uses,
    uses,
    expires_at: invite.expires_at?.toISOString() ?? null,
    autofollow,
    comment,
    created_at: invite.created_at.toISOString(),
  })
}

/** Returns invites with the accounts of the inviters, in the given order. */
export async function renderAdminInvites(
  read: CachedRead,
  { invites }: { invites: readonly InviteRow[] },
): Promise<EntityJson<AdminInvite>[]> {
  const accounts = await renderAccountMap(read, { ids: [...new Set(invites.map((invite) => invite.account_id))] })
  return invites.flatMap((invite) => {
    const account = accounts.get(invite.account_id)
    if (account === undefined) return []
    return [entityJson<AdminInvite>({ ...renderInvite(read.config, invite), account })]
  })
}
