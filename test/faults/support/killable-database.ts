import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { joinRunningEmbeddedDatabase } from '../../../src/platform/db/embedded/embedded-database.ts'
import { findDatabaseFolder } from '../../../src/platform/db/embedded/location.ts'
import { readPostmasterFile } from '../../../src/platform/db/embedded/stop-orphaned-server.ts'
import { eventually } from '../../servers/linnet-process.ts'

export interface KillableDatabase {
  /**
   * Sends SIGKILL to the postmaster after `afterMs` milliseconds. Resolves as soon as the database accepts connections
   * again: `downMs` milliseconds later at the earliest, if the test restarts the database.
   */
  kill(moment: { afterMs: number; downMs: number }): Promise<void>
}

/** Returns the embedded database of a data folder, which the server that uses the folder restarts. */
export function createKillableEmbedded({ dataDir }: { dataDir: string }): KillableDatabase {
  return {
    async kill({ afterMs }) {
      await wait(afterMs)
      const cluster = join(await findDatabaseFolder(dataDir), 'cluster')
      const killed = await readPostmasterFile(cluster)
      process.kill(killed!.pid, 'SIGKILL')
      await eventually(async () => {
        const started = await readPostmasterFile(cluster)
        assert.ok(started?.ready && started.pid !== killed!.pid)
        const connection = await joinRunningEmbeddedDatabase({ dataDir })
        await connection!.stop()
      })
    },
  }
}
