import type { Ctx } from '../domain/context.ts'
import { continueTermsNotification, isMailQueueFull } from '../domain/instance/notify-users-of-terms.ts'
import { findTerms } from '../domain/instance/terms-of-service.ts'
import type { TermsVersion } from '../domain/instance/terms-of-service.ts'
import { enqueueMail, enqueueMails } from '../domain/mails/enqueue-mail.ts'
import { NotFoundError } from '../lib/errors.ts'
import { formatDocument } from '../lib/html/format-document.ts'
import { raw } from '../lib/html/html.ts'
import type { Locale } from '../lib/messages/locales.ts'
import { PostponedError } from '../platform/jobs/postponed-error.ts'
import { findRecipient, localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import type { RenderedMail } from './templates/layout.ts'
import { termsMail } from './templates/terms-of-service.ts'

/** How long the notification waits for other mails. */
const WAIT_MS = 5_000

/**
 * Effect: notifies the next users of new terms of service, by mails and by the page before the web client. Each step
 * ends before the next one begins, and waits until most mails of the steps before are sent.
 */
export async function notifyOfTerms(
  ctx: Ctx,
  { effectiveDate, after }: { effectiveDate: string; after: string },
): Promise<void> {
  const write = await findWriter(ctx, effectiveDate)
  if (!write) return
  if (await isMailQueueFull(ctx)) throw new PostponedError('Many mails wait', { delayMs: WAIT_MS })
  await ctx.write(async (tx) => {
    const step = await continueTermsNotification(tx, { effectiveDate, after, hasMail: ctx.smtp !== null })
    if (!step) return
    const prefix = `terms:${effectiveDate}:${step.publishedAt.getTime()}`
    const mails = step.recipients.map((recipient) => ({
      key: `${prefix}:${recipient.userId}`,
      recipient: recipient.email,
      ...write(localeOfRecipient(ctx, recipient)),
    }))
    await enqueueMails(tx, mails)
  })
}

/** Effect: sends the mail about new terms of service to a member of the staff. */
export async function mailTermsTest(
  ctx: Ctx,
  { accountId, effectiveDate, requestId }: { accountId: string; effectiveDate: string; requestId: string },
): Promise<void> {
  const [user, write] = await Promise.all([findRecipient(ctx, { accountId }), findWriter(ctx, effectiveDate)])
  if (!user || !write) return
  const key = `terms-test:${requestId}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: user.email, ...write(user.locale) }))
}

/** Returns a function that writes the mail in a language; null if the terms have been deleted. */
async function findWriter(ctx: Ctx, effectiveDate: string): Promise<((locale: Locale) => RenderedMail) | null> {
  const terms = await findTerms(ctx, { now: ctx.now(), date: effectiveDate }).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
  if (!terms) return null
  const changelog = await formatChangelog(ctx, terms)
  const url = `${ctx.config.origin}/terms-of-service/${effectiveDate}`
  const { effective } = terms
  const written = new Map<Locale, RenderedMail>()
  return (locale) => {
    let mail = written.get(locale)
    if (!mail) {
      mail = termsMail({ locale, site: siteOf(ctx), effectiveDate, effective, changelog, url })
      written.set(locale, mail)
    }
    return mail
  }
}

async function formatChangelog({ config }: Ctx, { changelog }: TermsVersion) {
  if (changelog === '') return null
  // The formatter escapes HTML in the Markdown.
  return { text: changelog, html: raw(await formatDocument(changelog, { base: config.origin })) }
}
