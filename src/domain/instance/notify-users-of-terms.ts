import { randomUUID } from 'node:crypto'
import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableUser } from '../access/usable-account.ts'
import type { Ctx, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { findTerms, isIsoDate } from './terms-of-service.ts'

/** How many users one step examines. */
const BATCH_SIZE = 200

/** The steps wait while so many mails are due, so that the mails do not delay confirmations and new passwords. */
const MAX_DUE_MAILS = 100

/** The steps also wait while so many mails wait at all, because the mail server does not accept them. */
const MAX_WAITING_MAILS = 1_000

/** How many users will be notified: by mail, and by a page before the web client. */
export interface TermsRecipients {
  mails: number
  reviews: number
}

/** A user who gets a mail about new terms. */
export interface TermsRecipient {
  userId: string
  email: string
  locale: string
}

interface Version {
  publishedAt: Date
  notificationSentAt: Date | null
  notifiedUntil: string | null
}

// Mastodon: users who were active in the year before get a mail, all others see the page when they return.
const IS_MAILED = `($hasMail::boolean and ${usableUser()}
  and u.last_seen_at >= $publishedAt::timestamptz - interval '1 year')`
const KNOWN_BEFORE = `from users u join accounts a on a.id = u.account_id where u.created_at < $publishedAt::timestamptz`

const count = statement<{ params: { publishedAt: Date; hasMail: boolean }; row: TermsRecipients }>(
  `select count(*) filter (where ${IS_MAILED})::int as mails,
    count(*) filter (where not ${IS_MAILED})::int as reviews ${KNOWN_BEFORE}`,
)
const lock = statement<{ params: { effectiveDate: string }; row: Version }>(
  `select published_at as "publishedAt", notification_sent_at as "notificationSentAt",
    notified_until as "notifiedUntil"
   from terms_of_service where effective_date = $effectiveDate::text::date for update`,
)
const start = statement<{ params: { effectiveDate: string; now: Date } }>(
  `update terms_of_service set notification_sent_at = $now, notified_until = 0
   where effective_date = $effectiveDate::text::date`,
)
const advance = statement<{ params: { effectiveDate: string; until: string | null } }>(
  `update terms_of_service set notified_until = $until where effective_date = $effectiveDate::text::date`,
)
// The lock prevents that a user is deleted before the review refers to it.
const findNext = statement<{
  params: { after: string; publishedAt: Date; hasMail: boolean }
  row: TermsRecipient & { isMailed: boolean }
}>(
  `select u.id as "userId", u.email, u.locale, ${IS_MAILED} as "isMailed"
   ${KNOWN_BEFORE} and u.id > $after order by u.id limit ${BATCH_SIZE} for key share of u`,
)
const insertReviews = statement<{ params: { userIds: readonly string[]; effectiveDate: string } }>(
  `insert into terms_reviews (user_id, effective_date)
   select user_id, $effectiveDate::text::date from unnest($userIds::bigint[]) listed (user_id)
   on conflict (user_id) do update set effective_date = excluded.effective_date`,
)
const countMailJobs = statement<{ row: { due: number; waiting: number } }>(
  `select count(*) filter (where run_at <= now())::int as due, count(*)::int as waiting
   from (select run_at from jobs where name = 'sendMail' and has_attempts limit ${MAX_WAITING_MAILS}) mail_jobs`,
)

/**
 * Counts the users who would be notified of a version: all who signed up before it was published. Without a mail
 * server, nobody gets a mail. @throws NotFoundError
 */
export async function countTermsRecipients(
  ctx: Pick<Ctx, 'db' | 'config' | 'smtp' | 'now'>,
  { effectiveDate }: { effectiveDate: string },
): Promise<TermsRecipients> {
  const { publishedAt } = await findTerms(ctx, { now: ctx.now(), date: effectiveDate })
  const [counted] = await count(ctx.db, { publishedAt, hasMail: ctx.smtp !== null })
  return counted!
}

/** Requests the mail about a version to the address of a member of the staff. @throws NotFoundError */
export async function requestTermsTestMail(
  ctx: Ctx,
  { by, effectiveDate }: { by: { readonly accountId: string }; effectiveDate: string },
): Promise<void> {
  if (!ctx.smtp) throw new UnprocessableError('No mail server is configured')
  await ctx.write(async (tx) => {
    await findTerms(tx, { now: tx.now, date: effectiveDate })
    tx.emit('terms.test_requested', { accountId: by.accountId, effectiveDate, requestId: randomUUID() })
    await record(tx, { by, action: 'test', effectiveDate })
  })
}

/**
 * Notifies the users who signed up before a version was published, once. Jobs write the mails and the reviews.
 * @throws NotFoundError; UnprocessableError if they have been notified
 */
export async function notifyUsersOfTerms(
  tx: Tx,
  { by, effectiveDate }: { by: Actor; effectiveDate: string },
): Promise<void> {
  const version = await lockVersion(tx, effectiveDate)
  if (!version) throw new NotFoundError()
  if (version.notificationSentAt) throw new UnprocessableError('Users have been notified of these terms already')
  await start(tx.db, { effectiveDate, now: tx.now })
  tx.emit('terms.notification_due', { effectiveDate, after: '0' })
  await record(tx, { by, action: 'notify', effectiveDate })
}

/**
 * Continues the notification after a user id: adds the next users who see the page about the terms, and returns those
 * who get a mail. The caller writes their mails in the same transaction, so a step that runs again does nothing.
 */
export async function continueTermsNotification(
  tx: Tx,
  { effectiveDate, after, hasMail }: { effectiveDate: string; after: string; hasMail: boolean },
): Promise<{ publishedAt: Date; recipients: TermsRecipient[] } | null> {
  const version = await lockVersion(tx, effectiveDate)
  if (version?.notifiedUntil !== after) return null
  const { publishedAt } = version
  const users = await findNext(tx.db, { after, publishedAt, hasMail })
  const userIds = users.filter(({ isMailed }) => !isMailed).map(({ userId }) => userId)
  if (userIds.length > 0) await insertReviews(tx.db, { userIds, effectiveDate })
  const until = users.length < BATCH_SIZE ? null : users.at(-1)!.userId
  await advance(tx.db, { effectiveDate, until })
  if (until !== null) tx.emit('terms.notification_due', { effectiveDate, after: until })
  return { publishedAt, recipients: users.filter(({ isMailed }) => isMailed) }
}

/** Whether so many mails wait that others should be written later. */
export async function isMailQueueFull(read: Pick<Ctx, 'db'>): Promise<boolean> {
  const [jobs] = await countMailJobs(read.db)
  return jobs!.due >= MAX_DUE_MAILS || jobs!.waiting >= MAX_WAITING_MAILS
}

async function lockVersion(tx: Tx, effectiveDate: string): Promise<Version | null> {
  if (!isIsoDate(effectiveDate)) return null
  const [version] = await lock(tx.db, { effectiveDate })
  return version ?? null
}

async function record(
  tx: Tx,
  { by, action, effectiveDate }: { by: Actor; action: 'notify' | 'test'; effectiveDate: string },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'terms_of_service', targetId: null, label: effectiveDate })
}
