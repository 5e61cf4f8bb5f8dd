import type { IncomingMessage } from 'node:http'
import { findBearer } from '../../domain/auth/viewer.ts'
import type { Ctx } from '../../domain/context.ts'
import { UnauthorizedError } from '../../lib/errors.ts'

/** The account of a connection, and the token and scopes that authorise it. */
export interface Subscriber {
  readonly accountId: string
  readonly tokenId: string
  readonly scopes: readonly string[]
}

/**
 * Returns the subscriber whose token a request carries in the `Authorization` header, in the query, or as the
 * subprotocol of a WebSocket, which is the only one of them that scripts in browsers can set.
 * @throws UnauthorizedError also for unconfirmed, disabled and suspended accounts
 */
export async function findSubscriber(ctx: Ctx, { request }: { request: IncomingMessage }): Promise<Subscriber> {
  const token = tokenOf(request)
  if (!token) throw new UnauthorizedError('Missing access token')
  const bearer = await ctx.read(findBearer, { token })
  if (typeof bearer === 'string' || bearer.viewer?.accountState !== 'usable')
    throw new UnauthorizedError('Invalid access token')
  const { tokenId, scopes, viewer } = bearer
  return { accountId: viewer.accountId, tokenId, scopes }
}

function tokenOf({ headers, url }: IncomingMessage): string | null {
  if (headers.authorization !== undefined) return /^bearer +(\S+) *$/i.exec(headers.authorization)?.[1] ?? null
  return queryOf(url).get('access_token') || (headers['sec-websocket-protocol']?.split(',')[0]?.trim() ?? null)
}

export function queryOf(url = ''): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
}
