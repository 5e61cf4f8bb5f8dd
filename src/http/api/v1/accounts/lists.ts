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
import { jsonArray } from '../../../../lib/json.ts'
import { ACCOUNT_PAGE, STATUS_PAGE } from '../../../../lib/page.ts'
import { lookForChanges } from '../../../../platform/db/changes.ts'
import { renderAccounts } from '../../../../render/accounts.ts'
import { renderList } from '../../../../render/lists.ts'
import { renderStatusPage } from '../../../../render/statuses.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { deprecatedSince } from '../../../support/deprecated.ts'
import { linkPages, PAGING, readPage } from '../../../support/paginate.ts'
import { ById } from '../../../support/params.ts'
import { sendJson, sendParts } from '../../../support/send.ts'

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

/** What hangs on an account: what it posted, who follows it, whom it follows and recommends. */
export async function accountLists(api: Api, ctx: Ctx): Promise<void> {
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
    async (request, reply) => {
      const { query, viewer } = request
      const viewerId = viewer?.accountId ?? null
      const asOf = viewer?.asOf ?? (await lookForChanges(ctx.db)).moment
      const page = readPage(query, STATUS_PAGE)
      const keep = Object.keys(FILTERS)
      if (query.pinned) {
        const pins = await readPinned(ctx, { accountId: request.params.id, viewerId, page })
        linkPages(ctx, { request, reply, cursors: pins.map((pin) => pin.cursor), page, keep, style: 'posts' })
        const ids = pins.map((pin) => pin.id)
        return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId, asOf }))
      }
      const ids = await readAccountStatuses(ctx, {
        accountId: request.params.id,
        viewerId,
        page,
        excludeReplies: query.exclude_replies,
        excludeReblogs: query.exclude_reblogs,
        excludeDirect: query.exclude_direct,
        onlyMedia: query.only_media,
        tagged: query.tagged,
        asOf,
      })
      linkPages(ctx, { request, reply, cursors: ids, page, keep, style: 'posts' })
      return sendParts(reply, await renderStatusPage(ctx, { ids, viewerId, asOf }))
    },
  )

  for (const [path, read, summary] of [
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
      async (request, reply) => {
        const page = readPage(request.query, ACCOUNT_PAGE)
        const viewerId = request.viewer?.accountId ?? null
        const rows = await read(ctx, { accountId: request.params.id, viewerId, page })
        linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
        return sendJson(reply, jsonArray(await renderAccounts(ctx, { ids: rows.map((row) => row.id), viewerId })))
      },
    )
  }

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
