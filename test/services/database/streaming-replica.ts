import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { startEmbeddedDatabase } from '../../../src/platform/db/embedded/embedded-database.ts'
import type { EmbeddedDatabase } from '../../../src/platform/db/embedded/embedded-database.ts'
import { copyUsedDataFolder, makeFolder, silentLog, startForTest } from './embedded-database.ts'

/** Starts an empty PostgreSQL server and a streaming replica of it, until the end of the test. */
export async function startWithReplica(
  t: TestContext,
): Promise<{ primary: EmbeddedDatabase; replica: EmbeddedDatabase }> {
  const folder = await makeFolder(t)
  const [primaryFolder, replicaFolder] = [join(folder, 'primary'), join(folder, 'replica')]
  await copyUsedDataFolder(primaryFolder)
  const access = join(folder, 'access.conf')
  await writeFile(access, 'local all all trust\nlocal replication all trust\n')
  await chmod(access, 0o644)
  const settings = `wal_level = replica\nmax_wal_senders = 4\nhba_file = '${access}'\n`
  await writeSettings(primaryFolder, settings)
  // The files of a server that was started with these settings and stopped are a base backup.
  await (await startEmbeddedDatabase({ dataDir: primaryFolder, log: silentLog })).stop()
  await mkdir(replicaFolder)
  await promisify(execFile)('cp', ['-a', join(primaryFolder, 'postgres'), replicaFolder])
  const primary = await startForTest(t, primaryFolder)
  const { host, port, user } = primary.connection
  await writeSettings(replicaFolder, `${settings}primary_conninfo = 'host=${host} port=${port} user=${user}'\n`)
  const signal = join(replicaFolder, 'postgres/cluster/standby.signal')
  await writeFile(signal, '')
  await chmod(signal, 0o644)
  return { primary, replica: await startForTest(t, replicaFolder) }
}

async function writeSettings(dataDir: string, text: string): Promise<void> {
  const file = join(dataDir, 'postgres/tuning.conf')
  await writeFile(file, text)
  await chmod(file, 0o644)
}
