import type { FastifyReply, FastifyRequest } from 'fastify'
import { findStaffMember } from '../../../domain/access/permissions.ts'
import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { listInvites } from '../../../domain/invites/list-invites.ts'
import type { InviteRow } from '../../../domain/invites/list-invites.ts'
import { createInvite, expireOwnInvite, requireInviter } from '../../../domain/invites/write-invite.ts'
import { UnprocessableError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { renderInvite } from '../../../render/accounts/render-invites.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { paths } from '../paths.ts'
import { codeOf, requireUser } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { paginatePosts, PostsQuery } from '../support/paginate-posts.ts'
import { EXPIRY_SECONDS, invitesPage, MAX_USES } from './template.ts'
import type { InvitesInput } from './template.ts'

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

const InviteForm = formOf({ max_uses: Field, expires_in: Field, autofollow: Field, comment: Field })

/** The invites of a user (Mastodon: /invites). */
export async function invites(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.invites, { schema: { hide: true, querystring: PostsQuery } }, async (request, reply) => {
    const inviter = await inviterOf(ctx, { request, reply })
    return inviter ? showInvites(ctx, { request, reply, inviter, query: request.query }) : reply
  })

  api.post(paths.invites, { schema: { hide: true, body: InviteForm } }, async (request, reply) => {
    const inviter = await inviterOf(ctx, { request, reply })
    if (!inviter) return reply
    const { max_uses: maxUses = '', expires_in: expiresIn = '', autofollow, comment = '' } = request.body
    const values = { maxUses, expiresIn, autofollow: autofollow !== undefined, comment }
    const result = await create(ctx, { inviter, values })
    if ('errors' in result)
      return showInvites(ctx, { request, reply: codeOf(reply, result.errors), inviter, values, ...result })
    return showInvites(ctx, { request, reply, inviter, created: renderInvite(ctx.config, result.invite).url })
  })

  api.post(paths.expireInvite, { schema: { hide: true, body: formOf({ id: Field }) } }, async (request, reply) => {
    const inviter = await inviterOf(ctx, { request, reply })
    if (!inviter) return reply
    await ctx.write((tx) => expireOwnInvite(tx, { id: request.body.id ?? '', by: inviter }))
    return showInvites(ctx, { request, reply, inviter, expired: true })
  })
}

/**
 * Returns the user who is logged in, who must be able to invite others. Otherwise returns null and redirects.
 * @throws ForbiddenError for a user without the permission
 */
async function inviterOf(ctx: Ctx, { request, reply }: Exchange): Promise<StaffMember | null> {
  const user = requireUser(request, { reply, page: paths.invites })
  if (!user) return null
  const inviter = await findStaffMember(ctx, { userId: user.userId })
  if (inviter) requireInviter(inviter)
  return inviter
}

type Values = NonNullable<InvitesInput['values']>

async function create(
  ctx: Ctx,
  { inviter, values }: { inviter: StaffMember; values: Values },
): Promise<{ invite: InviteRow } | { errors: readonly FieldError[] }> {
  const { maxUses, expiresIn, autofollow, comment } = values
  const errors = [
    ...(isChoice(MAX_USES, maxUses) ? [] : [invalid('max_uses')]),
    ...(isChoice(EXPIRY_SECONDS, expiresIn) ? [] : [invalid('expires_in')]),
  ]
  if (errors.length > 0) return { errors }
  const input = { by: inviter, maxUses: Number(maxUses), expiresInSeconds: Number(expiresIn), autofollow, comment }
  try {
    return { invite: await ctx.write((tx) => createInvite(tx, input)) }
  } catch (err) {
    if (err instanceof ValidationError) return { errors: err.fields }
    if (err instanceof UnprocessableError)
      return { errors: [{ attribute: 'form', code: 'ERR_TOO_MANY', text: err.message }] }
    throw err
  }
}

/** Whether a value is one of the choices of a select element, or its empty choice. */
function isChoice(choices: readonly number[], value: string): boolean {
  return value === '' || choices.some((choice) => String(choice) === value)
}

function invalid(attribute: string): FieldError {
  return { attribute, code: 'ERR_INVALID', text: 'is invalid' }
}

async function showInvites(
  ctx: Ctx,
  {
    request,
    reply,
    inviter: { userId },
    query = {},
    ...input
  }: Exchange & { inviter: StaffMember; query?: { max_id?: string; min_id?: string } } & Omit<
      InvitesInput,
      'invites' | 'pages'
    >,
): Promise<FastifyReply> {
  const now = ctx.now()
  const rows = new Map<string, InviteRow>()
  const { ids, pages } = await paginatePosts(query, {
    path: paths.invites,
    read: async (page) => {
      for (const row of await listInvites(ctx, { userId, state: null, now, page })) rows.set(row.id, row)
      return [...rows.keys()]
    },
  })
  const shown = ids.map((id) => {
    const row = rows.get(id)!
    const available =
      (row.expires_at === null || row.expires_at > now) && (row.max_uses === null || row.uses < row.max_uses)
    return { ...row, url: renderInvite(ctx.config, row).url, available }
  })
  return sendPage(ctx, { request, reply, page: (frame) => invitesPage(frame, { ...input, invites: shown, pages }) })
}
