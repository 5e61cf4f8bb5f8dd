import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectToRunningEmbedded } from '../../src/platform/db/embedded.ts'
import { locateHome } from '../../src/platform/db/embedded/home.ts'
import { readPostmasterFile } from '../../src/platform/db/embedded/orphan.ts'
import { eventually } from '../linnet.ts'

export interface KillableDatabase {
  /**
   * Sends SIGKILL to the postmaster after `afterMs` milliseconds. Resolves as soon as the database accepts connections
   * again: `downMs` milliseconds later at the earliest, where the test decides.
   */
  kill(moment: { afterMs: number; downMs: number }): Promise<void>
}

/** Returns the database of a data folder, which the server that owns the folder restarts. */
export function killableEmbedded({ dataDir }: { dataDir: string }): KillableDatabase {
  return {
    async kill({ afterMs }) {
      await wait(afterMs)
      const cluster = join(await locateHome(dataDir), 'cluster')
      const killed = await readPostmasterFile(cluster)
      process.kill(killed!.pid, 'SIGKILL')
      await eventually(async () => {
        const started = await readPostmasterFile(cluster)
        assert.ok(started?.ready && started.pid !== killed!.pid)
        const guest = await connectToRunningEmbedded({ dataDir })
        await guest!.stop()
      })
    },
  }
}
