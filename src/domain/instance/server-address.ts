import { ConflictError } from '../../lib/errors.ts'
import type { Config, ServerAddress } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/db/connection.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

const find = statement<{ row: { local_domain: string | null; origin: string } }>(
  `select local.value #>> '{}' as local_domain, origin.value #>> '{}' as origin
   from settings local join settings origin on origin.name = 'origin'
   where local.name = 'local_domain'`,
)
const recordDomain = statement<{ params: { localDomain: string }; row: { name: string } }>(
  `insert into settings (name, value) values ('local_domain', to_jsonb($localDomain::text))
   on conflict (name) do nothing returning name`,
)
const recordOrigin = statement<{ params: { origin: string; now: Date } }>(
  `insert into settings (name, value) values ('origin', to_jsonb($origin::text))
   on conflict (name) do update set value = excluded.value, updated_at = $now
   where settings.value <> excluded.value`,
)
const updateLocalUris = statement<{ params: { origin: string } }>(
  `update accounts set
     uri = regexp_replace(uri, '^https?://[^/]+', $origin::text),
     url = regexp_replace(url, '^https?://[^/]+', $origin::text),
     version = version + 1
   where domain is null`,
)

/** Returns the address that the server last started with; null before its first start. */
export async function findServerAddress(db: Queryable): Promise<ServerAddress | null> {
  const [row] = await find(db)
  return row?.local_domain ? { localDomain: row.local_domain, origin: row.origin } : null
}

/**
 * Checks the domain before the server listens.
 * @throws ConflictError if the domain differs from that of the first start
 */
export async function checkServerAddress({ db, config }: Read): Promise<void> {
  checkLocalDomain(await findServerAddress(db), config)
}

/** @throws ConflictError if the domain differs from that of the first start; null: the server has never started */
export function checkLocalDomain(recorded: ServerAddress | null, config: Pick<Config, 'localDomain'>): void {
  if (recorded && recorded.localDomain !== config.localDomain)
    throw new ConflictError(addressChangeMessage(recorded.localDomain, config.localDomain))
}

/**
 * Records the domain and origin of a server that listens: a start that fails before, for example because the port is in
 * use, must not fix the domain. The first start fixes the domain of handles for good.
 * @throws ConflictError if the domain differs from that of the first start
 */
export async function recordServerAddress(tx: Tx): Promise<void> {
  const { localDomain, origin } = tx.config
  const [first] = await recordDomain(tx.db, { localDomain })
  // Accounts that the CLI created before the first start have URIs of the default domain. No other server knows them
  // yet.
  if (first) await updateLocalUris(tx.db, { origin })
  await recordOrigin(tx.db, { origin, now: tx.now })
  await checkServerAddress(tx)
}

function addressChangeMessage(recorded: string, configured: string): string {
  const [recordedPort, configuredPort] = [recorded, configured].map((domain) => /^localhost:(\d+)$/.exec(domain)?.[1])
  const remedy = recordedPort && configuredPort ? `set PORT=${recordedPort}` : `set LOCAL_DOMAIN=${recorded}`
  return (
    `LOCAL_DOMAIN is ${configured}, but this server was first started as ${recorded}. Under another domain every handle ` +
    `(@name@${recorded}), every link that others have stored and every follow between servers would break: ` +
    `${remedy}, or start a new server with another DATA_DIR or database`
  )
}
