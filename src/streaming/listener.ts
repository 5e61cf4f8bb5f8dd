import type { IncomingMessage } from 'node:http'
import { findBearer } from '../domain/auth/viewer.ts'
import type { Ctx } from '../domain/context.ts'
import { Unauthorized } from '../lib/errors.ts'

/** Who listens, and by which right. */
export interface Listener {
  readonly accountId: string
  readonly tokenId: string
  readonly scopes: readonly string[]
}

/**
 * The person whose token a request carries: in its header, its query, or as the subprotocol of a WebSocket, which is
 * all that a script in a browser can set. Nobody listens who may not act: unconfirmed, disabled, suspended.
 * @throws Unauthorized
 */
export async function findListener(ctx: Ctx, { request }: { request: IncomingMessage }): Promise<Listener> {
  const token = tokenOf(request)
  if (!token) throw new Unauthorized('Missing access token')
  const bearer = await ctx.read(findBearer, { token })
  if (typeof bearer === 'string' || bearer.viewer?.standing !== 'usable') throw new Unauthorized('Invalid access token')
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
