import { Forbidden, Gone, NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { revealedAccount } from './usable.ts'

/** An account of here that others may know of. */
export interface LocalAccount {
  id: string
  username: string
  url: string
  suspended: boolean
  hide_collections: boolean
  avatar_key: string | null
}

/** Somebody who is suspended may come back for so long; then they are gone. */
const RETURN_DAYS = 30

const find = (condition: string) =>
  statement<LocalAccount & { gone: boolean }>(
    `select a.id, a.username, a.url, a.suspended_at is not null as suspended, a.avatar_key,
       coalesce(a.hide_collections, false) as hide_collections,
       coalesce(a.suspended_at < $2::timestamptz - interval '${RETURN_DAYS} days', false) as gone
     from accounts a left join users u on u.account_id = a.id
     where a.domain is null and ${condition} and ${revealedAccount()}`,
  )
const byId = find('a.id = $1')
const byName = find('lower(a.username) = lower($1)')
const findGrave = statement(`select from tombstones where uri = $1 and owner_uri = $1`)
const findFormerName = statement(`select from deleted_usernames where username = lower($1)`)

/**
 * Somebody of here, suspended or not.
 * @throws NotFound for nobody, and the very same for who is not confirmed or approved yet · Gone
 */
export async function findLocalAccount(ctx: Ctx, of: { id: string } | { username: string }): Promise<LocalAccount> {
  const [row] = await ('id' in of ? findById(ctx, of.id) : findByName(ctx, of.username))
  if (row && !row.gone) return row
  throw row || (await wasDeleted(ctx, of)) ? new Gone() : new NotFound()
}

/** Somebody of here who may show more than their name. @throws as `findLocalAccount` · Forbidden while suspended */
export async function findShownAccount(ctx: Ctx, of: { id: string }): Promise<LocalAccount> {
  const actor = await findLocalAccount(ctx, of)
  if (actor.suspended) throw new Forbidden()
  return actor
}

type Found = (LocalAccount & { gone: boolean })[]

async function findById(ctx: Ctx, id: string): Promise<Found> {
  return isId(id) ? byId(ctx.db, [id, ctx.now()]) : []
}

async function findByName(ctx: Ctx, username: string): Promise<Found> {
  return isName(username) ? byName(ctx.db, [username, ctx.now()]) : []
}

async function wasDeleted(ctx: Ctx, of: { id: string } | { username: string }): Promise<boolean> {
  if ('id' in of) return isId(of.id) && (await findGrave(ctx.db, [`${ctx.config.origin}/ap/users/${of.id}`])).length > 0
  return isName(of.username) && (await findFormerName(ctx.db, [of.username])).length > 0
}

function isName(text: string): boolean {
  return /^\w+$/.test(text)
}
