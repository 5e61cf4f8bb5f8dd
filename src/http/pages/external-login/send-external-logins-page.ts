import type { FastifyReply, FastifyRequest } from 'fastify'
import { listIdentities } from '../../../domain/auth/external/identities.ts'
import type { Ctx } from '../../../domain/context.ts'
import { message } from '../../../lib/messages/message.ts'
import { localeOf, sendPage } from '../../support/response/send-page.ts'
import { externalLoginsPage } from './external-logins-template.ts'

const PROBLEM_TEXTS = {
  taken: 'external.problem-taken',
  last: 'external.problem-last',
  refused: 'sign-in.external-refused',
  unreachable: 'sign-in.external-unreachable',
} as const

/** Sends the settings page that lists the external log-ins of a user. */
export async function sendExternalLoginsPage(
  ctx: Ctx,
  {
    request,
    reply,
    userId,
    problem,
  }: { request: FastifyRequest; reply: FastifyReply; userId: string; problem?: keyof typeof PROBLEM_TEXTS },
): Promise<FastifyReply> {
  const identities = await listIdentities(ctx, { userId })
  const { providers } = ctx.externalLogins
  return sendPage(ctx, {
    request,
    reply,
    ...(problem && { flash: { kind: 'alert', text: message(localeOf(ctx, request), PROBLEM_TEXTS[problem]) } }),
    page: (frame) => externalLoginsPage(frame, { providers, identities }),
  })
}
