import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { isAvailable } from './find-invite.ts'

export interface InviteRow {
  id: string
  code: string
  /** The account of the inviter. */
  account_id: string
  max_uses: number | null
  uses: number
  expires_at: Date | null
  autofollow: boolean
  comment: string
  created_at: Date
}

/** `available`: neither expired nor used up; `expired`: the others. null: all. */
export type InviteState = 'available' | 'expired'

interface InviteQuery {
  params: { userId: string | null; state: InviteState | null; now: Date } & PageParameters
  row: InviteRow
}

export const INVITE_COLUMNS = `i.id, i.code, u.account_id, i.max_uses, i.uses, i.expires_at, i.autofollow, i.comment,
  i.created_at`

const KEYSET = keysetClause('i.id')
const FROM = `from invites i join users u on u.id = i.user_id
  where ($userId::bigint is null or i.user_id = $userId)
  and ($state::text is null or ($state = 'available') = ${isAvailable}) and ${KEYSET.where}`

const listDescending = statement<InviteQuery>(`select ${INVITE_COLUMNS} ${FROM} ${KEYSET.descending}`)
const listAscending = statement<InviteQuery>(`select ${INVITE_COLUMNS} ${FROM} ${KEYSET.ascending}`)

/** Returns a page of invites, newest first. `userId`: those of one inviter; null: all. */
export async function listInvites(
  read: Read,
  { userId, state, now, page }: { userId: string | null; state: InviteState | null; now: Date; page: Page },
): Promise<InviteRow[]> {
  const params = { userId, state, now, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}
