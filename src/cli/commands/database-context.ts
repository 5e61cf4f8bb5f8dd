import type { Config } from '../../platform/config/config.ts'
import type { Connection, Db } from '../../platform/db/connection.ts'

/** The migrated database without the secrets. `close` ends all connections. */
export interface DatabaseContext {
  db: Db
  connection: Connection
  config: Config
  close(): Promise<void>
}
