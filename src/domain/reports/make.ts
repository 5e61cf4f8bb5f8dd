import { randomUUID } from 'node:crypto'
import { NotFound, ValidationFailed } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/connect.ts'
import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { insertReport } from './insert.ts'
import type { Category } from './insert.ts'

export const MAX_COMMENT_CHARACTERS = 1_000

const TAKEN = new RegExp(`^[^]{0,${MAX_COMMENT_CHARACTERS}}$`, 'u')

// $1 wanted, $2 their author, $3 who reports. Held, so that their author can't take them away unseen in between.
const holdStatuses = statement<{ id: string }>(
  `select s.id from statuses s where s.id = any($1::bigint[]) and s.account_id = $2 and ${visibleTo('$3')}
   order by s.id for key share of s`,
)
const keepCollections = statement<{ id: string }>(
  `select c.id from collections c where c.id = any($1::bigint[]) and c.account_id = $2
     and not exists (select from blocks b where b.account_id = $2 and b.target_account_id = $3) order by c.id`,
)
const keepRules = statement<{ id: string }>(
  `select id from rules where id = any($1::bigint[]) and deleted_at is null order by id`,
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
 * Somebody here tells the moderators of somebody. What is not by them, or not shown to who tells, is left out without a
 * word, and so are rules that there are not. Rules make it a violation, and there is none without. Returns its id.
 * @throws NotFound for nobody, and for somebody who is suspended · ValidationFailed for a comment that is too long
 */
export async function makeReport(tx: Tx, complaint: Complaint): Promise<string> {
  const { accountId, targetAccountId, comment = '', category = 'other' } = complaint
  if (!isId(targetAccountId)) throw new NotFound()
  const target = await findAccount(tx, { id: targetAccountId })
  if (target.suspended) throw new NotFound()
  checkComment(comment)
  const wanted = (ids: readonly string[] = []) => ids.filter(isId)
  const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id)
  const statusIds = idsOf(await holdStatuses(tx.db, [wanted(complaint.statusIds), target.id, accountId]))
  const collectionIds = idsOf(await keepCollections(tx.db, [wanted(complaint.collectionIds), target.id, accountId]))
  const ruleIds = idsOf(await keepRules(tx.db, [wanted(complaint.ruleIds)]))
  const forwardTo = target.domain !== null && complaint.forward ? domainsOf(complaint, target.domain) : []
  const reportId = await insertReport(tx, {
    accountId,
    targetAccountId: target.id,
    statusIds,
    collectionIds,
    ruleIds,
    comment,
    category: ruleIds.length > 0 ? 'violation' : category === 'violation' ? 'other' : category,
    forwarded: target.domain !== null && forwardTo.includes(target.domain),
    // Nothing that others see tells how many reports there are, or who made them.
    uri: forwardTo.length > 0 ? `${tx.config.origin}/actor#flags/${randomUUID()}` : null,
  })
  if (reportId === null) throw new Error('An address that was made up a moment ago is taken')
  tx.emit('report.made', { reportId, forwardTo })
  return reportId
}

function checkComment(comment: string): void {
  if (TAKEN.test(comment)) return
  const text = `is too long (maximum is ${MAX_COMMENT_CHARACTERS} characters)`
  throw new ValidationFailed([{ attribute: 'comment', code: 'ERR_TOO_LONG', text }])
}

function domainsOf({ forwardToDomains }: Complaint, own: string): string[] {
  const named = (forwardToDomains ?? [own]).map((domain) => canonicalDomain(domain.trim(), { keepPort: true }))
  return [...new Set(named.filter((domain) => domain !== null))]
}
