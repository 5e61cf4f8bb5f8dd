import { Conflict } from '../../lib/errors.ts'
import type { Address } from '../../platform/config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

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
const readdress = statement<{ params: { origin: string } }>(
  `update accounts set
     uri = regexp_replace(uri, '^https?://[^/]+', $origin::text),
     url = regexp_replace(url, '^https?://[^/]+', $origin::text),
     version = version + 1
   where domain is null`,
)

/** As what the server was last started; null before its first start. */
export async function findAddress(db: Db): Promise<Address | null> {
  const [row] = await find(db)
  return row?.local_domain ? { localDomain: row.local_domain, origin: row.origin } : null
}

/**
 * Notes at a start as what the server is served. The first start decides the domain of handles for good.
 * @throws Conflict when the domain is another than at the first start
 */
export async function settleAddress(tx: Tx): Promise<void> {
  const { localDomain, origin } = tx.config
  const [first] = await recordDomain(tx.db, { localDomain })
  // Accounts that a command created before the first start have the default domain; no other server knows them yet.
  if (first) await readdress(tx.db, { origin })
  await recordOrigin(tx.db, { origin, now: tx.now })
  const settled = await findAddress(tx.db)
  if (settled && settled.localDomain !== localDomain)
    throw new Conflict(explainChange(settled.localDomain, localDomain))
}

function explainChange(settled: string, wanted: string): string {
  const [settledPort, wantedPort] = [settled, wanted].map((domain) => /^localhost:(\d+)$/.exec(domain)?.[1])
  const remedy = settledPort && wantedPort ? `set PORT=${settledPort}` : `set LOCAL_DOMAIN=${settled}`
  return (
    `LOCAL_DOMAIN is ${wanted}, but this server was first started as ${settled}. Under another domain every handle ` +
    `(@name@${settled}), every link that others keep and every follow between servers would break: ` +
    `${remedy}, or start a new server with another DATA_DIR or database`
  )
}
