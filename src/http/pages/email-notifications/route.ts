import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import {
  isMailType,
  MAIL_TYPES,
  readMailPreferences,
  saveMailPreferences,
  unsubscribe,
} from '../../../domain/notifications/email-notifications.ts'
import {
  readStaffMailPreferences,
  saveStaffMailPreferences,
  STAFF_MAILS,
} from '../../../domain/notifications/staff-mails.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { emailNotificationsPage, unsubscribedPage, unsubscribePage } from './template.ts'
import type { Subscription } from './template.ts'
import { paths } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { requireUser } from '../settings/own-account.ts'

/** The settings of e-mail notifications, and unsubscribing from them by the link in a mail. */
export async function emailNotifications(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.emailNotifications, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.emailNotifications })
    if (!user) return reply
    const [choice, staffMails] = await Promise.all([
      readMailPreferences(ctx, user),
      readStaffMailPreferences(ctx, user),
    ])
    const input = { choice, staffMails, saved: false }
    return sendPage(ctx, { request, reply, page: (frame) => emailNotificationsPage(frame, input) })
  })

  const checkboxes = {
    mention: Field,
    quote: Field,
    follow: Field,
    follow_request: Field,
    reblog: Field,
    favourite: Field,
    staff_report: Field,
    staff_pending: Field,
    staff_appeal: Field,
    staff_trends: Field,
  }
  api.post(
    paths.emailNotifications,
    { schema: { hide: true, body: formOf({ ...checkboxes, always: Field }) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.emailNotifications })
      if (!user) return reply
      const { body } = request
      const choice = {
        types: MAIL_TYPES.filter((kind) => body[kind] !== undefined),
        evenIfSeen: body.always !== undefined,
      }
      const enabled = STAFF_MAILS.filter((kind) => body[`staff_${kind}`] !== undefined)
      await ctx.write(async (tx) => {
        await saveMailPreferences(tx, { userId: user.userId, ...choice })
        await saveStaffMailPreferences(tx, { userId: user.userId, enabled })
      })
      const staffMails = await readStaffMailPreferences(ctx, user)
      const input = { choice, staffMails, saved: true }
      return sendPage(ctx, { request, reply, page: (frame) => emailNotificationsPage(frame, input) })
    },
  )

  const SubscriptionParams = Type.Object({ user: Field, type: Field, token: Field })

  api.get(paths.unsubscribe, { schema: { hide: true, querystring: SubscriptionParams } }, async (request, reply) => {
    const subscription = readSubscription(ctx, request.query)
    return sendPage(ctx, { request, reply, formless: true, page: (frame) => unsubscribePage(frame, subscription) })
  })

  // Mail programs post to the URL in the mail (RFC 8058); browsers send the same values in the form.
  api.post(
    paths.unsubscribe,
    { schema: { hide: true, querystring: SubscriptionParams, body: SubscriptionParams } },
    async (request, reply) => {
      const { user, kind } = readSubscription(ctx, { ...request.query, ...request.body })
      await ctx.write((tx) => unsubscribe(tx, { userId: user, kind }))
      return sendPage(ctx, { request, reply, formless: true, page: unsubscribedPage })
    },
  )
}

/** Validates the values of an unsubscribe link. @throws NotFoundError unless this server signed them */
function readSubscription(
  ctx: Ctx,
  { user = '', type = '', token = '' }: { user?: string; type?: string; token?: string },
): Subscription {
  if (!isId(user) || !isMailType(type) || !ctx.secrets.verify('unsubscribe', `${user} ${type}`, token)) {
    throw new NotFoundError()
  }
  return { user, kind: type, token }
}
