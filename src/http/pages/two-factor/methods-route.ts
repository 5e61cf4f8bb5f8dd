import type { FastifyReply, FastifyRequest } from 'fastify'
import { replaceRecoveryCodes } from '../../../domain/auth/two-factor/recovery-codes.ts'
import { disableTwoFactor, findSecondFactors, hasSecondFactor } from '../../../domain/auth/two-factor/second-factors.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { formOf } from '../support/form-body.ts'
import { methodsPage, recoveryCodesPage } from './methods-template.ts'
import type { MethodsInput } from './methods-template.ts'
import { requireTwoFactorUser } from './require-two-factor-user.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The list of second factors, new recovery codes, and disabling two-factor authentication. */
export async function twoFactorMethods(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.twoFactor, { schema: { hide: true } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    return user ? showMethods(ctx, { request, reply, user }) : reply
  })

  api.post(paths.disableTwoFactor, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    if (!user) return reply
    const { userId, sessionId } = user
    await ctx.write((tx) => disableTwoFactor(tx, { userId, sessionId }))
    return showMethods(ctx, { request, reply, user, done: 'disabled' })
  })

  api.post(paths.recoveryCodes, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const user = await requireTwoFactorUser(ctx, { request, reply })
    if (!user) return reply
    const { userId, sessionId } = user
    const codes = await ctx.write(async (tx) =>
      (await hasSecondFactor(tx, { userId })) ? replaceRecoveryCodes(tx, { userId, sessionId }) : null,
    )
    return codes ? showRecoveryCodes(ctx, { request, reply, codes }) : showMethods(ctx, { request, reply, user })
  })
}

/** Shows the list of second factors after an action. */
export async function showMethods(
  ctx: Ctx,
  { request, reply, user, done }: Exchange & { user: Viewer; done?: MethodsInput['done'] },
): Promise<FastifyReply> {
  const factors = await findSecondFactors(ctx, { userId: user.userId })
  const required = user.accountState === 'without_second_factor' && !factors.totp && factors.passkeys === 0
  const input = { ...factors, required, ...(done && { done }) }
  return sendPage(ctx, { request, reply, page: (frame) => methodsPage(frame, input) })
}

/** Shows new recovery codes, which are not stored in a readable form. */
export async function showRecoveryCodes(
  ctx: Ctx,
  { request, reply, codes }: Exchange & { codes: readonly string[] },
): Promise<FastifyReply> {
  return sendPage(ctx, { request, reply, page: (frame) => recoveryCodesPage(frame, { codes }) })
}
