import { randomUUID } from 'node:crypto'
import { NotFound, ValidationFailed } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { insertReport } from './insert.ts'
import type { Category } from './insert.ts'

export const MAX_COMMENT_CHARACTERS = 1_000

const UNKNOWN_RULES: FieldError = { attribute: 'rule_ids', code: 'ERR_INVALID', text: 'does not reference valid rules' }

const TAKEN = new RegExp(`^[^]{0,${MAX_COMMENT_CHARACTERS}}$`, 'u')

// Locks the statuses, so that their author cannot delete them in the meantime.
const holdStatuses = statement<{
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
// Also rules that were withdrawn: an app may show them for a while.
const findRules = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select id from rules where id = any($ids::bigint[]) order by id`,
)

interface Complaint {
  accountId: string
  targetAccountId: string
  statusIds?: readonly string[]
  collectionIds?: readonly string[]
  ruleIds?: readonly string[]
  comment?: string
  category?: Category | undefined
  /** Whether other servers are told, too, without saying by whom. */
  forward?: boolean
  /** Which; without it, that of whom it is about. The others hear of it where somebody of theirs was answered. */
  forwardToDomains?: readonly string[] | undefined
}

/**
 * Records a report of a local user and returns its id. The category stays as it was sent, but rules make it `violation`.
 * @throws NotFound for an unknown or suspended account, and when a status or a collection is not by that account or
 * hidden from the reporter · ValidationFailed for unknown rules and for a comment that is too long
 */
export async function makeReport(tx: Tx, complaint: Complaint): Promise<string> {
  const { accountId, targetAccountId, comment = '', category = 'other' } = complaint
  if (!isId(targetAccountId)) throw new NotFound()
  const target = await findAccount(tx, { id: targetAccountId })
  if (target.suspended) throw new NotFound()
  const statusIds = await findAll(complaint.statusIds, (ids) =>
    holdStatuses(tx.db, { ids, targetId: target.id, accountId }),
  )
  const collectionIds = await findAll(complaint.collectionIds, (ids) =>
    findCollections(tx.db, { ids, targetId: target.id, accountId }),
  )
  const ruleIds = await findAll(complaint.ruleIds, (ids) => findRules(tx.db, { ids }))
  if (!statusIds || !collectionIds) throw new NotFound()
  const errors = [...checkComment(comment), ...(ruleIds ? [] : [UNKNOWN_RULES])]
  if (!ruleIds || errors.length > 0) throw new ValidationFailed(errors)
  const forwardTo = target.domain !== null && complaint.forward ? domainsOf(complaint, target.domain) : []
  const reportId = await insertReport(tx, {
    accountId,
    targetAccountId: target.id,
    statusIds,
    collectionIds,
    ruleIds,
    comment,
    category: ruleIds.length > 0 ? 'violation' : category,
    forwarded: target.domain !== null && forwardTo.includes(target.domain),
    // Nothing that others see tells how many reports there are, or who made them.
    uri: forwardTo.length > 0 ? `${tx.config.origin}/actor#flags/${randomUUID()}` : null,
  })
  if (reportId === null) throw new Error('An address that was made up a moment ago is taken')
  tx.emit('report.made', { reportId, forwardTo })
  return reportId
}

/** Returns the ids that a statement finds, or null unless it finds each id that was sent. */
async function findAll(
  sent: readonly string[] = [],
  find: (ids: string[]) => Promise<readonly { id: string }[]>,
): Promise<string[] | null> {
  const ids = [...new Set(sent)]
  if (!ids.every(isId)) return null
  const rows = ids.length === 0 ? [] : await find(ids)
  return rows.length === ids.length ? rows.map(({ id }) => id) : null
}

function checkComment(comment: string): FieldError[] {
  if (TAKEN.test(comment)) return []
  const text = `is too long (maximum is ${MAX_COMMENT_CHARACTERS} characters)`
  return [{ attribute: 'comment', code: 'ERR_TOO_LONG', text }]
}

function domainsOf({ forwardToDomains }: Complaint, own: string): string[] {
  const named = (forwardToDomains ?? [own]).map((domain) => canonicalDomain(domain.trim(), { keepPort: true }))
  return [...new Set(named.filter((domain) => domain !== null))]
}
