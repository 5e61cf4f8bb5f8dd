import { chmod, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { pathExists } from './private-folder.ts'
import type { LaunchMethod } from './launch-method.ts'

export const DATABASE_NAME = 'linnet'
export const DATABASE_USER = 'linnet'
export const SOCKET_PORT = 5432

/**
 * Writes the configuration files at each start. They are outside the cluster, where only this process can write.
 * `ALTER SYSTEM` and the file `tuning.conf` in the same folder override them.
 */
export async function writeServerConfig({
  databaseFolder,
  sockets,
  launchMethod,
}: {
  databaseFolder: string
  sockets: string
  launchMethod: LaunchMethod
}): Promise<void> {
  const hba = join(databaseFolder, 'pg_hba.conf')
  const ident = join(databaseFolder, 'pg_ident.conf')
  const tuningFile = join(databaseFolder, 'tuning.conf')
  // With these methods, other programs may share the database's user, so only root may connect. With the other methods,
  // only the owner can reach the socket.
  const shared = launchMethod.name === 'drop' || launchMethod.name === 'setpriv'
  await writeWorldReadable(
    hba,
    shared ? `local all ${DATABASE_USER} peer map=linnet\n` : `local all ${DATABASE_USER} trust\n`,
  )
  await writeWorldReadable(ident, `linnet "${userInfo().username}" ${DATABASE_USER}\n`)
  await writeWorldReadable(
    join(databaseFolder, 'postgresql.conf'),
    `# Written by Linnet at each start. Put changes into tuning.conf beside this file, or use ALTER SYSTEM.
hba_file = ${quote(hba)}
ident_file = ${quote(ident)}

listen_addresses = ''
port = ${SOCKET_PORT}
unix_socket_directories = ${quote(`"${sockets.replaceAll('"', '""')}"`)}
unix_socket_permissions = 0700
max_connections = 60

# For a small machine that also runs other programs.
shared_buffers = 48MB
effective_cache_size = 512MB
work_mem = 4MB
maintenance_work_mem = 64MB
jit = off
max_parallel_workers_per_gather = 0
autovacuum_max_workers = 2
io_method = sync
random_page_cost = 1.1

# Acknowledged commits are on the disk. There are no replicas, so the WAL is minimal.
fsync = on
synchronous_commit = on
full_page_writes = on
wal_level = minimal
max_wal_senders = 0
max_logical_replication_workers = 0
checkpoint_timeout = 5min

# A client that died without closing its connection must not keep its locks.
client_connection_check_interval = 10s

# Clients report errors of statements. The log omits statements, which may contain private data.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_line_prefix = '%m [%p] '
log_timezone = 'UTC'
timezone = 'UTC'

${(await pathExists(tuningFile)) ? `include ${quote(tuningFile)}` : '# no tuning.conf'}
`,
  )
}

async function writeWorldReadable(file: string, text: string): Promise<void> {
  await writeFile(file, text)
  await chmod(file, 0o644)
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
