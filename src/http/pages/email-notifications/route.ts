import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import {
  isMailKind,
  MAIL_KINDS,
  readMailChoice,
  saveMailChoice,
  unsubscribe,
} from '../../../domain/notifications/mails.ts'
import { NotFound } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Api } from '../../api.ts'
import { sendPage } from '../../support/page.ts'
import { emailNotificationsPage, unsubscribedPage, unsubscribePage } from './template.ts'
import type { Subscription } from './template.ts'
import { paths } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { ownerOf } from '../settings/own-account.ts'

/** The settings of e-mail notifications, and unsubscribing from them by the link in a mail. */
export async function emailNotifications(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.emailNotifications, { schema: { hide: true } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.emailNotifications })
    if (!owner) return reply
    const choice = await readMailChoice(ctx, owner)
    return sendPage(ctx, { request, reply, page: (frame) => emailNotificationsPage(frame, { choice, saved: false }) })
  })

  const boxes = { mention: Field, quote: Field, follow: Field, follow_request: Field, reblog: Field, favourite: Field }
  api.post(
    paths.emailNotifications,
    { schema: { hide: true, body: formOf({ ...boxes, always: Field }) } },
    async (request, reply) => {
      const owner = ownerOf(request, { reply, path: paths.emailNotifications })
      if (!owner) return reply
      const { body } = request
      const choice = { kinds: MAIL_KINDS.filter((kind) => body[kind] !== undefined), always: body.always !== undefined }
      await ctx.write((tx) => saveMailChoice(tx, { userId: owner.userId, ...choice }))
      return sendPage(ctx, { request, reply, page: (frame) => emailNotificationsPage(frame, { choice, saved: true }) })
    },
  )

  const Named = Type.Object({ user: Field, type: Field, token: Field })

  api.get(paths.unsubscribe, { schema: { hide: true, querystring: Named } }, async (request, reply) => {
    const subscription = readSubscription(ctx, request.query)
    return sendPage(ctx, { request, reply, formless: true, page: (frame) => unsubscribePage(frame, subscription) })
  })

  // A mail program posts to the address in the mail (RFC 8058), a browser sends the same values in the form.
  api.post(paths.unsubscribe, { schema: { hide: true, querystring: Named, body: Named } }, async (request, reply) => {
    const { user, kind } = readSubscription(ctx, { ...request.query, ...request.body })
    await ctx.write((tx) => unsubscribe(tx, { userId: user, kind }))
    return sendPage(ctx, { request, reply, formless: true, page: unsubscribedPage })
  })
}

/** @throws NotFound unless the values are those of a mail that this server has sent */
function readSubscription(
  ctx: Ctx,
  { user = '', type = '', token = '' }: { user?: string; type?: string; token?: string },
): Subscription {
  if (!isId(user) || !isMailKind(type) || !ctx.secrets.isSealed('unsubscribe', `${user} ${type}`, token)) {
    throw new NotFound()
  }
  return { user, kind: type, token }
}
