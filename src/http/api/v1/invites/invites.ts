import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findStaffMember } from '../../../../domain/access/permissions.ts'
import type { StaffMember } from '../../../../domain/access/permissions.ts'
import { readRegistrationsModeFor } from '../../../../domain/accounts/registration/read-registrations-mode.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { findInvite } from '../../../../domain/invites/find-invite.ts'
import { listInvites } from '../../../../domain/invites/list-invites.ts'
import { createInvite, expireOwnInvite, requireInviter } from '../../../../domain/invites/write-invite.ts'
import { Invite, InviteCode } from '../../../../entities/accounts/invite.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ForbiddenError, NotFoundError, UnauthorizedError } from '../../../../lib/errors.ts'
import { ADMIN_PAGE } from '../../../../lib/page.ts'
import { renderInvite } from '../../../../render/accounts/render-invites.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { inviteInputOf, InviteBody } from './invite-params.ts'

const CodeParams = Type.Object({ code: Type.String() })

/** Linnet's own: GET and POST /api/v1/invites, DELETE /api/v1/invites/:id. Mastodon: GET /api/v1/invites/:code */
export async function invites(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['invites']
  const inviterOf = async (request: FastifyRequest): Promise<StaffMember> => {
    const inviter = await findStaffMember(ctx, { userId: viewerOf(request).userId })
    if (!inviter) throw new ForbiddenError()
    return inviter
  }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View your invites',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Invite)) },
      },
    },
    async (request, reply): Promise<Invite[]> => {
      const inviter = await inviterOf(request)
      requireInviter(inviter)
      const page = readPage(request.query, ADMIN_PAGE)
      const { userId } = inviter
      const rows = await listInvites(ctx, { userId, state: null, now: ctx.now(), page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map(({ id }) => id), page, style: 'list' })
      return rows.map((row) => renderInvite(ctx.config, row))
    },
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create an invite', body: InviteBody, response: { 200: ref(Invite) } } },
    async (request) => {
      const input = { ...inviteInputOf(request.body), by: await inviterOf(request) }
      return renderInvite(ctx.config, await ctx.write((tx) => createInvite(tx, input)))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Let your invite expire, which stays in the list',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const by = await inviterOf(request)
      await ctx.write((tx) => expireOwnInvite(tx, { id: request.params.id, by }))
      return {}
    },
  )

  api.get(
    '/:code',
    {
      schema: {
        tags,
        summary: 'Check an invite',
        params: CodeParams,
        response: { 200: ref(InviteCode) },
      },
    },
    async (request) => checkInvite(ctx, { code: request.params.code, ip: request.clientIp }),
  )
}

/**
 * Returns a valid invite for an application.
 * @throws NotFoundError; UnauthorizedError for an invite that is not valid any more; ForbiddenError if the address may
 *   not sign up
 */
export async function checkInvite(ctx: Ctx, { code, ip }: { code: string; ip: string }): Promise<InviteCode> {
  const invite = await findInvite(ctx, { code, now: ctx.now() })
  if (invite === 'unknown') throw new NotFoundError()
  if (invite === 'invalid') throw new UnauthorizedError('This invite is not valid')
  if ((await readRegistrationsModeFor(ctx, { ip, invite })) === 'none') throw new ForbiddenError()
  return { invite_code: invite.code, instance_api_url: `${ctx.config.origin}/api/v2/instance` }
}
