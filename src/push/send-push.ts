import { findDeadTokens } from '../domain/auth/viewer.ts'
import type { Ctx } from '../domain/context.ts'
import { readSite } from '../domain/instance/site.ts'
import { findNotification } from '../domain/notifications/list.ts'
import { markNotificationHeard } from '../domain/notifications/mails.ts'
import { beginPush, endSubscription, finishPush, postponePush } from '../domain/push/attempt.ts'
import type { DuePush, PushFacts } from '../domain/push/attempt.ts'
import { NEWS_HOURS } from '../domain/push/plan.ts'
import { tokenPurpose } from '../domain/push/subscriptions.ts'
import type { Notification } from '../entities/notification.ts'
import { NotFound } from '../lib/errors.ts'
import { readRetryAfter } from '../lib/retry-after.ts'
import { FetchFailed, FetchRefused } from '../platform/fetch/refusals.ts'
import { encryptPush } from '../platform/push/encrypt.ts'
import { introduce } from '../platform/push/introduce.ts'
import { renderNotification } from '../render/notifications.ts'
import { pushMessage } from './message.ts'

/** A push service answers at once; one that does not keeps others waiting. */
const TIMEOUT_MS = 10_000

/** With these answers of the 400s another try may do better. */
const PASSING = new Set([408, 429])

/** What came of one try. `until`: when the push service wants to be asked again, if it says. */
type Outcome = { kind: 'arrived' } | { kind: 'never' } | { kind: 'later'; until: Date | null }

/**
 * Effect: tells one program of one notification, if its person may still see what it tells of. What the program can't
 * be told for good ends its subscription; everything else is tried again a few times, with growing pauses.
 */
export async function sendPush(ctx: Ctx, due: DuePush): Promise<void> {
  const begun = await ctx.write((tx) => beginPush(tx, due))
  if (!begun) return
  const notification = await findNews(ctx, { notificationId: due.notificationId, begun })
  if (!notification) return
  const outcome = await send(ctx, { notification, begun })
  await ctx.write(async (tx) => {
    if (outcome.kind === 'arrived') {
      await finishPush(tx, due)
      await markNotificationHeard(tx, due)
    } else if (outcome.kind === 'never') await endSubscription(tx, due)
    else await postponePush(tx, { ...due, ...begun, until: outcome.until })
  })
}

/** The notification as its person would see it now; null when they would not. */
async function findNews(
  ctx: Ctx,
  { notificationId, begun: { accountId, tokenId } }: { notificationId: string; begun: PushFacts },
): Promise<Notification | null> {
  const dead = await findDeadTokens(ctx, { tokenIds: [tokenId] })
  if (dead.length > 0) return null
  const row = await findNotification(ctx, { id: notificationId, accountId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  const rendered = row === null ? undefined : await renderNotification(ctx, { row, viewerId: accountId })
  return rendered === undefined ? null : (JSON.parse(rendered) as Notification)
}

async function send(
  ctx: Ctx,
  { notification, begun }: { notification: Notification; begun: PushFacts },
): Promise<Outcome> {
  const { endpoint, p256dh, auth, standard, sealedToken, tokenId, locale } = begun
  const token = ctx.secrets.decrypt(tokenPurpose(tokenId), sealedToken).toString('utf8')
  const message = pushMessage({ notification, token, locale, defaultLocale: ctx.config.defaultLocale })
  const { body, headers } = encryptPush(message, { keys: { p256dh, auth }, standard })
  const { contactEmail } = await readSite(ctx)
  const contact = contactEmail === '' ? ctx.config.origin : `mailto:${contactEmail}`
  const own = introduce(ctx.secrets, { endpoint, contact, now: ctx.now(), standard })
  const keys = [headers['crypto-key'], own['crypto-key']].filter((key) => key !== undefined)
  try {
    const answer = await ctx.fetcher.request({
      method: 'POST',
      url: endpoint,
      headers: {
        'content-type': 'application/octet-stream',
        ttl: String(NEWS_HOURS * 3_600),
        urgency: 'normal',
        ...headers,
        ...own,
        ...(keys.length > 0 && { 'crypto-key': keys.join(';') }),
      },
      body,
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
    })
    return judge(answer, { now: ctx.now() })
  } catch (err) {
    if (err instanceof FetchRefused) return { kind: 'never' }
    if (err instanceof FetchFailed) return { kind: 'later', until: null }
    throw err
  }
}

function judge(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  { now }: { now: Date },
): Outcome {
  if (status >= 200 && status < 300) return { kind: 'arrived' }
  if (status >= 400 && status < 500 && !PASSING.has(status)) return { kind: 'never' }
  return { kind: 'later', until: readRetryAfter(headers['retry-after'], { now }) }
}
