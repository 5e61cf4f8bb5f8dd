import { revealedAccount } from '../../domain/accounts/usable.ts'
import type { Ctx } from '../../domain/context.ts'
import type { Resolved } from '../../domain/ports.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'

const findAccount = statement<{ params: { url: string }; row: { id: string } }>(
  `select a.id from accounts a left join users u on u.account_id = a.id
   where a.uri = $url and a.suspended_at is null and ${revealedAccount()}`,
)
const findStatus = statement<{ params: { url: string }; row: { id: string } }>(
  `select id from statuses where uri = $url and deleted_at is null`,
)
const findCollection = statement<{ params: { url: string }; row: { id: string } }>(
  `select id from collections where uri = $url`,
)
const findOwnCollection = statement<{ params: { collectionId: string }; row: { id: string } }>(
  `select id from collections where id = $collectionId and local`,
)
const findByName = statement<{ params: { name: string }; row: { id: string } }>(
  `select a.id from accounts a join users u on u.account_id = a.id
   where lower(a.username) = lower($name) and a.domain is null and a.suspended_at is null and ${revealedAccount()}`,
)
const findOwn = statement<{ params: { id: string }; row: { id: string } }>(
  `select id from statuses where id = $id and local and deleted_at is null`,
)

/**
 * What is known here by an address: by its id, or, of things of here, by the page that shows it in a browser. Who may
 * see it is asked elsewhere.
 */
export async function findByPage(ctx: Pick<Ctx, 'db' | 'config'>, { url }: { url: string }): Promise<Resolved | null> {
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
    const [own] = await findOwnCollection(ctx.db, { collectionId })
    return own ? { kind: 'collection', id: own.id } : null
  }
  const [, name, id] = /^\/(?:@|users\/)(\w+)(?:\/(?:statuses\/)?(\d+))?\/?$/.exec(pathname) ?? []
  if (name === undefined) return null
  if (id !== undefined) {
    const [own] = isId(id) ? await findOwn(ctx.db, { id }) : []
    return own ? { kind: 'status', id: own.id } : null
  }
  const [person] = await findByName(ctx.db, { name })
  return person ? { kind: 'account', id: person.id } : null
}
