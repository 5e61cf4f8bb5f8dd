import { Type } from 'typebox'
import { findAccount } from '../../../../domain/accounts/lookup/find-account.ts'
import { listFollowers, listFollowing } from '../../../../domain/accounts/lookup/list-followers.ts'
import { listAccountStatuses } from '../../../../domain/timelines/public/list-account-statuses.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { listEndorsed } from '../../../../domain/relationships/endorsements/list-endorsed.ts'
import { listPinnedStatuses } from '../../../../domain/statuses/read/list-pinned-statuses.ts'
import { listListsContaining } from '../../../../domain/lists/find-list.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { List } from '../../../../entities/accounts/list.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE, STATUS_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderList } from '../../../../render/lists/render-list.ts'
import { renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { TypedFastify, ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

const FILTER_PARAMS = {
  only_media: Type.Optional(Type.Boolean()),
  exclude_replies: Type.Optional(
    Type.Boolean({ description: "Leaves out replies to other accounts; the author's self-replies stay." }),
  ),
  exclude_reblogs: Type.Optional(Type.Boolean()),
  exclude_direct: Type.Optional(Type.Boolean()),
  pinned: Type.Optional(Type.Boolean({ description: 'Only pinned statuses.' })),
  tagged: Type.Optional(Type.String({ description: 'A hashtag.' })),
}

/**
 * Lists the statuses of an account, its followers, and the accounts that it follows and endorses.
 * Mastodon: GET /api/v1/accounts/:id/{statuses,followers,following,endorsements}
 */
export function accountPages(api: ReadApi): void {
  api.get(
    '/:id/statuses',
    {
      schema: {
        tags: ['accounts'],
        summary: 'View the statuses of an account',
        params: IdParams,
        querystring: Type.Object({ ...CURSOR_PAGINATION_PARAMS, ...FILTER_PARAMS }),
        response: { 200: Type.Array(ref(Status)) },
      },
    },
    async (read, request, reply) => {
      const { query, viewer } = request
      const viewerId = viewer?.accountId ?? null
      const page = readPage(query, STATUS_PAGE)
      const carriedParams = Object.keys(FILTER_PARAMS)
      const input = {
        accountId: request.params.id,
        viewerId,
        page,
        excludeReplies: query.exclude_replies,
        excludeReblogs: query.exclude_reblogs,
        excludeDirect: query.exclude_direct,
        onlyMedia: query.only_media,
        tagged: query.tagged,
      }
      if (query.pinned) {
        const pins = await listPinnedStatuses(read, input)
        setLinkHeader(read, {
          request,
          reply,
          cursors: pins.map((pin) => pin.cursor),
          page,
          carriedParams,
          style: 'posts',
        })
        const ids = pins.map((pin) => pin.id)
        return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
      }
      const ids = await listAccountStatuses(read, input)
      setLinkHeader(read, { request, reply, cursors: ids, page, carriedParams, style: 'posts' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )

  for (const [path, list, summary] of [
    ['/:id/followers', listFollowers, 'View the followers of an account'],
    ['/:id/following', listFollowing, 'View the accounts that an account follows'],
    ['/:id/endorsements', listEndorsed, 'View the accounts that an account features on its profile'],
  ] as const) {
    api.get(
      path,
      {
        schema: {
          tags: ['accounts'],
          summary,
          params: IdParams,
          querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
          response: { 200: Type.Array(ref(Account)) },
        },
      },
      async (read, request, reply) => {
        const page = readPage(request.query, ACCOUNT_PAGE)
        const viewerId = request.viewer?.accountId ?? null
        const rows = await list(read, { accountId: request.params.id, viewerId, page })
        setLinkHeader(read, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
        return sendJson(reply, listJson(await renderAccounts(read, { ids: rows.map((row) => row.id), viewerId })))
      },
    )
  }
}

/** Mastodon: GET /api/v1/accounts/:id/{lists,identity_proofs} */
export async function accountSubresources(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/lists',
    {
      schema: {
        tags: ['lists'],
        summary: 'View your lists that contain an account',
        params: IdParams,
        response: { 200: Type.Array(ref(List)) },
      },
    },
    async (request) => {
      const { id: memberId } = await findAccount(ctx, { id: request.params.id })
      const rows = await listListsContaining(ctx, { accountId: viewerOf(request).accountId, memberId })
      return rows.map(renderList)
    },
  )

  api.get(
    '/:id/identity_proofs',
    {
      schema: {
        tags: ['accounts'],
        summary: 'View identity proofs',
        description: 'Always empty. Profile fields with `verified_at` show which pages belong to an account.',
        ...deprecatedSince('2022-03-30'),
        params: IdParams,
        response: { 200: Type.Array(Type.Object({})) },
      },
    },
    async (request) => {
      await findAccount(ctx, { id: request.params.id })
      return []
    },
  )
}
