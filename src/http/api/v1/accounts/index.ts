import { Type } from 'typebox'
import { findAccount, keepAccounts } from '../../../../domain/accounts/find.ts'
import { lookupAccount } from '../../../../domain/accounts/lookup.ts'
import { searchAccounts } from '../../../../domain/accounts/search.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { resolveQuery } from '../../../../domain/search/resolve-query.ts'
import { findFamiliarFollowers } from '../../../../domain/relationships/familiar-followers.ts'
import { Account, FamiliarFollowers } from '../../../../entities/account.ts'
import { ref } from '../../../../entities/ref.ts'
import { Unprocessable } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccount, renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderFamiliarFollowers } from '../../../../render/accounts/render-familiar-followers.ts'
import { renderRelationships } from '../../../../render/accounts/render-relationships.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { readLimit, readOffset } from '../../../support/paginate.ts'
import { ById } from '../../../support/params.ts'
import { asksForObjects, RELATIONSHIP_FORMAT, RelationshipAnswer } from '../../../support/relationship.ts'
import { sendJson } from '../../../support/send.ts'

/** Accounts asked for by their ids in one request. */
const MAX_IDS = 40

/** Finding accounts, and what is between them and the viewer. */
export async function accounts(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['accounts']
  const many = { 200: Type.Array(ref(Account)) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'See several accounts',
        querystring: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
        response: many,
      },
    },
    async (request, reply) => {
      const asked = request.query.id ?? []
      if (asked.length > MAX_IDS) throw new Unprocessable('Mastodon::ValidationError')
      const ids = await keepAccounts(ctx, { ids: asked })
      const viewerId = request.viewer?.accountId ?? null
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId })))
    },
  )

  api.get(
    '/lookup',
    {
      schema: {
        tags,
        summary: 'Find an account by its handle',
        description: 'Also finds people who are not confirmed or approved yet: their names are taken.',
        querystring: Type.Object({ acct: Type.String() }),
        response: { 200: ref(Account) },
      },
    },
    async (request, reply) => {
      const id = await lookupAccount(ctx, { handle: request.query.acct })
      return sendJson(reply, await ctx.read(renderAccount, { id, viewerId: request.viewer?.accountId ?? null }))
    },
  )

  api.get(
    '/search',
    {
      schema: {
        tags,
        summary: 'Search for accounts',
        querystring: Type.Object({
          q: Type.String(),
          resolve: Type.Optional(Type.Boolean({ description: 'Ask the other server for a full handle.' })),
          following: Type.Optional(Type.Boolean({ description: 'Only those whom the viewer follows.' })),
          limit: Type.Optional(Type.Integer()),
          offset: Type.Optional(Type.Integer()),
        }),
        response: many,
      },
    },
    async (request, reply) => {
      const { q, resolve = false, following, limit, offset = 0 } = request.query
      if (resolve && offset === 0) await resolveQuery(ctx, { query: q })
      const viewerId = viewerOf(request).accountId
      const ids = await searchAccounts(ctx, {
        query: q,
        viewerId,
        following,
        limit: readLimit(limit, ACCOUNT_PAGE),
        offset: readOffset(offset),
      })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId })))
    },
  )

  api.get(
    '/relationships',
    {
      schema: {
        tags,
        summary: 'See what is between the viewer and several accounts',
        querystring: Type.Object({
          id: Type.Optional(Type.Array(Type.String())),
          with_suspended: Type.Optional(Type.Boolean()),
          ...RELATIONSHIP_FORMAT,
        }),
        response: { 200: Type.Array(RelationshipAnswer) },
      },
    },
    async (request) => {
      const { id = [], with_suspended: withSuspended = false } = request.query
      const ids = await keepAccounts(ctx, { ids: id, withSuspended })
      const objectForm = asksForObjects(request.query)
      return renderRelationships(ctx, { ids, viewerId: viewerOf(request).accountId, objectForm })
    },
  )

  api.get(
    '/familiar_followers',
    {
      schema: {
        tags,
        summary: 'See which followers of several accounts I follow too',
        querystring: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
        response: { 200: Type.Array(ref(FamiliarFollowers)) },
      },
    },
    async (request, reply) => {
      const { id: ids = [] } = request.query
      const familiar = await findFamiliarFollowers(ctx, { ids, viewerId: viewerOf(request).accountId })
      return sendJson(reply, listJson(await ctx.read(renderFamiliarFollowers, { familiar })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'See an account', params: ById, response: { 200: ref(Account) } } },
    async (request, reply) => {
      const { id } = await findAccount(ctx, { id: request.params.id })
      return sendJson(reply, await ctx.read(renderAccount, { id, viewerId: request.viewer?.accountId ?? null }))
    },
  )
}
