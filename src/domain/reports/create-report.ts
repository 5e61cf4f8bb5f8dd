import { randomUUID } from 'node:crypto'
import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/lookup/find-account.ts'
import type { Tx } from '../context.ts'
import { visibleTo } from '../access/visibility.ts'
import { findRules, UNKNOWN_RULES } from './check-rules.ts'
import { insertReport } from './insert-report.ts'
import type { ReportCategory } from './insert-report.ts'

export const MAX_COMMENT_CHARACTERS = 1_000

const ALLOWED_COMMENT = new RegExp(`^[^]{0,${MAX_COMMENT_CHARACTERS}}$`, 'u')

// Locks the statuses, so that their author cannot delete them in the meantime.
const lockStatuses = statement<{
  params: { ids: readonly string[]; targetId: string; accountId: string }
  row: { id: string }
}>(
  `select s.id from statuses s where s.id = any($ids::bigint[]) and s.account_id = $targetId
    and ${visibleTo('$accountId')}
   order by s.id for key share of s`,
)
const findCollections = statement<{
  params: { ids: readonly string[]; targetId: string; accountId: string }
  row: { id: string }
}>(
  `select c.id from collections c where c.id = any($ids::bigint[]) and c.account_id = $targetId
     and not exists (select from blocks b where b.account_id = $targetId and b.target_account_id = $accountId)
       order by c.id`,
)

interface ReportInput {
  accountId: string
  targetAccountId: string
  statusIds?: readonly string[]
  collectionIds?: readonly string[]
  ruleIds?: readonly string[]
  comment?: string
  category?: ReportCategory | undefined
  /** Whether the report is forwarded to other servers, without naming the reporter. */
  forward?: boolean
  /**
   * The servers to forward to; by default the target's server. Another server gets the report if a reported status
   * replies to one of its accounts.
   */
  forwardToDomains?: readonly string[] | undefined
}

/**
 * Records a report by a local user and returns its id (Mastodon: POST /api/v1/reports). A report with rules always gets
 * the category `violation`.
 * @throws NotFoundError if the account is unknown or suspended, or a status or collection is not by that account or is
 *   hidden from the reporter; ValidationError for unknown rules and for a comment that is too long
 */
export async function createReport(tx: Tx, input: ReportInput): Promise<string> {
  const { accountId, targetAccountId, comment = '', category = 'other' } = input
  if (!isId(targetAccountId)) throw new NotFoundError()
  const target = await findAccount(tx, { id: targetAccountId })
  if (target.suspended) throw new NotFoundError()
  const statusIds = await findAll(input.statusIds, (ids) =>
    lockStatuses(tx.db, { ids, targetId: target.id, accountId }),
  )
  const collectionIds = await findAll(input.collectionIds, (ids) =>
    findCollections(tx.db, { ids, targetId: target.id, accountId }),
  )
  const ruleIds = await findRules(tx, { ids: input.ruleIds ?? [] })
  if (!statusIds || !collectionIds) throw new NotFoundError()
  const errors = [...checkComment(comment), ...(ruleIds ? [] : [UNKNOWN_RULES])]
  if (!ruleIds || errors.length > 0) throw new ValidationError(errors)
  const forwardTo = target.domain !== null && input.forward ? forwardDomains(input, target.domain) : []
  const reportId = await insertReport(tx, {
    accountId,
    targetAccountId: target.id,
    statusIds,
    collectionIds,
    ruleIds,
    comment,
    category: ruleIds.length > 0 ? 'violation' : category,
    forwarded: target.domain !== null && forwardTo.includes(target.domain),
    // Random, so that other servers learn neither the number of reports nor the reporter.
    uri: forwardTo.length > 0 ? `${tx.config.origin}/actor#flags/${randomUUID()}` : null,
  })
  if (reportId === null) throw new Error('The random URI of a new report exists already')
  tx.emit('report.created', { reportId, forwardTo })
  return reportId
}

/** Returns the ids that a statement finds, or null unless it finds each requested id. */
async function findAll(
  requestedIds: readonly string[] = [],
  find: (ids: string[]) => Promise<readonly { id: string }[]>,
): Promise<string[] | null> {
  const ids = [...new Set(requestedIds)]
  if (!ids.every(isId)) return null
  const rows = ids.length === 0 ? [] : await find(ids)
  return rows.length === ids.length ? rows.map(({ id }) => id) : null
}

function checkComment(comment: string): FieldError[] {
  if (ALLOWED_COMMENT.test(comment)) return []
  const text = `is too long (maximum is ${MAX_COMMENT_CHARACTERS} characters)`
  return [{ attribute: 'comment', code: 'ERR_TOO_LONG', text }]
}

function forwardDomains({ forwardToDomains }: ReportInput, targetDomain: string): string[] {
  const domains = (forwardToDomains ?? [targetDomain]).map((domain) =>
    canonicalDomain(domain.trim(), { keepPort: true }),
  )
  return [...new Set(domains.filter((domain) => domain !== null))]
}
