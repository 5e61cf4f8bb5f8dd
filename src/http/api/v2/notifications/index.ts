import { Type } from 'typebox'
import { clearNotifications } from '../../../../domain/notifications/clear.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { findLastRead } from '../../../../domain/notifications/count-unread.ts'
import {
  countUnreadGroups,
  dismissGroup,
  findGroup,
  readCausers,
  readGroups,
} from '../../../../domain/notifications/groups.ts'
import { Account } from '../../../../entities/account.ts'
import { GroupedNotificationsResults } from '../../../../entities/notification.ts'
import { ref } from '../../../../entities/ref.ts'
import { BadRequest } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderNotificationGroups } from '../../../../render/notifications/render-notification-groups.ts'
import type { Api, ReadApi } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import {
  CHOICE,
  Count,
  COUNT_LIMIT,
  FILTERED,
  GROUPED,
  namesOf,
  readChoice,
  readSupported,
  SUPPORTED,
} from '../../../support/choose-notifications.ts'
import { linkPages, PAGING, readLimit, readPage } from '../../../support/paginate.ts'
import { sendJson } from '../../../support/send.ts'

const ByKey = Type.Object({ group_key: Type.String() })

const EXPAND = {
  expand_accounts: Type.Optional(
    Type.String({ description: '`full`, or `partial_avatars`: of most accounts only a face.' }),
  ),
}

/** The list of the viewer's notifications in groups. */
export function groupedNotificationList(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['notifications'],
        summary: 'Read my notifications in groups',
        querystring: Type.Object({ ...PAGING, ...CHOICE, ...FILTERED, ...GROUPED, ...EXPAND, ...SUPPORTED }),
        response: { 200: ref(GroupedNotificationsResults) },
      },
    },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      const { grouped_types: grouped, expand_accounts: expand = 'full' } = request.query
      if (expand !== 'full' && expand !== 'partial_avatars') {
        throw new BadRequest(
          `Invalid value for 'expand_accounts': '${expand}', allowed values are 'full' and 'partial_avatars'`,
        )
      }
      const page = readPage(request.query, ACCOUNT_PAGE)
      const choice = readChoice(request.query)
      const groups =
        choice === null ? [] : await readGroups(read, { accountId, page, ...choice, groupedKinds: namesOf(grouped) })
      const keep = Object.keys({ ...CHOICE, ...FILTERED, ...GROUPED, ...EXPAND, ...SUPPORTED })
      const cursors = groups.map(({ newestId }) => newestId)
      linkPages(read, { request, reply, cursors, page, keep, style: 'timeline' })
      const supported = readSupported(request.query)
      const partial = expand === 'partial_avatars'
      const asked = { groups, viewerId: accountId, isPage: true, partial, supported }
      return sendJson(reply, await renderNotificationGroups(read, asked))
    },
  )
}

/** Single groups of the viewer's notifications. */
export async function groupedNotifications(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['notifications']
  const nothing = Type.Object({})

  api.get(
    '/unread_count',
    {
      schema: {
        tags,
        summary: 'Count the groups that I have not read',
        querystring: Type.Object({ limit: PAGING.limit, ...CHOICE, ...GROUPED }),
        response: { 200: Count },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const limit = readLimit(request.query.limit, COUNT_LIMIT)
      const choice = readChoice(request.query)
      if (choice === null) return { count: 0 }
      const [sinceId, groupedKinds] = [await findLastRead(ctx, { accountId }), namesOf(request.query.grouped_types)]
      return { count: await countUnreadGroups(ctx, { accountId, limit, sinceId, ...choice, groupedKinds }) }
    },
  )

  api.post(
    '/clear',
    { schema: { tags, summary: 'Take all my notifications away', response: { 200: nothing } } },
    async (request) => {
      await ctx.write((tx) => clearNotifications(tx, { accountId: viewerOf(request).accountId }))
      return {}
    },
  )

  api.get(
    '/:group_key',
    {
      schema: {
        tags,
        summary: 'See a group of notifications',
        params: ByKey,
        querystring: Type.Object(SUPPORTED),
        response: { 200: ref(GroupedNotificationsResults) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const group = await findGroup(ctx, { accountId, key: request.params.group_key })
      const supported = readSupported(request.query)
      return sendJson(
        reply,
        await ctx.read(renderNotificationGroups, { groups: [group], viewerId: accountId, isPage: false, supported }),
      )
    },
  )

  api.post(
    '/:group_key/dismiss',
    { schema: { tags, summary: 'Take a group of notifications away', params: ByKey, response: { 200: nothing } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => dismissGroup(tx, { accountId, key: request.params.group_key }))
      return {}
    },
  )

  api.get(
    '/:group_key/accounts',
    {
      schema: {
        tags,
        summary: 'See who caused a group of notifications',
        params: ByKey,
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const causers = await readCausers(ctx, { accountId, key: request.params.group_key, page })
      linkPages(ctx, { request, reply, cursors: causers.map(({ id }) => id), page, style: 'posts' })
      const ids = causers.map((one) => one.account_id)
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids, viewerId: accountId })))
    },
  )
}
