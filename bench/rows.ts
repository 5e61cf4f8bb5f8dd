import type { Requests } from './load.ts'

export type Limit = 'http' | 'fastify' | 'commits'

/** One line of the table. */
export interface Row {
  name: string
  requests: Omit<Requests, 'port'>
  /**
   * What this machine could do at most, measured beside it: the same bytes, always the same, through `node:http` or
   * through Fastify, or commits of one row. The share is that of the first.
   */
  limits: readonly Limit[]
  /** What `docs/performance.md` asks for, as a share of the limit. */
  goal?: number
}

/** Addresses that anonymous requests seem to come from. */
const ADDRESSES = 4_000

/** Whose documents are asked for: few, because the first reader of each waits until its key is made. */
const ACTORS = 20

export function rowsFor({
  tokens,
  accountIds,
  origin,
}: {
  tokens: string[]
  accountIds: readonly string[]
  origin: string
}): Row[] {
  const actors = accountIds.slice(0, ACTORS)
  const get = (path: string): Row['requests'] => ({ method: 'GET', paths: [path], tokens })
  const anonymous = (...paths: string[]): Row['requests'] => ({ method: 'GET', paths, addresses: ADDRESSES })
  return [
    {
      name: 'home timeline, 20',
      requests: get('/api/v1/timelines/home?limit=20'),
      limits: ['http', 'fastify'],
      goal: 0.12,
    },
    {
      name: 'local public timeline, 20',
      requests: anonymous('/api/v1/timelines/public?local=true&limit=20'),
      limits: ['http'],
    },
    {
      name: 'account statuses, 20',
      requests: anonymous(...accountIds.map((id) => `/api/v1/accounts/${id}/statuses?limit=20`)),
      limits: ['http'],
    },
    { name: 'notifications, 20', requests: get('/api/v1/notifications?limit=20'), limits: ['http'] },
    { name: 'verify_credentials', requests: get('/api/v1/accounts/verify_credentials'), limits: ['http', 'fastify'] },
    { name: 'GET /api/v2/instance', requests: anonymous('/api/v2/instance'), limits: ['http'] },
    { name: 'actor', requests: anonymous(...actors.map((id) => `/ap/users/${id}`)), limits: ['http'] },
    {
      name: 'WebFinger',
      requests: anonymous(
        ...actors.map((id) => `/.well-known/webfinger?resource=${encodeURIComponent(`${origin}/ap/users/${id}`)}`),
      ),
      limits: ['http'],
    },
    {
      name: 'POST status',
      requests: { method: 'POST', paths: ['/api/v1/statuses'], tokens, posts: true },
      limits: ['commits'],
      goal: 0.5,
    },
  ]
}
