import { Type } from 'typebox'
import { findAccount } from '../../../domain/accounts/find.ts'
import type { Ctx } from '../../../domain/context.ts'
import { featureTag, removeFeaturedTag } from '../../../domain/tags/feature.ts'
import { mayMeetFeaturedTags } from '../../../domain/tags/featured.ts'
import { readTagName } from '../../../domain/tags/name.ts'
import { suggestTags } from '../../../domain/tags/suggest.ts'
import { ref } from '../../../entities/ref.ts'
import { FeaturedTag, Tag } from '../../../entities/tag.ts'
import { NotFound, ValidationFailed } from '../../../lib/errors.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { renderFeaturedTags } from '../../../render/tags/render-featured-tags.ts'
import { renderTags } from '../../../render/tags/render-tags.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

const group = ['hashtags']

/** Hashtags on the viewer's profile. */
export async function featuredTags(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: { tags: group, summary: 'See which hashtags I feature', response: { 200: Type.Array(ref(FeaturedTag)) } },
    },
    async (request) => renderFeaturedTags(ctx, { accountId: viewerOf(request).accountId }),
  )

  api.post(
    '',
    {
      schema: {
        tags: group,
        summary: 'Feature a hashtag',
        body: Type.Object({ name: Type.String({ description: 'With or without `#`.' }) }),
        response: { 200: ref(FeaturedTag) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const tag = readTagName(request.body.name.trim().replace(/^[#＃]/, ''))
      if (!tag) throw new ValidationFailed([{ attribute: 'name', code: 'ERR_INVALID', text: 'is invalid' }])
      const id = await ctx.write((tx) => featureTag(tx, { accountId, tag }))
      const featured = (await renderFeaturedTags(ctx, { accountId })).find((one) => one.id === id)
      // Taken down again in between.
      if (!featured) throw new NotFound()
      return featured
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags: group,
        summary: 'Stop featuring a hashtag',
        params: ById,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeFeaturedTag(tx, { accountId, featuredTagId: request.params.id }))
      return {}
    },
  )

  api.get(
    '/suggestions',
    {
      schema: {
        tags: group,
        summary: 'See which hashtags I might feature',
        response: { 200: Type.Array(ref(Tag)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const ids = await suggestTags(ctx, { accountId })
      return sendJson(reply, listJson(await renderTags(ctx, { ids, viewerId: accountId, now: ctx.now() })))
    },
  )
}

/** Hashtags on anybody's profile. */
export async function accountFeaturedTags(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/featured_tags',
    {
      schema: {
        tags: group,
        summary: 'See which hashtags an account features',
        params: ById,
        response: { 200: Type.Array(ref(FeaturedTag)) },
      },
    },
    async (request) => {
      const account = await findAccount(ctx, { id: request.params.id })
      const viewerId = request.viewer?.accountId ?? null
      const isShown = await mayMeetFeaturedTags(ctx, { account, viewerId })
      return isShown ? renderFeaturedTags(ctx, { accountId: account.id }) : []
    },
  )
}
