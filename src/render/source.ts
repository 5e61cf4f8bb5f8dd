import type { Read } from '../domain/context.ts'
import type { Field, Role, Source } from '../entities/account.ts'
import { NotFound } from '../lib/errors.ts'
import { displayDomain } from '../lib/usernames.ts'
import { statement } from '../platform/db/connect.ts'

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
     (r.permissions | everyone.permissions)::text as role_permissions
   from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id
     join roles everyone on everyone.id = -99
   where a.id = $1`,
)

/** What a person typed and chose, and what their role lets them do. @throws NotFound for somebody who is not of here */
export async function renderSource(
  read: Read,
  { accountId }: { accountId: string },
): Promise<{ source: Source; role: Role }> {
  const [facts] = await load(read.db, [accountId])
  if (!facts) throw new NotFound()
  const permissions = BigInt(facts.role_permissions)
  return {
    source: {
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
    },
    role: {
      id: facts.role_id,
      name: facts.role_name,
      permissions: (permissions & ADMINISTRATOR ? ALL_PERMISSIONS : permissions).toString(),
      color: facts.role_color,
      highlighted: facts.role_highlighted,
      collection_limit: facts.collection_limit,
    },
  }
}
