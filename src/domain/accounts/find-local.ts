import { Forbidden, Gone, NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { lookForChanges } from '../../platform/db/changes.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import { Kept } from '../../platform/db/kept.ts'
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
const RETURN_MS = 30 * 86_400_000

interface Found extends LocalAccount {
  suspended_at: Date | null
}

/** Who is looked for. `asOf`: when the request looked for changes. */
type Wanted = ({ id: string } | { username: string }) & { asOf?: Moment | undefined }

const find = (condition: string) =>
  statement<Found>(
    `select a.id, a.username, a.url, a.suspended_at is not null as suspended, a.suspended_at, a.avatar_key,
       coalesce(a.hide_collections, false) as hide_collections
     from accounts a left join users u on u.account_id = a.id
     where a.domain is null and ${condition} and ${revealedAccount()}`,
  )
const byId = find('a.id = $1')
const byName = find('lower(a.username) = lower($1)')
const findGrave = statement(`select from tombstones where uri = $1 and owner_uri = $1`)
const findFormerName = statement(`select from deleted_usernames where username = lower($1)`)

/** How much memory one process may take for those whom others look for. */
const KEPT_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 500

/** By ids, and by names with an @ before. Who is not found is asked for again each time. */
const kept = new Kept<Found>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { value, since }) =>
    changes.hasChanged('account', value.id, since) || changes.hasChanged('user', value.id, since),
})

/**
 * Somebody of here, suspended or not.
 * @throws NotFound for nobody, and the very same for who is not confirmed or approved yet · Gone
 */
export async function findLocalAccount(ctx: Ctx, wanted: Wanted): Promise<LocalAccount> {
  const found = await findKept(ctx, wanted)
  const isGone = found?.suspended_at != null && found.suspended_at.getTime() < ctx.now().getTime() - RETURN_MS
  if (found && !isGone) return found
  throw found || (await wasDeleted(ctx, wanted)) ? new Gone() : new NotFound()
}

/** Somebody of here who may show more than their name. @throws as `findLocalAccount` · Forbidden while suspended */
export async function findShownAccount(ctx: Ctx, wanted: { id: string }): Promise<LocalAccount> {
  const actor = await findLocalAccount(ctx, wanted)
  if (actor.suspended) throw new Forbidden()
  return actor
}

async function findKept(ctx: Ctx, wanted: Wanted): Promise<Found | undefined> {
  if (!('id' in wanted ? isId(wanted.id) : isName(wanted.username))) return undefined
  const changes = await lookForChanges(ctx.db, wanted)
  const key = 'id' in wanted ? wanted.id : `@${wanted.username.toLowerCase()}`
  const known = kept.get(changes, key)
  if (known !== undefined) return known
  const since = changes.moment
  const [found] = await ('id' in wanted ? byId(ctx.db, [wanted.id]) : byName(ctx.db, [wanted.username]))
  if (found) kept.set(changes, key, { value: found, since, bytes: ENTRY_BYTES })
  return found
}

async function wasDeleted(ctx: Ctx, of: { id: string } | { username: string }): Promise<boolean> {
  if ('id' in of) return isId(of.id) && (await findGrave(ctx.db, [`${ctx.config.origin}/ap/users/${of.id}`])).length > 0
  return isName(of.username) && (await findFormerName(ctx.db, [of.username])).length > 0
}

function isName(text: string): boolean {
  return /^\w+$/.test(text)
}
