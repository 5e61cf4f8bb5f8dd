import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { createList } from '../../../domain/lists/create.ts'
import { deleteList } from '../../../domain/lists/delete.ts'
import { findList, readLists } from '../../../domain/lists/find.ts'
import { addMembers, readMembers, removeMembers } from '../../../domain/lists/members.ts'
import { updateList } from '../../../domain/lists/update.ts'
import { Account } from '../../../entities/account.ts'
import { List } from '../../../entities/list.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import { renderList } from '../../../render/lists/render-list.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

const TRAITS = {
  title: Type.Optional(Type.String({ description: 'Needed for a new list. At most 256 characters.' })),
  replies_policy: Type.Optional(List.properties.replies_policy),
  exclusive: Type.Optional(List.properties.exclusive),
}

const Members = Type.Object({ account_ids: Type.Optional(Type.Array(Type.String())) })

/** The viewer's lists, and who is on them. */
export async function lists(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['lists']

  api.get(
    '',
    { schema: { tags, summary: 'See my lists', response: { 200: Type.Array(ref(List)) } } },
    async (request) => (await readLists(ctx, { accountId: viewerOf(request).accountId })).map(renderList),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Make a list', body: Type.Object(TRAITS), response: { 200: ref(List) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { title = '', replies_policy: repliesPolicy, exclusive } = request.body
      return renderList(await ctx.write((tx) => createList(tx, { accountId, title, repliesPolicy, exclusive })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'See a list', params: ById, response: { 200: ref(List) } } },
    async (request) => renderList(await findList(ctx, { ...request.params, accountId: viewerOf(request).accountId })),
  )

  api.put(
    '/:id',
    {
      schema: { tags, summary: 'Change a list', params: ById, body: Type.Object(TRAITS), response: { 200: ref(List) } },
    },
    async (request) => {
      const { title, replies_policy: repliesPolicy, exclusive } = request.body
      const input = { accountId: viewerOf(request).accountId, listId: request.params.id }
      return renderList(await ctx.write((tx) => updateList(tx, { ...input, title, repliesPolicy, exclusive })))
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a list', params: ById, response: { 200: Type.Object({}) } } },
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
        summary: 'See who is on a list',
        description: 'Everybody, unless a limit or a cursor is sent. A limit of 0 is no limit.',
        params: ById,
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { query } = request
      const isPaged = query.limit !== 0 && Object.keys(query).length > 0
      const page = isPaged ? readPage(query, ACCOUNT_PAGE) : null
      const rows = await readMembers(ctx, { accountId, listId: request.params.id, page })
      if (page) linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
    },
  )

  api.post(
    '/:id/accounts',
    {
      schema: {
        tags,
        summary: 'Put people on a list',
        description: 'Those whom I follow or asked to follow, and myself; all of them, or none.',
        params: ById,
        body: Members,
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
        summary: 'Take people off a list',
        params: ById,
        body: Members,
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
