import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { appealDeadlineOf } from './appeal-deadline.ts'
import type { AppealState } from './appeal-deadline.ts'
import type { WarningAction } from '../accounts/warn-account.ts'

const KEYSET = keysetClause('w.id')
const WHERE = `w.target_account_id = $accountId and ${KEYSET.where}`

interface StrikeQuery {
  params: { accountId: string } & PageParameters
  row: { id: string }
}

const listDescending = statement<StrikeQuery>(`select w.id from account_warnings w where ${WHERE} ${KEYSET.descending}`)
const listAscending = statement<StrikeQuery>(`select w.id from account_warnings w where ${WHERE} ${KEYSET.ascending}`)
const findAccount = statement<{ params: { accountId: string } }>(`select from accounts where id = $accountId`)

/** Returns the ids of a page of strikes against an account, newest first. @throws NotFoundError */
export async function listStrikes(
  read: Read,
  { accountId, page }: { accountId: string; page: Page },
): Promise<string[]> {
  const params = { accountId, ...pageParameters(page) }
  const rows = await readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
  if (rows.length === 0 && (await findAccount(read.db, { accountId })).length === 0) throw new NotFoundError()
  return rows.map((row) => row.id)
}

interface StrikeRow {
  id: string
  action: WarningAction
  text: string
  status_ids: string[] | null
  created_at: Date
  overruled: boolean
  appeal: { text: string; state: AppealState } | null
}

/** A strike as its account sees it: without the moderator and the report. */
export interface OwnStrike extends Omit<StrikeRow, 'status_ids' | 'created_at'> {
  statusIds: readonly string[]
  createdAt: Date
  /** Until when the user can appeal. */
  appealDeadline: Date
}

const findOwn = statement<{ params: { accountId: string; ids: readonly string[] }; row: StrikeRow }>(
  `select w.id, w.action, w.text, w.status_ids, w.created_at, w.overruled_at is not null as overruled,
     case when a.id is not null then jsonb_build_object('text', a.text, 'state', a.state) end as appeal
   from account_warnings w left join appeals a on a.warning_id = w.id
   where w.target_account_id = $accountId and w.id = any($ids::bigint[]) order by w.id desc`,
)

/** Returns strikes of the account itself by their ids, newest first. Leaves out those of other accounts. */
export async function findOwnStrikes(
  read: Read,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<OwnStrike[]> {
  if (ids.length === 0) return []
  const rows = await findOwn(read.db, { accountId, ids })
  return rows.map(({ status_ids: statusIds, created_at: createdAt, ...row }) => ({
    ...row,
    statusIds: statusIds ?? [],
    createdAt,
    appealDeadline: appealDeadlineOf({ createdAt }),
  }))
}

/** Returns one strike of the account itself. @throws NotFoundError */
export async function getOwnStrike(
  read: Read,
  { accountId, strikeId }: { accountId: string; strikeId: string },
): Promise<OwnStrike> {
  const [strike] = isId(strikeId) ? await findOwnStrikes(read, { accountId, ids: [strikeId] }) : []
  if (!strike) throw new NotFoundError()
  return strike
}

/** A status that a strike is about, as its author sees it. */
export interface StrikePost {
  /** null: the status has no page, or it cannot be opened. */
  url: string | null
  text: string
  warning: string
  /** How many files are attached. */
  media: number
  deleted: boolean
  createdAt: Date
}

const findPosts = statement<{ params: { accountId: string; statusIds: readonly string[] }; row: StrikePost }>(
  `select case when s.deleted_at is null and a.suspended_at is null and not s.local_only
       and s.visibility in ('public', 'unlisted') then s.url end as url,
     s.text, s.spoiler_text as warning, s.deleted_at is not null as deleted, s.created_at as "createdAt",
     (select count(*)::int from media_attachments m where m.status_id = s.id and m.withdrawn_at is null) as media
   from statuses s join accounts a on a.id = s.account_id
   where s.id = any($statusIds::bigint[]) and s.account_id = $accountId order by s.id desc`,
)

/** Returns those of the account's statuses that are stored, newest first, also deleted ones. */
export async function findStrikePosts(
  read: Read,
  { accountId, statusIds }: { accountId: string; statusIds: readonly string[] },
): Promise<StrikePost[]> {
  return statusIds.length === 0 ? [] : findPosts(read.db, { accountId, statusIds })
}
