import { confirmedAccount } from '../../domain/access/usable-account.ts'
import type { Ctx } from '../../domain/context.ts'
import { withParents } from '../../domain/domain-blocks/find-domain-block.ts'
import type { ResolvedObject } from '../../domain/ports.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'

const findAccount = statement<{ params: { url: string }; row: { id: string } }>(
  `select a.id from accounts a left join users u on u.account_id = a.id
   where a.uri = $url and a.suspended_at is null and ${confirmedAccount()}`,
)
const findStatus = statement<{ params: { url: string }; row: { id: string } }>(
  `select id from statuses where uri = $url and deleted_at is null`,
)
// Pages have no index, but servers with Mastodon's URLs identify their statuses by the name or the id of the author.
const findByPage = statement<{
  params: { url: string; origin: string; byName: string; name: string; domains: readonly string[]; statusId: string }
  row: { id: string }
}>(
  `select s.id from statuses s
   where s.uri in (select $byName union all select a.uri || '/statuses/' || $statusId from accounts a
       where lower(a.username) = lower($name) and coalesce(a.domain, '') = any($domains)
         and starts_with(a.uri, $origin || '/'))
     and s.url = $url and not s.local and s.deleted_at is null limit 1`,
)
const findCollection = statement<{ params: { url: string }; row: { id: string } }>(
  `select id from collections where uri = $url`,
)
const findLocalCollection = statement<{ params: { collectionId: string }; row: { id: string } }>(
  `select id from collections where id = $collectionId and local`,
)
const findByName = statement<{ params: { name: string }; row: { id: string } }>(
  `select a.id from accounts a join users u on u.account_id = a.id
   where lower(a.username) = lower($name) and a.domain is null and a.suspended_at is null and ${confirmedAccount()}`,
)
const findLocalStatus = statement<{ params: { id: string }; row: { id: string } }>(
  `select id from statuses where id = $id and local and deleted_at is null`,
)

/**
 * Finds a stored object by its id or by the URL of its web page; null if there is none. Of remote objects, only the
 * pages of statuses at Mastodon's URLs are found, since a private status cannot be fetched. Callers decide who can see
 * it.
 */
export async function findByUrl(
  ctx: Pick<Ctx, 'db' | 'config'>,
  { url }: { url: string },
): Promise<ResolvedObject | null> {
  const [account] = await findAccount(ctx.db, { url })
  if (account) return { kind: 'account', id: account.id }
  const [status] = await findStatus(ctx.db, { url })
  if (status) return { kind: 'status', id: status.id }
  const [collection] = await findCollection(ctx.db, { url })
  if (collection) return { kind: 'collection', id: collection.id }
  const { origin, pathname } = new URL(url)
  if (origin !== ctx.config.origin) return findRemotePage(ctx, url)
  const [, collectionId] = /^\/(?:ap\/users\/\d+\/)?collections\/(\d+)\/?$/.exec(pathname) ?? []
  if (isId(collectionId)) {
    const [local] = await findLocalCollection(ctx.db, { collectionId })
    return local ? { kind: 'collection', id: local.id } : null
  }
  const [, name, id] = /^\/(?:@|users\/)(\w+)(?:\/(?:statuses\/)?(\d+))?\/?$/.exec(pathname) ?? []
  if (name === undefined) return null
  if (id !== undefined) {
    const [local] = isId(id) ? await findLocalStatus(ctx.db, { id }) : []
    return local ? { kind: 'status', id: local.id } : null
  }
  const [localAccount] = await findByName(ctx.db, { name })
  return localAccount ? { kind: 'account', id: localAccount.id } : null
}

async function findRemotePage(ctx: Pick<Ctx, 'db'>, url: string): Promise<ResolvedObject | null> {
  const { origin, hostname, pathname } = new URL(url)
  const [, name, statusId] = /^\/@(\w+(?:[.-]+\w+)*)\/(\d+)$/.exec(pathname) ?? []
  if (name === undefined || statusId === undefined) return null
  const byName = `${origin}/users/${name}/statuses/${statusId}`
  const [status] = await findByPage(ctx.db, { url, origin, byName, name, domains: withParents(hostname), statusId })
  return status ? { kind: 'status', id: status.id } : null
}
