import { NotFoundError } from '../../../lib/errors.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { RETENTION_DAYS } from '../../statuses/write/purge-hidden-statuses.ts'
import { REPORTED_IDS, visibleToStaff } from './visible-to-staff.ts'

interface Author {
  accountId: string
  /** The account of the member of the staff. */
  staffId: string
}

type Query = { params: Author & { media: boolean } & PageParameters; row: { id: string } }
type ReportQuery = {
  params: { accountId: string; media: boolean; reportId: string } & PageParameters
  row: { id: string }
}

const KEYSET = keysetClause('s.id')
const FILTER = `s.account_id = $accountId and s.reblog_of_id is null and ${KEYSET.where} and (not $media or exists (
  select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null))`

// A deleted status is retained only as evidence in a report or in a warning.
const RETAINED_IDS = `array(
  select unnest(r.status_ids) from reports r where r.target_account_id = $accountId::bigint
  union select unnest(w.status_ids) from account_warnings w where w.target_account_id = $accountId::bigint)`

const listAll = (order: 'descending' | 'ascending') => {
  const select = `select s.id from statuses s where ${FILTER} and ${visibleToStaff()}`
  return statement<Query>(
    `select s.id from (
       (${select} and s.deleted_at is null ${KEYSET[order]})
       union all
       (${select} and s.deleted_at is not null and s.id = any(${RETAINED_IDS}) ${KEYSET[order]})
     ) s ${KEYSET[order]}`,
  )
}
const listReported = (order: 'descending' | 'ascending') =>
  statement<ReportQuery>(
    `select s.id from statuses s where ${FILTER} and s.id = any(array(
       select unnest(r.status_ids) from reports r where r.id = $reportId and r.target_account_id = $accountId::bigint))
     ${KEYSET[order]}`,
  )

const ALL = { descending: listAll('descending'), ascending: listAll('ascending') }
const REPORTED = { descending: listReported('descending'), ascending: listReported('ascending') }

const findAccount = statement<{ params: { accountId: string } }>(`select from accounts where id = $accountId`)
const find = statement<{ params: Author & { statusId: string }; row: { id: string } }>(
  `select s.id from statuses s
   where s.id = $statusId and s.account_id = $accountId and s.reblog_of_id is null and ${visibleToStaff()}`,
)
const findMarks = statement<{
  params: { accountId: string; ids: readonly string[] }
  row: { id: string; deleted_at: Date | null; reported: boolean; restorable_until: Date | null }
}>(
  `select s.id, s.deleted_at, s.id = any(${REPORTED_IDS}) as reported,
     case when r.status_id is not null then s.deleted_at + make_interval(days => ${RETENTION_DAYS}) end as restorable_until
   from statuses s left join restorable_statuses r on r.status_id = s.id where s.id = any($ids::bigint[])`,
)

/**
 * Returns a page of the statuses of an account that the staff may see, without reblogs: ids, newest first. Includes
 * deleted ones that are retained for the staff. `media`: only statuses with media; `reportId`: only those in that
 * report.
 * @throws NotFoundError
 */
export async function listStatusesForStaff(
  read: Read,
  { page, media, reportId, ...author }: Author & { page: Page; media: boolean; reportId: string | null },
): Promise<string[]> {
  const { accountId } = author
  if ((await findAccount(read.db, { accountId })).length === 0) throw new NotFoundError()
  const keyset = pageParameters(page)
  const list = (order: 'descending' | 'ascending') =>
    reportId === null
      ? ALL[order](read.db, { ...author, media, ...keyset })
      : REPORTED[order](read.db, { accountId, media, reportId, ...keyset })
  const rows = await readKeysetPage(page, {
    descending: () => list('descending'),
    ascending: () => list('ascending'),
  })
  return rows.map((row) => row.id)
}

/** Checks that a status is by the account, and that the staff may see it. @throws NotFoundError */
export async function checkStatusForStaff(read: Read, input: Author & { statusId: string }): Promise<void> {
  if ((await find(read.db, input)).length === 0) throw new NotFoundError()
}

interface StatusMarks {
  deletedAt: Date | null
  /** Until when staff can restore the status; null if staff did not delete it. */
  restorableUntil: Date | null
  /** Whether it is in a report about its author. */
  reported: boolean
}

/** Returns the marks of statuses of an account, by their ids. */
export async function findStatusMarks(
  read: Read,
  input: { accountId: string; ids: readonly string[] },
): Promise<Map<string, StatusMarks>> {
  const rows = await findMarks(read.db, input)
  return new Map(
    rows.map(({ id, deleted_at: deletedAt, restorable_until: restorableUntil, reported }) => [
      id,
      { deletedAt, restorableUntil, reported },
    ]),
  )
}
