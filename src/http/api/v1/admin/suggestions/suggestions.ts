import { Type } from 'typebox'
import { listGeneralSuggestions } from '../../../../../domain/accounts/suggestions/list-general-suggestions.ts'
import {
  listSuppressed,
  restoreSuggestion,
  suppressSuggestion,
} from '../../../../../domain/accounts/suggestions/suppress-suggestion.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import { AdminSuggestion } from '../../../../../entities/admin/content/admin-suggestion.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../../lib/page.ts'
import {
  renderAdminSuggestion,
  renderAdminSuggestions,
} from '../../../../../render/admin/content/render-admin-suggestions.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import {
  OFFSET_LIST_PARAMS,
  readOffsetPage,
  setOffsetLinkHeader,
} from '../../../../support/pagination/offset-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const TAGS = ['admin: trends']

const CHANGES = [
  ['suppress', 'Keep an account out of the follow suggestions of all users', suppressSuggestion],
  ['restore', 'Let an account be suggested again', restoreSuggestion],
] as const

/** Linnet's own: /api/v1/admin/suggestions. Mastodon has the page /admin/follow_recommendations. */
export async function adminSuggestions(api: TypedFastify, ctx: Ctx): Promise<void> {
  const response = { 200: ref(AdminSuggestion) }

  api.get(
    '',
    {
      schema: {
        tags: TAGS,
        summary: 'View the accounts that are suggested to all users, or the suppressed ones',
        description: 'In the order of the suggestions; suppressed accounts: the latest first.',
        querystring: Type.Object({ state: Type.Optional(oneOf(['suggested', 'suppressed'])), ...OFFSET_LIST_PARAMS }),
        response: { 200: Type.Array(ref(AdminSuggestion)) },
      },
    },
    async (request, reply) => {
      const { state } = request.query
      const page = readOffsetPage(request.query, { first: ACCOUNT_PAGE, later: ACCOUNT_PAGE })
      const suppressed = state === 'suppressed'
      const rows = suppressed
        ? (await listSuppressed(ctx, page)).map((id) => ({ id, sources: [] }))
        : await ctx.read(listGeneralSuggestions, page)
      setOffsetLinkHeader(ctx, {
        request,
        reply,
        count: rows.length,
        page,
        filters: state === undefined ? {} : { state },
      })
      const viewerId = staffOf(request).accountId
      return sendJson(reply, listJson(await ctx.read(renderAdminSuggestions, { rows, suppressed, viewerId })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags: TAGS, summary: 'View why an account is suggested to all users', params: IdParams, response } },
    async (request, reply) => {
      const input = { id: request.params.id, viewerId: staffOf(request).accountId }
      return sendJson(reply, await ctx.read(renderAdminSuggestion, input))
    },
  )

  for (const [action, summary, change] of CHANGES) {
    api.post(
      `/:id/${action}`,
      { schema: { tags: TAGS, summary, params: IdParams, response } },
      async (request, reply) => {
        const { id } = request.params
        const staff = staffOf(request)
        await ctx.write((tx) => change(tx, { accountId: id, by: staff }))
        return sendJson(reply, await ctx.read(renderAdminSuggestion, { id, viewerId: staff.accountId }))
      },
    )
  }
}
