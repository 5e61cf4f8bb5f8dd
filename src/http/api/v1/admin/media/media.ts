import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { MAX_PURGE_DAYS, startCachePurge } from '../../../../../domain/media/remote-cache/purge-cache.ts'
import { AdminMedia } from '../../../../../entities/admin/content/admin-media.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ValidationError } from '../../../../../lib/errors.ts'
import { canonicalDomain } from '../../../../../lib/usernames.ts'
import { renderAdminMedia } from '../../../../../render/admin/content/render-admin-media.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'

const DEFAULT_DAYS = 7

const PurgeBody = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PURGE_DAYS,
      description: `Days since the last view. Default: ${DEFAULT_DAYS}.`,
    }),
  ),
  profiles: Type.Optional(Type.Boolean({ description: 'Also avatars, headers and emojis.' })),
  by_domain: Type.Optional(Type.String({ description: 'Only files of this domain.' })),
  keep_interacted: Type.Optional(
    Type.Boolean({ description: 'Retains attachments of statuses with which local accounts interacted.' }),
  ),
})

/** Linnet's own: GET /api/v1/admin/media, POST /api/v1/admin/media/purge */
export async function adminMedia(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: operations']
  const response = { 200: ref(AdminMedia) }

  api.get(
    '',
    { schema: { tags, summary: 'View stored files, the remote media cache and its last purge', response } },
    async () => renderAdminMedia(ctx),
  )

  api.post(
    '/purge',
    {
      schema: {
        tags,
        summary: 'Remove files that were not viewed lately from the remote media cache',
        description: 'A job removes them; they are fetched again when needed. Replaces a purge that runs.',
        body: PurgeBody,
        response,
      },
    },
    async (request) => {
      const { days = DEFAULT_DAYS, profiles = false, by_domain: byDomain, keep_interacted: keep = false } = request.body
      const options = { days, profiles, byDomain: readDomain(byDomain), keepInteracted: keep }
      await ctx.write((tx) => startCachePurge(tx, { ...options, by: staffOf(request) }))
      return renderAdminMedia(ctx)
    },
  )
}

/** Null: no domain was given. */
function readDomain(text: string | undefined): string | null {
  if (text === undefined || text.trim() === '') return null
  const domain = canonicalDomain(text)
  if (domain === null) throw new ValidationError([{ attribute: 'by_domain', code: 'ERR_INVALID', text: 'is invalid' }])
  return domain
}
