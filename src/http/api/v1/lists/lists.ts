import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { createList } from '../../../../domain/lists/create-list.ts'
import { deleteList } from '../../../../domain/lists/delete-list.ts'
import { findList, listLists } from '../../../../domain/lists/find-list.ts'
import { addMembers, listMembers, removeMembers } from '../../../../domain/lists/list-members.ts'
import { updateList } from '../../../../domain/lists/update-list.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { List } from '../../../../entities/accounts/list.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderList } from '../../../../render/lists/render-list.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendAccounts } from '../../../support/response/send-accounts.ts'

const LIST_PARAMS = {
  title: Type.Optional(Type.String({ description: 'At most 256 characters. Required for a new list.' })),
  replies_policy: Type.Optional(List.properties.replies_policy),
  exclusive: Type.Optional(List.properties.exclusive),
}

const MemberParams = Type.Object({ account_ids: Type.Optional(Type.Array(Type.String())) })

/** Mastodon: /api/v1/lists, /api/v1/lists/:id and /api/v1/lists/:id/accounts. The viewer's lists and their members. */
export async function lists(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['lists']

  api.get(
    '',
    { schema: { tags, summary: 'View your lists', response: { 200: Type.Array(ref(List)) } } },
    async (request) => (await listLists(ctx, { accountId: viewerOf(request).accountId })).map(renderList),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Create a list', body: Type.Object(LIST_PARAMS), response: { 200: ref(List) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { title = '', replies_policy: repliesPolicy, exclusive } = request.body
      return renderList(await ctx.write((tx) => createList(tx, { accountId, title, repliesPolicy, exclusive })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a list', params: IdParams, response: { 200: ref(List) } } },
    async (request) => renderList(await findList(ctx, { ...request.params, accountId: viewerOf(request).accountId })),
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update a list',
        params: IdParams,
        body: Type.Object(LIST_PARAMS),
        response: { 200: ref(List) },
      },
    },
    async (request) => {
      const { title, replies_policy: repliesPolicy, exclusive } = request.body
      const input = { accountId: viewerOf(request).accountId, listId: request.params.id }
      return renderList(await ctx.write((tx) => updateList(tx, { ...input, title, repliesPolicy, exclusive })))
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a list', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      const input = { accountId: viewerOf(request).accountId, listId: request.params.id }
      await ctx.write((tx) => deleteList(tx, input))
      return {}
    },
  )

  api.get(
    '/:id/accounts',
    {
      schema: {
        tags,
        summary: 'View the accounts in a list',
        description: 'All accounts, unless a limit or a cursor is sent. `limit=0`: no limit.',
        params: IdParams,
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { query } = request
      const isPaged = query.limit !== 0 && Object.keys(query).length > 0
      const page = isPaged ? readPage(query, ACCOUNT_PAGE) : null
      const rows = await listMembers(ctx, { accountId, listId: request.params.id, page })
      if (page) setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return ctx.read(sendAccounts, { reply, ids: rows.map((row) => row.id) })
    },
  )

  api.post(
    '/:id/accounts',
    {
      schema: {
        tags,
        summary: 'Add accounts to a list',
        description: 'Accounts that you follow or asked to follow, and your own. Adds all of them or none.',
        params: IdParams,
        body: MemberParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { account_ids: memberIds = [] } = request.body
      const input = { accountId: viewerOf(request).accountId, listId: request.params.id, memberIds }
      await ctx.write((tx) => addMembers(tx, input))
      return {}
    },
  )

  api.delete(
    '/:id/accounts',
    {
      schema: {
        tags,
        summary: 'Remove accounts from a list',
        params: IdParams,
        body: MemberParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { account_ids: memberIds = [] } = request.body
      const input = { accountId: viewerOf(request).accountId, listId: request.params.id, memberIds }
      await ctx.write((tx) => removeMembers(tx, input))
      return {}
    },
  )
}
