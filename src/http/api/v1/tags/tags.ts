import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { featureTag, unfeatureTag } from '../../../../domain/tags/feature-tag.ts'
import { followTag, unfollowTag } from '../../../../domain/tags/follow-tag.ts'
import { parseTagName as parseName } from '../../../../domain/tags/tag-name.ts'
import type { TagName } from '../../../../domain/tags/tag-name.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Tag } from '../../../../entities/statuses/tag.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import { renderTag } from '../../../../render/tags/render-tags.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { countAction } from '../../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

const TagParams = Type.Object({ name: Type.String({ description: 'Without `#`. Upper and lower case are the same.' }) })

/** Mastodon: GET /api/v1/tags/:name, POST /api/v1/tags/:name/{follow,unfollow,feature,unfeature} */
export async function tags(api: TypedFastify, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({
    tags: ['hashtags'],
    summary,
    params: TagParams,
    response: { 200: ref(Tag) },
  })
  const render = (request: FastifyRequest, tag: TagName) =>
    renderTag(ctx, { tag, viewerId: request.viewer?.accountId ?? null, now: ctx.now() })

  api.get(
    '/:name',
    { schema: { ...describe('View a hashtag'), description: 'The id of a hashtag without public use is empty.' } },
    async (request, reply) => reply.send(await render(request, parseTagName(request.params.name))),
  )

  api.post('/:name/follow', { schema: describe('Follow a hashtag') }, async (request, reply) => {
    const { accountId } = viewerOf(request)
    const tag = parseTagName(request.params.name)
    await countAction(ctx, { request, reply, throttle: THROTTLES.follows, accountId }, () =>
      ctx.write((tx) => followTag(tx, { accountId, tag })),
    )
    return reply.send(await render(request, tag))
  })

  for (const [path, operation, summary] of [
    ['unfollow', unfollowTag, 'Unfollow a hashtag'],
    ['feature', featureTag, 'Feature a hashtag on your profile'],
    ['unfeature', unfeatureTag, 'Stop featuring a hashtag on your profile'],
  ] as const) {
    api.post(`/:name/${path}`, { schema: describe(summary) }, async (request, reply) => {
      const { accountId } = viewerOf(request)
      const tag = parseTagName(request.params.name)
      await ctx.write(async (tx) => void (await operation(tx, { accountId, tag })))
      return reply.send(await render(request, tag))
    })
  }
}

/** @throws NotFoundError for text that cannot be a hashtag */
function parseTagName(typed: string): TagName {
  const tag = parseName(typed)
  if (!tag) throw new NotFoundError()
  return tag
}
