import { Type } from 'typebox'
import { findAccount } from '../../../../domain/accounts/find.ts'
import { readFollowers, readFollowing } from '../../../../domain/accounts/followers.ts'
import { readAccountStatuses } from '../../../../domain/accounts/statuses.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { readEndorsed } from '../../../../domain/relationships/endorsed.ts'
import { readPinned } from '../../../../domain/statuses/pinned.ts'
import { readListsHolding } from '../../../../domain/lists/find.ts'
import { Account } from '../../../../entities/account.ts'
import { List } from '../../../../entities/list.ts'
import { ref } from '../../../../entities/ref.ts'
import { Status } from '../../../../entities/status.ts'
import { listJson } from '../../../../lib/entity-json.ts'
import { ACCOUNT_PAGE, STATUS_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderList } from '../../../../render/lists/render-list.ts'
import { renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { Api, ReadApi } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { deprecatedSince } from '../../../support/deprecated.ts'
import { linkPages, PAGING, readPage } from '../../../support/paginate.ts'
import { ById } from '../../../support/params.ts'
import { sendJson } from '../../../support/send.ts'

const FILTERS = {
  only_media: Type.Optional(Type.Boolean()),
  exclude_replies: Type.Optional(
    Type.Boolean({ description: "Leaves out replies to others, not the author's own threads." }),
  ),
  exclude_reblogs: Type.Optional(Type.Boolean()),
  exclude_direct: Type.Optional(Type.Boolean()),
  pinned: Type.Optional(
    Type.Boolean({ description: 'Only what stands on top of the profile; the other filters do not count then.' }),
  ),
  tagged: Type.Optional(Type.String({ description: 'A hashtag.' })),
}

/** The statuses of an account, its followers, and the accounts that it follows and endorses. */
export function accountPages(api: ReadApi): void {
  api.get(
    '/:id/statuses',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Read the statuses of an account',
        params: ById,
        querystring: Type.Object({ ...PAGING, ...FILTERS }),
        response: { 200: Type.Array(ref(Status)) },
      },
    },
    async (read, request, reply) => {
      const { query, viewer } = request
      const viewerId = viewer?.accountId ?? null
      const page = readPage(query, STATUS_PAGE)
      const keep = Object.keys(FILTERS)
      if (query.pinned) {
        const pins = await readPinned(read, { accountId: request.params.id, viewerId, page })
        linkPages(read, { request, reply, cursors: pins.map((pin) => pin.cursor), page, keep, style: 'posts' })
        const ids = pins.map((pin) => pin.id)
        return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
      }
      const ids = await readAccountStatuses(read, {
        accountId: request.params.id,
        viewerId,
        page,
        excludeReplies: query.exclude_replies,
        excludeReblogs: query.exclude_reblogs,
        excludeDirect: query.exclude_direct,
        onlyMedia: query.only_media,
        tagged: query.tagged,
      })
      linkPages(read, { request, reply, cursors: ids, page, keep, style: 'posts' })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )

  for (const [path, list, summary] of [
    ['/:id/followers', readFollowers, 'See who follows an account'],
    ['/:id/following', readFollowing, 'See whom an account follows'],
    ['/:id/endorsements', readEndorsed, 'See whom an account recommends'],
  ] as const) {
    api.get(
      path,
      {
        schema: {
          tags: ['accounts'],
          summary,
          params: ById,
          querystring: Type.Object(PAGING),
          response: { 200: Type.Array(ref(Account)) },
        },
      },
      async (read, request, reply) => {
        const page = readPage(request.query, ACCOUNT_PAGE)
        const viewerId = request.viewer?.accountId ?? null
        const rows = await list(read, { accountId: request.params.id, viewerId, page })
        linkPages(read, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
        return sendJson(reply, listJson(await renderAccounts(read, { ids: rows.map((row) => row.id), viewerId })))
      },
    )
  }
}

/** The lists that an account is on. */
export async function accountLists(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/lists',
    {
      schema: {
        tags: ['lists'],
        summary: 'See on which of my lists somebody is',
        params: ById,
        response: { 200: Type.Array(ref(List)) },
      },
    },
    async (request) => {
      const { id: memberId } = await findAccount(ctx, { id: request.params.id })
      const rows = await readListsHolding(ctx, { accountId: viewerOf(request).accountId, memberId })
      return rows.map(renderList)
    },
  )

  api.get(
    '/:id/identity_proofs',
    {
      schema: {
        tags: ['accounts'],
        summary: 'See proofs of identity by a third party',
        description: 'There are none any more. Fields with `verified_at` tell which pages are an account’s own.',
        ...deprecatedSince('2022-03-30'),
        params: ById,
        response: { 200: Type.Array(Type.Object({})) },
      },
    },
    async (request) => {
      await findAccount(ctx, { id: request.params.id })
      return []
    },
  )
}
