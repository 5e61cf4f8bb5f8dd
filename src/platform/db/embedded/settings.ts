import { chmod, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { exists } from './private-folder.ts'
import type { Way } from './way.ts'

export const DATABASE = 'linnet'
export const SUPERUSER = 'linnet'
export const PORT = 5432

/**
 * Writes the configuration files, anew at each start. They lie outside the cluster, where only we can write.
 * `ALTER SYSTEM` and a file `tuning.conf` beside them win over what is written here.
 */
export async function writeSettings({
  home,
  sockets,
  way,
}: {
  home: string
  sockets: string
  way: Way
}): Promise<void> {
  const hba = join(home, 'pg_hba.conf')
  const ident = join(home, 'pg_ident.conf')
  const tuning = join(home, 'tuning.conf')
  // Where root has no user of its own for the database, other programs may share its user, so only root may connect.
  // In the other ways nobody but the owner gets through to the socket.
  const shared = way.name === 'drop' || way.name === 'setpriv'
  await writePublic(hba, shared ? `local all ${SUPERUSER} peer map=linnet\n` : `local all ${SUPERUSER} trust\n`)
  await writePublic(ident, `linnet "${userInfo().username}" ${SUPERUSER}\n`)
  await writePublic(
    join(home, 'postgresql.conf'),
    `# Written by Linnet at each start. Put changes into tuning.conf beside this file, or use ALTER SYSTEM.
hba_file = ${quote(hba)}
ident_file = ${quote(ident)}

listen_addresses = ''
port = ${PORT}
unix_socket_directories = ${quote(`"${sockets.replaceAll('"', '""')}"`)}
unix_socket_permissions = 0700
max_connections = 60

# A small machine that does other things too.
shared_buffers = 128MB
effective_cache_size = 512MB
work_mem = 4MB
maintenance_work_mem = 64MB
jit = off
max_parallel_workers_per_gather = 0
autovacuum_max_workers = 2
io_method = sync
random_page_cost = 1.1

# What was acknowledged is on the disk. No replicas, so no log is kept for them.
fsync = on
synchronous_commit = on
full_page_writes = on
wal_level = minimal
max_wal_senders = 0
max_logical_replication_workers = 0
checkpoint_timeout = 5min

# A client that died without a word must not keep its locks.
client_connection_check_interval = 10s

# Errors of statements are the clients' to report; a statement's text may hold private words.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_line_prefix = '%m [%p] '
log_timezone = 'UTC'
timezone = 'UTC'

${(await exists(tuning)) ? `include ${quote(tuning)}` : '# no tuning.conf'}
`,
  )
}

async function writePublic(file: string, text: string): Promise<void> {
  await writeFile(file, text)
  await chmod(file, 0o644)
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
