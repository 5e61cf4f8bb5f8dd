import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { featureTag, unfeatureTag } from '../../../domain/tags/feature.ts'
import { followTag, unfollowTag } from '../../../domain/tags/follow.ts'
import { readTagName } from '../../../domain/tags/name.ts'
import type { TagName } from '../../../domain/tags/name.ts'
import { ref } from '../../../entities/ref.ts'
import { Tag } from '../../../entities/tag.ts'
import { NotFound } from '../../../lib/errors.ts'
import { renderTag } from '../../../render/tags/render-tags.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { countDeed } from '../../support/rate.ts'
import { THROTTLES } from '../../support/throttles.ts'

const ByName = Type.Object({ name: Type.String({ description: 'Without `#`, in any case.' }) })

/** A hashtag, and what people do with it. */
export async function tags(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({
    tags: ['hashtags'],
    summary,
    params: ByName,
    response: { 200: ref(Tag) },
  })
  const render = (request: FastifyRequest, tag: TagName) =>
    renderTag(ctx, { tag, viewerId: request.viewer?.accountId ?? null, now: ctx.now() })

  api.get(
    '/:name',
    { schema: { ...describe('See a hashtag'), description: 'One that nobody used yet has an empty id.' } },
    async (request, reply) => reply.send(await render(request, tagOf(request.params.name))),
  )

  api.post('/:name/follow', { schema: describe('Follow a hashtag') }, async (request, reply) => {
    const { accountId } = viewerOf(request)
    const tag = tagOf(request.params.name)
    await countDeed(ctx, { request, reply, throttle: THROTTLES.follows, accountId }, () =>
      ctx.write((tx) => followTag(tx, { accountId, tag })),
    )
    return reply.send(await render(request, tag))
  })

  for (const [path, verb, summary] of [
    ['unfollow', unfollowTag, 'Unfollow a hashtag'],
    ['feature', featureTag, 'Put a hashtag on my profile'],
    ['unfeature', unfeatureTag, 'Take a hashtag down from my profile'],
  ] as const) {
    api.post(`/:name/${path}`, { schema: describe(summary) }, async (request, reply) => {
      const { accountId } = viewerOf(request)
      const tag = tagOf(request.params.name)
      await ctx.write(async (tx) => void (await verb(tx, { accountId, tag })))
      return reply.send(await render(request, tag))
    })
  }
}

/** @throws NotFound for what can't be the name of one */
function tagOf(typed: string): TagName {
  const tag = readTagName(typed)
  if (!tag) throw new NotFound()
  return tag
}
