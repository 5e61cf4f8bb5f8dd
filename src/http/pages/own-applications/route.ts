import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OUT_OF_BAND } from '../../../domain/auth/applications.ts'
import type { ApplicationRegistration } from '../../../domain/auth/applications.ts'
import {
  createOwnApplication,
  deleteOwnApplication,
  getOwnApplication,
  listOwnApplications,
  renewSecrets,
  updateOwnApplication,
} from '../../../domain/auth/own-applications.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { codeOf, requireUser, problemsOf } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { requireRecentAuthentication } from '../support/require-recent-authentication.ts'
import { ownApplicationPage, ownApplicationPath, ownApplicationsPage } from './template.ts'
import type { ApplicationInput } from './template.ts'

const Body = formOf({
  name: Field,
  website: Field,
  redirect_uri: Field,
  scopes: Type.Optional(Type.Array(Type.String())),
})

const EMPTY: ApplicationInput = { id: null, name: '', website: null, redirectUris: OUT_OF_BAND, scopes: ['read'] }

/** The applications that the user develops (Mastodon: /settings/applications). */
export async function ownApplications(api: TypedFastify, ctx: Ctx): Promise<void> {
  const send = (request: FastifyRequest, reply: FastifyReply, input: ApplicationInput) =>
    sendPage(ctx, { request, reply, page: (frame) => ownApplicationPage(frame, input) })

  api.get(
    paths.ownApplications,
    { schema: { hide: true, querystring: Type.Object({ deleted: Field }) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.ownApplications })
      if (!user) return reply
      const input = {
        applications: await listOwnApplications(ctx, user),
        deleted: request.query.deleted !== undefined,
      }
      return sendPage(ctx, { request, reply, page: (frame) => ownApplicationsPage(frame, input) })
    },
  )

  api.get(paths.newOwnApplication, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.ownApplications, path: paths.newOwnApplication })
    if (!user || !(await requireRecentAuthentication(ctx, { request, reply }))) return reply
    return send(request, reply, EMPTY)
  })

  api.post(paths.ownApplications, { schema: { hide: true, body: Body } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.ownApplications, path: paths.newOwnApplication })
    const next = paths.newOwnApplication
    const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply, next }))
    if (!user || sessionId === null) return reply
    const { userId } = user
    const registration = readForm(request.body)
    const created: Awaited<ReturnType<typeof createOwnApplication>>[] = []
    const errors = await problemsOf(
      ctx.write(async (tx) => {
        created[0] = await createOwnApplication(tx, { userId, sessionId, registration })
      }),
    )
    const [secrets] = created
    if (errors.length > 0 || !secrets) {
      return send(request, codeOf(reply, errors), { ...EMPTY, ...entered(registration), errors })
    }
    return send(request, reply, { ...(await findInput(ctx, user, secrets.id)), secrets })
  })

  api.get(`${paths.ownApplications}/:id`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id } = request.params
    const user = requireUser(request, { reply, page: paths.ownApplications, path: ownApplicationPath(id) })
    return user ? send(request, reply, await findInput(ctx, user, id)) : reply
  })

  api.post(
    `${paths.ownApplications}/:id`,
    { schema: { hide: true, params: IdParams, body: Body } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.ownApplications, path: ownApplicationPath(id) })
      if (!user) return reply
      const registration = readForm(request.body)
      const errors = await problemsOf(
        ctx.write((tx) => updateOwnApplication(tx, { userId: user.userId, id, registration })),
      )
      const stored = await findInput(ctx, user, id)
      if (errors.length === 0) return send(request, reply, { ...stored, saved: true })
      return send(request, codeOf(reply, errors), { ...stored, ...entered(registration), errors })
    },
  )

  api.post(
    `${paths.ownApplications}/:id/secrets`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.ownApplications, path: ownApplicationPath(id) })
      const next = ownApplicationPath(id)
      const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply, next }))
      if (!user || sessionId === null) return reply
      const { userId } = user
      const secrets = await ctx.write((tx) => renewSecrets(tx, { userId, sessionId, id }))
      return send(request, reply, { ...(await findInput(ctx, user, id)), secrets })
    },
  )

  api.post(
    `${paths.ownApplications}/:id/delete`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.ownApplications, path: ownApplicationPath(id) })
      if (!user) return reply
      await ctx.write((tx) => deleteOwnApplication(tx, { userId: user.userId, id }))
      return reply.redirect(`${paths.ownApplications}?deleted=1`, 303)
    },
  )
}

/** Returns what the form of a stored application shows. @throws NotFoundError also for applications of others */
async function findInput(ctx: Ctx, { userId }: Viewer, id: string): Promise<ApplicationInput> {
  const { redirectUris, ...application } = await getOwnApplication(ctx, { userId, id })
  return { ...application, redirectUris: redirectUris.join('\n') }
}

function readForm({ name, website, redirect_uri: redirectUris = '', scopes = [] }: Static<typeof Body>) {
  return { name, website, redirectUris, scopes: scopes.join(' ') } satisfies ApplicationRegistration
}

/** Returns what the user entered, to show it again. */
function entered({ name = '', website = '', redirectUris, scopes }: ReturnType<typeof readForm>) {
  return { name, website, redirectUris, scopes: scopes.split(' ') }
}
