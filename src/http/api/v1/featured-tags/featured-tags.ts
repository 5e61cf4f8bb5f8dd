import { Type } from 'typebox'
import { findAccount } from '../../../../domain/accounts/lookup/find-account.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { featureTag, removeFeaturedTag } from '../../../../domain/tags/feature-tag.ts'
import { canSeeFeaturedTags } from '../../../../domain/tags/can-see-featured-tags.ts'
import { parseTagName } from '../../../../domain/tags/tag-name.ts'
import { suggestTags } from '../../../../domain/tags/suggest-tags.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { FeaturedTag, Tag } from '../../../../entities/statuses/tag.ts'
import { NotFoundError, ValidationError } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { renderFeaturedTags } from '../../../../render/tags/render-featured-tags.ts'
import { renderTags } from '../../../../render/tags/render-tags.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

const TAGS = ['hashtags']

/**
 * Mastodon: GET and POST /api/v1/featured_tags, DELETE /api/v1/featured_tags/:id,
 * GET /api/v1/featured_tags/suggestions
 */
export async function featuredTags(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: { tags: TAGS, summary: 'View your featured hashtags', response: { 200: Type.Array(ref(FeaturedTag)) } },
    },
    async (request) => renderFeaturedTags(ctx, { accountId: viewerOf(request).accountId }),
  )

  api.post(
    '',
    {
      schema: {
        tags: TAGS,
        summary: 'Feature a hashtag',
        body: Type.Object({ name: Type.String({ description: 'With or without `#`.' }) }),
        response: { 200: ref(FeaturedTag) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const tag = parseTagName(request.body.name.trim().replace(/^[#＃]/, ''))
      if (!tag) throw new ValidationError([{ attribute: 'name', code: 'ERR_INVALID', text: 'is invalid' }])
      const id = await ctx.write((tx) => featureTag(tx, { accountId, tag }))
      const featured = (await renderFeaturedTags(ctx, { accountId })).find((tag) => tag.id === id)
      // Another request has removed it in the meantime.
      if (!featured) throw new NotFoundError()
      return featured
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags: TAGS,
        summary: 'Stop featuring a hashtag',
        params: IdParams,
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
        tags: TAGS,
        summary: 'View suggested hashtags to feature',
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

/** Mastodon: GET /api/v1/accounts/:id/featured_tags */
export async function accountFeaturedTags(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/featured_tags',
    {
      schema: {
        tags: TAGS,
        summary: 'View the featured hashtags of an account',
        params: IdParams,
        response: { 200: Type.Array(ref(FeaturedTag)) },
      },
    },
    async (request) => {
      const account = await findAccount(ctx, { id: request.params.id })
      const viewerId = request.viewer?.accountId ?? null
      const isVisible = await canSeeFeaturedTags(ctx, { account, viewerId })
      return isVisible ? renderFeaturedTags(ctx, { accountId: account.id }) : []
    },
  )
}
