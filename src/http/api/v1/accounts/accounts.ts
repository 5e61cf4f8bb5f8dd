import { Type } from 'typebox'
import type { FastifyReply } from 'fastify'
import { findAccount, filterVisibleAccounts } from '../../../../domain/accounts/lookup/find-account.ts'
import { lookupAccount } from '../../../../domain/accounts/lookup/lookup-account.ts'
import { searchAccounts } from '../../../../domain/accounts/lookup/search-accounts.ts'
import type { CachedRead, Ctx } from '../../../../domain/context.ts'
import { resolveSearchHandle } from '../../../../domain/search/resolve-search-handle.ts'
import { Account, FamiliarFollowers } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { UnprocessableError } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccount, renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderFamiliarFollowers } from '../../../../render/accounts/render-familiar-followers.ts'
import { renderRelationships } from '../../../../render/accounts/render-relationships.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { readLimit, readOffset } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import {
  requestsObjectForm,
  RELATIONSHIP_PARAMS,
  RelationshipResponse,
} from '../../../support/response/render-relationship.ts'
import { sendJson, sendJsonChunks } from '../../../support/response/send.ts'

/** The most ids that one request for several accounts may list. */
const MAX_IDS = 40

/**
 * Finds accounts, their relationships to the viewer and familiar followers.
 * Mastodon: GET /api/v1/accounts, /lookup, /search, /relationships, /familiar_followers and /:id below it
 */
export async function accounts(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['accounts']
  const accountsResponse = { 200: Type.Array(ref(Account)) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View several accounts',
        querystring: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
        response: accountsResponse,
      },
    },
    async (request, reply) => {
      const requestedIds = [...new Set(request.query.id)]
      if (requestedIds.length > MAX_IDS) throw new UnprocessableError('Mastodon::ValidationError')
      const ids = await filterVisibleAccounts(ctx, { ids: requestedIds })
      const viewerId = request.viewer?.accountId ?? null
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId })))
    },
  )

  api.get(
    '/lookup',
    {
      schema: {
        tags,
        summary: 'Look up an account by its handle',
        description: 'Also finds accounts that are not confirmed or approved yet: their usernames are taken.',
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
          resolve: Type.Optional(Type.Boolean({ description: 'Resolve a full handle at its server.' })),
          following: Type.Optional(Type.Boolean({ description: 'Only accounts that you follow.' })),
          limit: Type.Optional(Type.Integer()),
          offset: Type.Optional(Type.Integer()),
        }),
        response: accountsResponse,
      },
    },
    async (request, reply) => {
      const { q, resolve = false, following, limit, offset = 0 } = request.query
      const query = resolve && offset === 0 ? await resolveSearchHandle(ctx, { query: q }) : q
      const viewerId = viewerOf(request).accountId
      const ids = await searchAccounts(ctx, {
        query,
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
        summary: 'View your relationships to several accounts',
        querystring: Type.Object({
          id: Type.Optional(Type.Array(Type.String())),
          with_suspended: Type.Optional(Type.Boolean()),
          ...RELATIONSHIP_PARAMS,
        }),
        response: { 200: Type.Array(RelationshipResponse) },
      },
    },
    async (request) => {
      const { id = [], with_suspended: withSuspended = false } = request.query
      const ids = [...new Set(id.filter(isId))]
      const objectForm = requestsObjectForm(request.query)
      return renderRelationships(ctx, { ids, viewerId: viewerOf(request).accountId, withSuspended, objectForm })
    },
  )

  api.get(
    '/familiar_followers',
    {
      schema: {
        tags,
        summary: 'View the followers of several accounts that you follow too',
        querystring: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
        response: { 200: Type.Array(ref(FamiliarFollowers)) },
      },
    },
    async (request, reply) => {
      const { id: ids = [] } = request.query
      return ctx.read(sendFamiliarFollowers, { reply, ids, viewerId: viewerOf(request).accountId })
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View an account', params: IdParams, response: { 200: ref(Account) } } },
    async (request, reply) => {
      const { id } = await findAccount(ctx, { id: request.params.id })
      return sendJson(reply, await ctx.read(renderAccount, { id, viewerId: request.viewer?.accountId ?? null }))
    },
  )
}

async function sendFamiliarFollowers(
  read: CachedRead,
  { reply, ...query }: { reply: FastifyReply; ids: readonly string[]; viewerId: string },
): Promise<FastifyReply> {
  return sendJsonChunks(reply, renderFamiliarFollowers(read, query))
}
