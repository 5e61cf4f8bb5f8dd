import type { FastifyReply, FastifyRequest } from 'fastify'
import { addPasskey, listPasskeys, removePasskey } from '../../../domain/auth/two-factor/passkeys.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readInstanceInformation } from '../../../domain/instance/instance-information.ts'
import { ValidationError } from '../../../lib/errors.ts'
import { findPageAccount, sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { creationOptionsFor } from '../support/passkey-options.ts'
import { showRecoveryCodes } from './methods-route.ts'
import { passkeysPage } from './passkeys-template.ts'
import type { PasskeysInput } from './passkeys-template.ts'
import { requireTwoFactorUser } from './require-two-factor-user.ts'

/** The list of passkeys, adding and removing them. */
export async function passkeys(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.passkeys, { schema: { hide: true } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    return user ? showPasskeys(ctx, { request, reply, user }) : reply
  })

  api.post(
    paths.passkeys,
    { schema: { hide: true, body: formOf({ nickname: Field, credential: Field }) } },
    async (request, reply) => {
      const user = await requireTwoFactorUser(ctx, { request, reply })
      if (!user) return reply
      const { userId, sessionId } = user
      const { nickname = '', credential = '', csrf = '' } = request.body
      try {
        const codes = await addPasskey(ctx, { userId, sessionId, csrf, credential, nickname })
        if (codes) return await showRecoveryCodes(ctx, { request, reply, codes })
        return await showPasskeys(ctx, { request, reply, user, done: 'added' })
      } catch (err) {
        if (!(err instanceof ValidationError)) throw err
        return showPasskeys(ctx, { request, reply: reply.code(422), user, value: nickname, errors: err.fields })
      }
    },
  )

  api.post(paths.removePasskey, { schema: { hide: true, body: formOf({ id: Field }) } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    if (!user) return reply
    const { userId, sessionId } = user
    const { id = '' } = request.body
    await ctx.write((tx) => removePasskey(tx, { userId, sessionId, id }))
    return showPasskeys(ctx, { request, reply, user, done: 'removed' })
  })
}

async function showPasskeys(
  ctx: Ctx,
  {
    request,
    reply,
    user: { userId, accountId },
    ...input
  }: { request: FastifyRequest; reply: FastifyReply; user: Viewer } & Omit<PasskeysInput, 'passkeys' | 'options'>,
): Promise<FastifyReply> {
  const [listed, { handle }, { title }] = await Promise.all([
    listPasskeys(ctx, { userId }),
    findPageAccount(ctx, { accountId }),
    readInstanceInformation(ctx),
  ])
  const options = await creationOptionsFor(ctx, { userId, username: handle, site: title })
  const facts = { passkeys: listed, options }
  const page = (frame: Parameters<typeof passkeysPage>[0]) => passkeysPage(frame, { ...facts, ...input })
  return sendPage(ctx, { request, reply, withPasskeys: true, page })
}
