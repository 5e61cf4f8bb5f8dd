import type { Read } from '../domain/context.ts'
import type { Field, Role, Source } from '../entities/account.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import { displayDomain } from '../lib/usernames.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { Kept } from '../platform/db/kept.ts'
import { usableAccount } from '../domain/accounts/usable.ts'

interface SourceFacts {
  note: string
  fields: Field[]
  locked: boolean
  hide_collections: boolean | null
  discoverable: boolean | null
  indexable: boolean
  default_privacy: Source['privacy'] | null
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: Source['quote_policy']
  attribution_domains: string[]
  requests: number
  role_id: string
  role_name: string
  role_color: string
  role_permissions: string
  role_highlighted: boolean
  collection_limit: number
  usable: boolean
}

/** What only the person themselves is told. */
interface Own {
  source: Source
  role: Role
  /** Both as the keys that end an account's JSON. */
  keys: string
  isUsable: boolean
}

/** Bit 0 stands for all the others. */
const ADMINISTRATOR = 1n
const ALL_PERMISSIONS = (1n << 23n) - 1n

// Requests are counted to 40 only: whoever has more has many.
const load = statement<SourceFacts>(
  `select a.note, a.fields, a.locked, a.hide_collections, a.discoverable, a.indexable, a.attribution_domains,
     u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy,
     (select count(*)::int from (
        select from follow_requests fr join accounts asker on asker.id = fr.account_id
        where fr.target_account_id = a.id and asker.suspended_at is null limit 40) counted) as requests,
     r.id as role_id, r.name as role_name, r.color as role_color, r.highlighted as role_highlighted,
     r.collection_limit,
     (r.permissions | everyone.permissions)::text as role_permissions, ${usableAccount()} as usable
   from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id
     join roles everyone on everyone.id = -99
   where a.id = $1`,
)

/** How much memory one process may take for what people typed and chose. */
const KEPT_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 800

/** By accounts. It rests on the account, on whose it is, on who asked to follow them, and on roles, of which all is told. */
const kept = new Kept<Own>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { key, since }) =>
    changes.hasChanged('account', key, since) ||
    changes.hasChanged('user', key, since) ||
    changes.hasChanged('viewer', key, since),
})

/**
 * What a person typed and chose, and what their role lets them do. `asOf`: when their request looked for changes.
 * @throws NotFound for somebody who is not of here
 */
export async function renderSource(
  read: Read,
  { accountId, asOf }: { accountId: string; asOf?: Moment | undefined },
): Promise<Own> {
  const changes = await lookForChanges(read.db, { asOf })
  const known = kept.get(changes, accountId)
  if (known !== undefined) return known
  const since = changes.moment
  const [facts] = await load(read.db, [accountId])
  if (!facts) throw new NotFound()
  const own = presentOwn(facts)
  kept.set(changes, accountId, { value: own, since, bytes: ENTRY_BYTES + 4 * own.keys.length })
  return own
}

function presentOwn(facts: SourceFacts): Own {
  const permissions = BigInt(facts.role_permissions)
  const source: Source = {
    privacy: facts.default_privacy ?? (facts.locked ? 'private' : 'public'),
    sensitive: facts.default_sensitive,
    language: facts.default_language,
    note: facts.note,
    raw_note: facts.note,
    fields: facts.fields,
    follow_requests_count: facts.requests,
    hide_collections: facts.hide_collections,
    discoverable: facts.discoverable,
    indexable: facts.indexable,
    attribution_domains: facts.attribution_domains.map(displayDomain),
    quote_policy: facts.default_quote_policy,
  }
  const role: Role = {
    id: facts.role_id,
    name: facts.role_name,
    permissions: (permissions & ADMINISTRATOR ? ALL_PERMISSIONS : permissions).toString(),
    color: facts.role_color,
    highlighted: facts.role_highlighted,
    collection_limit: facts.collection_limit,
  }
  return { source, role, keys: `,"source":${toJson(source)},"role":${toJson(role)}`, isUsable: facts.usable }
}
