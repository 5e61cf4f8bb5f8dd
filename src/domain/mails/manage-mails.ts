import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { deleteJob } from '../../platform/jobs/job-queue.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

/**
 * What happens to an unsent mail. `stored`: no job sends it, because no mail server was configured · `queued`: a job
 * will send it, or sends it now · `failed`: the mail server has rejected it, or its job has no attempts left.
 */
export type MailState = 'stored' | 'queued' | 'failed'

/** An unsent mail, without its text. */
export interface UnsentMail {
  id: string
  state: MailState
  recipient: string
  subject: string
  /** How often its job ran. */
  attempts: number
  lastError: string | null
  /** null: no job waits for an attempt. */
  nextAttemptAt: Date | null
  createdAt: Date
}

interface MailQuery {
  params: PageParameters & { state: MailState | null }
  row: UnsentMail
}

interface MailAction {
  id: string
  by: Actor
}

const IS_FAILED = 'not j.has_attempts and j.locked_at is null'
const STATE = `case when j.id is null then 'stored' when ${IS_FAILED} then 'failed' else 'queued' end`
const SELECT = `with mail_jobs as materialized (
    select distinct on (j.payload ->> 'mailId') (j.payload ->> 'mailId')::bigint as mail_id, j.* from jobs j
    where j.name = 'sendMail' order by j.payload ->> 'mailId', ${IS_FAILED}
  )
  select m.id, ${STATE} as state, m.recipient, m.subject, coalesce(j.attempts, 0)::int as attempts,
    j.last_error as "lastError", case when not (${IS_FAILED}) and j.locked_at is null then j.run_at end as "nextAttemptAt",
    m.created_at as "createdAt"
  from mails m left join mail_jobs j on j.mail_id = m.id
  where m.sent_at is null`
const KEYSET = keysetClause('m.id')
const OF_STATE = `($state::text is null or ${STATE} = $state)`

const listDescending = statement<MailQuery>(`${SELECT} and ${OF_STATE} and ${KEYSET.where} ${KEYSET.descending}`)
const listAscending = statement<MailQuery>(`${SELECT} and ${OF_STATE} and ${KEYSET.where} ${KEYSET.ascending}`)
const find = statement<{ params: { id: string }; row: UnsentMail }>(`${SELECT} and m.id = $id`)
const lock = statement<{ params: { id: string }; row: { id: string } }>(
  `select id from mails where id = $id and sent_at is null for update`,
)
const findJobs = statement<{ params: { id: string }; row: { id: string } }>(
  `select id from jobs where name = 'sendMail' and payload ->> 'mailId' = $id`,
)
const remove = statement<{ params: { id: string } }>(`delete from mails where id = $id`)

/** Returns a page of the unsent mails, newest first, without their texts. `state` null: of all states. */
export async function listMails(
  read: Read,
  { state, page }: { state: MailState | null; page: Page },
): Promise<UnsentMail[]> {
  const params = { state, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns an unsent mail without its text. @throws NotFoundError */
export async function findMail(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<UnsentMail> {
  const [mail] = isId(id) ? await find(read.db, { id }) : []
  if (!mail) throw new NotFoundError()
  return mail
}

/**
 * Sends a stored or failed mail.
 * @throws NotFoundError; UnprocessableError if a job sends it already, or if no mail server is configured
 */
export async function retryMail(ctx: Ctx, { id, by }: MailAction): Promise<void> {
  await ctx.write(async (tx) => {
    const { state } = await lockMail(tx, id)
    if (state === 'queued') throw new UnprocessableError('This mail is already queued')
    if (!ctx.smtp) throw new UnprocessableError('No mail server is configured')
    await removeJobs(tx, id)
    tx.emit('mail.enqueued', { mailId: id })
    await record(tx, { by, action: 'retry', id })
  })
}

/** Deletes an unsent mail. @throws NotFoundError; UnprocessableError while a job sends it */
export async function deleteMail(tx: Tx, { id, by }: MailAction): Promise<void> {
  await lockMail(tx, id)
  await removeJobs(tx, id)
  await remove(tx.db, { id })
  await record(tx, { by, action: 'delete', id })
}

/** Locks a mail, so that two requests do not send it twice. */
async function lockMail(tx: Tx, id: string): Promise<UnsentMail> {
  const [locked] = isId(id) ? await lock(tx.db, { id }) : []
  if (!locked) throw new NotFoundError()
  return findMail(tx, { id })
}

/** Deletes the jobs of a mail. @throws UnprocessableError while one sends it */
async function removeJobs(tx: Tx, id: string): Promise<void> {
  for (const job of await findJobs(tx.db, { id })) {
    if (!(await deleteJob(tx.db, { id: job.id }))) throw new UnprocessableError('This mail is being sent')
  }
}

async function record(tx: Tx, { by, action, id }: MailAction & { action: 'retry' | 'delete' }): Promise<void> {
  // Without the subject, which may contain names of users.
  await recordAuditEntry(tx, { by, action, targetType: 'mail', targetId: id, label: `mail ${id}` })
}
