import { confirmedAccount } from '../../domain/access/usable-account.ts'
import type { Ctx } from '../../domain/context.ts'
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
 * Finds a stored object by its id or, if it is local, by the URL of its web page; null if there is none. Callers decide
 * who can see it.
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
  if (origin !== ctx.config.origin) return null
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
