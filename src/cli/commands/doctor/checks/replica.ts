import type pg from 'pg'
import { describeError } from '../../../../lib/describe-error.ts'
import type { Config } from '../../../../platform/config/config.ts'
import { createDb } from '../../../../platform/db/connection.ts'
import { describeConnection } from '../../../../platform/db/open-database.ts'
import { openReplica } from '../../../../platform/db/replica.ts'
import { createLog } from '../../../../platform/log/log.ts'
import { ok, warning } from './finding.ts'
import type { Finding } from './finding.ts'

/** Checks whether the replica is used, if one is configured. `pool`: connections to the primary. */
export async function checkReplica(
  pool: pg.Pool,
  { replicaDatabaseUrl }: Pick<Config, 'replicaDatabaseUrl'>,
): Promise<Finding[]> {
  if (replicaDatabaseUrl === null) return []
  const connection = { connectionString: replicaDatabaseUrl }
  const name = `the replica at ${describeConnection(connection)}`
  let reason = 'it is behind, or no replica of the database'
  const log = {
    ...createLog('silent'),
    warn: ({ err }: { err?: unknown }) => void (err !== undefined && (reason = describeError(err))),
  }
  const replica = openReplica(connection, { primary: createDb(pool), max: 1, log })
  try {
    if (await replica.isRecent()) return [ok(`${name} follows the primary`)]
    return [warning(`${name} is not used: ${reason}`, 'check REPLICA_DATABASE_URL; the primary is used instead')]
  } finally {
    await replica.close()
  }
}
