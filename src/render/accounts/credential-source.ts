import { usableAccount } from '../../domain/access/usable-account.ts'
import type { CachedRead } from '../../domain/context.ts'
import type { Field, Role, Source } from '../../entities/accounts/account.ts'
import { entity, entityJson } from '../../lib/json/entity-json.ts'
import { jsonText } from '../../lib/json/json-content.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { displayDomain } from '../../lib/usernames.ts'
import { Cache } from '../../platform/db/cache.ts'
import { statement } from '../../platform/db/statement.ts'
import { ROLE_COLUMNS, roleOf } from './role.ts'
import type { RoleColumns } from './role.ts'

interface SourceRow extends RoleColumns {
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
  usable: boolean
}

/** The parts of an account that only its user receives. */
interface CredentialSource {
  source: Source
  sourceJson: EntityJson<Source>
  roleJson: EntityJson<Role>
  isUsable: boolean
}

// The count of follow requests stops at 40.
const select = statement<{ params: { accountId: string }; row: SourceRow }>(
  `select a.note, a.fields, a.locked, a.hide_collections, a.discoverable, a.indexable, a.attribution_domains,
     u.default_privacy, u.default_sensitive, u.default_language, u.default_quote_policy,
     (select count(*)::int from (
        select from follow_requests fr join accounts requester on requester.id = fr.account_id
        where fr.target_account_id = a.id and requester.suspended_at is null limit 40) counted) as requests,
     ${ROLE_COLUMNS}, ${usableAccount()} as usable
   from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id
     join roles everyone on everyone.id = -99
   where a.id = $accountId`,
)

const ENTRY_BYTES = 800

/** Sources by account id. A value depends on the account, its user, its follow requests and its role. */
const cache = new Cache<CredentialSource>({
  isInvalidated: (invalidations, { key, since }) =>
    invalidations.isInvalidated('account', key, since) ||
    invalidations.isInvalidated('user', key, since) ||
    invalidations.isInvalidated('viewer', key, since),
})

/** Returns the source and the role of a user's account. @throws NotFoundError for remote accounts */
export async function findCredentialSource(
  read: CachedRead,
  { accountId }: { accountId: string },
): Promise<CredentialSource> {
  const { invalidations } = read
  const cached = cache.get(invalidations, accountId)
  if (cached !== undefined) return cached
  const since = invalidations.epoch
  const [row] = await select(read.db, { accountId })
  if (!row) throw new NotFoundError()
  const source = sourceOf(row)
  const [sourceJson, roleJson] = [entityJson<Source>(source), entityJson<Role>(roleOf(row))]
  const value = { source, sourceJson, roleJson, isUsable: row.usable }
  const characters = jsonText(sourceJson).length + jsonText(roleJson).length
  cache.set(invalidations, accountId, { value, since, bytes: ENTRY_BYTES + 4 * characters })
  return value
}

function sourceOf(row: SourceRow): Source {
  return entity<Source>({
    privacy: row.default_privacy ?? (row.locked ? 'private' : 'public'),
    sensitive: row.default_sensitive,
    language: row.default_language,
    note: row.note,
    raw_note: row.note,
    fields: row.fields,
    follow_requests_count: row.requests,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    attribution_domains: row.attribution_domains.map(displayDomain),
    quote_policy: row.default_quote_policy,
  })
}
