import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminInvite } from '../../../lib/api/admin-entities.ts'
import { listQuery } from '../shared/list/list-query.ts'

export const INVITE_STATES = ['available', 'expired'] as const
export type InviteState = (typeof INVITE_STATES)[number]

/** What can be chosen for a new invite. 0 uses: any number; 0 seconds: it never expires. */
export interface NewInvite {
  maxUses: number
  expiresIn: number
  autofollow: boolean
  comment: string
}

export const invitesQuery = (state: InviteState) =>
  listQuery(['invites', state], async (page) => (await adminApi('invites').fetch({ ...page, state })) as AdminInvite[])

export async function createInvite(invite: NewInvite): Promise<AdminInvite> {
  return (await adminApi('invites').create(invite)) as AdminInvite
}

/** Lets an invite expire. It stays in the list of those. */
export async function expireInvite(id: string): Promise<void> {
  await adminApi('invites', id).remove()
}

export async function expireAllInvites(): Promise<void> {
  await adminApi('invites', 'deactivate_all').create()
}
