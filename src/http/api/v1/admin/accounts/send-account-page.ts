import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { filterAccounts } from '../../../../../domain/accounts/lookup/filter-accounts.ts'
import type { AccountFilters } from '../../../../../domain/accounts/lookup/filter-accounts.ts'
import type { Ctx } from '../../../../../domain/context.ts'
import { parseIpRange } from '../../../../../lib/http/parse-ip-range.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { canonicalDomain } from '../../../../../lib/usernames.ts'
import { renderAdminAccounts } from '../../../../../render/admin/accounts/render-admin-accounts.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import type { CursorQuery } from '../../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../../support/response/send.ts'

/** The filters that both versions of the list have. */
export const TEXT_FILTERS = {
  username: Type.Optional(Type.String({ description: 'The beginning of the username.' })),
  display_name: Type.Optional(Type.String({ description: 'The beginning of the display name.' })),
  by_domain: Type.Optional(Type.String({ description: 'Only accounts of this domain, without its subdomains.' })),
  email: Type.Optional(Type.String({ description: 'The beginning of the e-mail address.' })),
  ip: Type.Optional(Type.String({ description: 'An IP address or a range (CIDR) of a sign-up or a session.' })),
}
type TextFilter = keyof typeof TEXT_FILTERS
type TextFilters = Partial<Record<TextFilter, string>>

/** Sends a page of accounts as the staff see them, newest first. */
export async function sendAccountPage(
  ctx: Ctx,
  {
    request,
    reply,
    filters,
    carriedParams,
  }: {
    request: FastifyRequest<{ Querystring: TextFilters & CursorQuery }>
    reply: FastifyReply
    filters: Pick<AccountFilters, 'origin' | 'status' | 'roleIds' | 'invitedBy'>
    carriedParams: readonly string[]
  },
): Promise<FastifyReply> {
  const page = readPage(request.query, ADMIN_PAGE)
  const texts = readTextFilters(request.query)
  const ids = texts === null ? [] : await filterAccounts(ctx, { filters: { ...filters, ...texts }, page })
  setLinkHeader(ctx, { request, reply, cursors: ids, page, carriedParams, style: 'posts' })
  return sendJson(reply, listJson(await ctx.read(renderAdminAccounts, { ids, staff: staffOf(request) })))
}

/** Returns the filters, or null if a domain or an IP address is not valid, since no account has it. */
function readTextFilters(
  query: TextFilters,
): Omit<AccountFilters, 'origin' | 'status' | 'roleIds' | 'invitedBy'> | null {
  const read = (name: TextFilter) => query[name]?.trim() || null
  const [domainText, ipText] = [read('by_domain'), read('ip')]
  const domain = domainText && canonicalDomain(domainText, { keepPort: true })
  const ip = ipText === null ? null : parseIpRange(ipText)
  if ((domainText !== null && domain === null) || (ipText !== null && ip === null)) return null
  return { username: read('username'), displayName: read('display_name'), email: read('email'), domain, ip }
}
